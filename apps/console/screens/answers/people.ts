import type { Answers } from '../support/recorded-server';

/** When everything in the answers happened, unless it matters. */
export const then = '2026-03-01T09:00:00.000Z';
/** An id that tells what it is of. */
export const idOf = (kind: number, number = 1): string =>
  `01900000-0000-7000-8${String(kind).padStart(3, '0')}-${String(number).padStart(12, '0')}`;

export const ada = { id: idOf(1, 1), email: 'ada@example.org', name: 'Ada Lovelace' };
export const grace = { id: idOf(1, 2), email: 'grace@example.org', name: 'Grace Hopper' };
export const workspaceId = idOf(2);
export const markup = '<img src=x onerror=alert(1)>';

export type Role = 'owner' | 'admin' | 'editor' | 'viewer';
export const byAda = { kind: 'user', id: ada.id };
export const listOf = (data: readonly unknown[]) => ({ data, total: data.length, limit: data.length, offset: 0 });
export const pageOf = (data: readonly unknown[], more: object = {}) => ({ data, total: data.length, next_cursor: null, ...more });

export const workspaceOf = (role: Role, name = 'Research') => ({
  id: workspaceId,
  name,
  color: '',
  role,
  created_at: then,
  updated_at: then,
});
export const sessionOf = (role: Role, { name = ada.name } = {}) => ({
  expires_at: '2099-01-01T00:00:00.000Z',
  user: { ...ada, name },
  instance: role === 'owner' ? { name: 'Sheaf', manages: true, role } : { name: 'Sheaf', manages: false },
  workspace: workspaceOf(role),
});
export const memberOf = ({ id, ...person }: typeof ada, role: Role) => ({ user_id: id, avatar_url: '', role, created_at: then, ...person });

/** The answers that the console asks for on each page behind the sign-in. */
export const signedIn = (role: Role): Answers => ({
  'GET /app/v1/sessions/current': sessionOf(role),
  'GET /api/v1/workspaces': listOf([workspaceOf(role)]),
  'GET /app/v1/me/preferences': { data: {} },
  [`GET /api/v1/workspaces/${workspaceId}/members`]: listOf([memberOf(ada, 'owner'), memberOf(grace, 'editor')]),
});
