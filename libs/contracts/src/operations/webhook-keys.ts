import { z } from 'zod';
import { described } from '../described';
import { instant, wholeListOf } from '../shapes';
import { operation } from './operation';

const kidText = "The key's id (RFC 7638).";
const kidSample = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';

/** A public key of deliveries, in the format of Standard Webhooks (`whpk_…`). */
export const WebhookKey = described(
  z.object({
    kid: described(z.string(), kidText, kidSample),
    public_key: described(
      z.string(),
      'The public key in the format of Standard Webhooks (`whpk_…`).',
      'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    ),
    retires_at: described(
      instant().optional(),
      'The time at which the key stops signing; absent for the current key.',
      '2026-03-05T16:05:12.000Z',
    ),
  }),
  'A public key that deliveries are signed with.',
);

export const WebhookKeyList = described(wholeListOf(WebhookKey), 'A list of public keys.');

/** A JSON Web Key Set (RFC 7517) of Ed25519 keys (RFC 8037). */
export const WebhookKeySet = described(
  z.object({
    keys: described(
      z.array(
        z.object({
          kty: described(z.literal('OKP'), 'The key type.'),
          crv: described(z.literal('Ed25519'), 'The curve.'),
          alg: described(z.literal('EdDSA'), 'The algorithm.'),
          use: described(z.literal('sig'), 'The intended use of the key.'),
          kid: described(z.string(), kidText, kidSample),
          x: described(z.string(), 'The public key, in base64url.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
        }),
      ),
      'The valid keys.',
    ),
  }),
  'A JSON Web Key Set (RFC 7517) of Ed25519 keys (RFC 8037).',
);

export const listWebhookKeys = operation({
  method: 'get',
  path: '/app/v1/webhook-keys',
  summary: 'List the webhook keys',
  description: 'Lists the public keys that deliveries of this instance are signed with.',
  access: 'person',
  status: 200,
  reply: WebhookKeyList,
  errors: [401, 403],
  rpc: 'delivery.ListWebhookKeys',
  // getWebhookKeySet asks it as well.
  callers: ['respondent', 'user'],
  composed: true,
  answer: 'WebhookKeyList',
});

export const rotateWebhookKeys = operation({
  method: 'post',
  path: '/app/v1/webhook-keys/rotate',
  summary: 'Rotate the webhook keys',
  description:
    'Starts signing with a new key. For one day, deliveries are signed with the previous key as well. For owners and admins of the instance.',
  access: 'session',
  onInstance: 'rotate webhook keys',
  status: 200,
  reply: WebhookKeyList,
  errors: [401, 403],
  rpc: 'delivery.RotateWebhookKeys',
  composed: true,
  answer: 'WebhookKeyList',
});

export const getWebhookKeySet = operation({
  method: 'get',
  path: '/.well-known/webhook-keys.json',
  summary: 'Get the webhook key set',
  description: "Returns the instance's public keys as a JSON Web Key Set, for receivers that verify the signatures of deliveries.",
  access: 'anyone',
  status: 200,
  reply: WebhookKeySet,
  errors: [404],
  composed: true,
});
