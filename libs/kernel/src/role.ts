export const workspaceRoles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

/** The roles of the people who run an instance. They are apart from the roles in its workspaces, and neither gives the other. */
export const instanceRoles = ['owner', 'admin'] as const;
export type InstanceRole = (typeof instanceRoles)[number];

/** Ordered from most to least powerful; `highest` in access.ts relies on this order. */
export const formRoles = ['owner', 'editor', 'viewer'] as const;
export type FormRole = (typeof formRoles)[number];
