export const workspaceRoles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

/** Ordered from most to least powerful; `highest` in access.ts relies on this order. */
export const formRoles = ['owner', 'editor', 'viewer'] as const;
export type FormRole = (typeof formRoles)[number];
