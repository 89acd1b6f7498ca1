/** The scopes of service accounts (contract, section 5.5). People hold all of them. */
export const scopes = ['forms:read', 'forms:write', 'submissions:read', 'submissions:write', 'workspaces:manage', 'hooks:manage'] as const;

export type Scope = (typeof scopes)[number];
