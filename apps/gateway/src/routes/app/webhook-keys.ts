import { WebhookKeyList } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { wholeList, type Services } from '../services';

const base = '/app/v1';

/** The keys that sign deliveries. */
export const webhookKeys = ({ deliveries }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/webhook-keys`,
    summary: 'List the webhook keys',
    access: 'person',
    status: 200,
    reply: WebhookKeyList,
    errors: [401, 403],
    handle: async ({ call }) => wholeList((await deliveries.listWebhookKeys(call, {})).keys.map(publicKeyOf)),
  }),
  route({
    method: 'post',
    path: `${base}/webhook-keys/rotate`,
    summary: 'Rotate the webhook keys',
    access: 'session',
    onInstance: 'rotate webhook keys',
    status: 200,
    reply: WebhookKeyList,
    errors: [401, 403],
    handle: async ({ call }) => wholeList((await deliveries.rotateWebhookKeys(call, {})).keys.map(publicKeyOf)),
  }),
];

/** A key with its public key in the format of Standard Webhooks. */
const publicKeyOf = ({ x, ...key }: { kid: string; x: string; retires_at?: string }) => ({
  ...key,
  public_key: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
});
