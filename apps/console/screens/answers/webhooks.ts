import { app, formId, formWith, shortText } from './form';
import { byAda, idOf, listOf, then, workspaceId } from './people';
import type { Answers } from '../support/recorded-server';

export const address = 'https://crm.example/hook';
export const webhook = (more: object = {}) => ({
  id: idOf(7),
  events: ['submission.created'],
  event: 'submission.created',
  url: address,
  active: true,
  source: 'application',
  created_at: then,
  created_by: byAda,
  payload: 'contract',
  retry: 'standard',
  signature: 'v1a',
  headers: [],
  filter: null,
  fields: null,
  batch: null,
  form_id: formId,
  workspace_id: workspaceId,
  scope: 'form',
  deactivated: null,
  ...more,
});
export const body = JSON.stringify({ event: 'submission.created', form_id: formId, data: { name: 'Ada' } });
const headers = { 'Content-Type': 'application/json', 'webhook-id': idOf(7), 'webhook-signature': 'v1a,c2lnbmF0dXJl' };
export const delivery = (more: object = {}) => ({
  id: idOf(10),
  event_id: idOf(11),
  event: 'submission.created',
  form_id: formId,
  subscription_id: idOf(7),
  url: address,
  state: 'succeeded',
  attempt_count: 1,
  created_at: then,
  ...more,
});
export const delivered = (more: object = {}) => ({
  ...delivery(more),
  attempts: [
    {
      number: 1,
      started_at: then,
      duration_ms: 22,
      status: 200,
      url: address,
      headers,
      connection: {
        reused: false,
        dns_ms: 3,
        connect_ms: 4,
        tls_ms: 5,
        first_byte_ms: 10,
        tls: { protocol: 'TLSv1.3', issuer: 'An Authority', expires_at: '2027-01-15T12:00:00.000Z' },
      },
    },
  ],
  body,
});
export const tried = { delivered: true, duration_ms: 41, request: { headers, body }, status: 200, error: null };
export const deliveries = (data: readonly object[]) => ({ data, total: data.length, limit: 50, offset: 0 });

export const webhooks = `GET ${app}/webhooks`;
/** The page of webhooks of a form. */
export const webhooksWith = (some: readonly object[], sent: readonly object[] = [], role: 'owner' | 'viewer' = 'owner'): Answers => ({
  ...formWith([shortText('name', 'Your name')], {}, role),
  [webhooks]: listOf(some),
  [`GET ${app}/deliveries`]: deliveries(sent),
  [`GET /app/v1/workspaces/${workspaceId}/webhooks`]: listOf([]),
  'GET /app/v1/webhooks': listOf([]),
});
