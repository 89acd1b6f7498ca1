import { listWebhookKeys, rotateWebhookKeys } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { wholeList, type Services } from '../services';

const listRequest = asking(listWebhookKeys);
const rotateRequest = asking(rotateWebhookKeys);

/** The keys that sign deliveries. */
export const webhookKeys = ({ deliveries }: Services): Route[] => [
  route({
    ...rowOf(listWebhookKeys),
    handle: async ({ call, params }) => wholeList((await deliveries.listWebhookKeys(call, listRequest({ params }))).keys.map(publicKeyOf)),
  }),
  route({
    ...rowOf(rotateWebhookKeys),
    handle: async ({ call, params }) =>
      wholeList((await deliveries.rotateWebhookKeys(call, rotateRequest({ params }))).keys.map(publicKeyOf)),
  }),
];

/** A key with its public key in the format of Standard Webhooks. */
const publicKeyOf = ({ x, ...key }: { kid: string; x: string; retires_at?: string }) => ({
  ...key,
  public_key: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
});
