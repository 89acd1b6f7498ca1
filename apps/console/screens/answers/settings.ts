import { ada, byAda, grace, idOf, listOf, memberOf, then, workspaceId, workspaceOf } from './people';
import { formId, keepsAll } from './form';
import type { Answers } from '../support/recorded-server';

export const workspace = `/app/v1/workspaces/${workspaceId}`;
export const members = `GET /api/v1/workspaces/${workspaceId}/members`;
export const invitations = `GET ${workspace}/invitations`;
export const at = (section: string): string => `/console/settings/${section}`;

export const workspaceSettings = (more: object = {}) => ({ ...workspaceOf('owner'), slug: 'research', ...more });
export const invitation = {
  id: idOf(14),
  email: 'new@example.org',
  name: '',
  role: 'viewer',
  created_at: then,
  expires_at: '2099-01-01T00:00:00.000Z',
  valid: true,
  invited_by: { kind: 'user', id: ada.id, name: ada.name },
};
export const serviceAccount = (name: string, keys: readonly number[] = [1]) => ({
  id: idOf(15),
  name,
  scopes: ['forms:read', 'submissions:read'],
  created_at: then,
  keys: keys.map((number) => ({ id: idOf(16, number), prefix: `shf_s_key${number}`, created_at: then })),
});
export const erasure = {
  id: idOf(17),
  kind: 'submissions',
  target_id: formId,
  reason: 'person',
  requested_at: then,
  form_id: formId,
  workspace_id: workspaceId,
  requested_by: byAda,
  state: 'running',
  services: [{ service: 'submissions', confirmed_at: then, counts: { files: 0, submissions: 1 } }, { service: 'delivery' }],
};
const entry = (number: number, action: string, details: object) => ({
  id: idOf(18, number),
  action,
  actor: { ...byAda, name: ada.name, email: ada.email, via: 'session', credential_id: idOf(12) },
  target: { kind: 'form', id: formId },
  request_id: '9577f9c7-8344-4f40-a9ad-4303025dd382',
  occurred_at: then,
  workspace_id: workspaceId,
  form_id: formId,
  address: '192.0.2.1',
  details,
});
export const auditLog = [
  entry(3, 'form.published', { version: 1 }),
  entry(2, 'draft.saved', { revision: 1 }),
  entry(1, 'form.created', {}),
];
export const entries = (data: readonly object[]) => ({ data, total: data.length, limit: 50, offset: 0 });

/** The answers that the sections of the settings ask for. */
export const settings: Answers = {
  [`GET ${workspace}`]: workspaceSettings(),
  [invitations]: listOf([invitation]),
  'GET /app/v1/service-accounts': listOf([]),
  'GET /app/v1/webhook-keys': listOf([{ kid: 'sGDLr86F3Rg3KMpmw', public_key: 'whpk_8taFWTBVwj+ORHnvacWyRS2gBueOn/FUbqSc4iHxopM=' }]),
  'GET /app/v1/webhooks': listOf([]),
  [`GET ${workspace}/webhooks`]: listOf([]),
  'GET /app/v1/erasures': { data: [erasure], next_cursor: null },
  [`GET /app/v1/erasures/${erasure.id}`]: erasure,
  'GET /app/v1/instance/members': listOf([memberOf(ada, 'owner'), memberOf(grace, 'admin')]),
  'GET /app/v1/instance/retention': keepsAll,
};
