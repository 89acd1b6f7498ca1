export const workspaceRoles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

/** From the most to the least that a role allows; `highest` in access.ts relies on this order. */
export const formRoles = ['owner', 'editor', 'viewer'] as const;
export type FormRole = (typeof formRoles)[number];
