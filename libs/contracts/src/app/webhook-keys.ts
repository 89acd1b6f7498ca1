import { z } from 'zod';
import { instant, listOf } from '../shapes';

/** A public key of deliveries, in the format of Standard Webhooks (`whpk_…`). */
export const WebhookKey = z.object({ kid: z.string(), public_key: z.string(), retires_at: instant().optional() });

export const WebhookKeyList = listOf(WebhookKey);

/** A JSON Web Key Set (RFC 7517) of Ed25519 keys (RFC 8037). */
export const WebhookKeySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
      kid: z.string(),
      x: z.string(),
    }),
  ),
});
