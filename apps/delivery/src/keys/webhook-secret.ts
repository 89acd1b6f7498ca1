import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookOptions } from '@sheaf/contracts';
import type { Seals } from './seals';

const prefix = 'whsec_';
const secretBytes = 32;

/** The purpose for which a secret is sealed. */
const purpose = 'secret of a webhook';

/** A secret as Standard Webhooks has it, in the clear and sealed. */
export async function makeSecret(
  { seals }: { seals: Pick<Seals, 'seal'> },
  instanceId: string,
): Promise<{ secret: string; sealed: string }> {
  const secret = `${prefix}${randomBytes(secretBytes).toString('base64')}`;
  return { secret, sealed: await seals.seal(instanceId, purpose, secret) };
}

/** `v1,…` for each secret that has not retired: HMAC-SHA-256 over the same content as the signatures by the instance's keys. */
export function secretSignatures(
  { seals }: { seals: Pick<Seals, 'open'> },
  { instanceId, secrets }: { instanceId: string; secrets: NonNullable<WebhookOptions['secrets']> },
  { id, timestamp, body, at }: { id: string; timestamp: string; body: string; at: Date },
): Promise<string[]> {
  const valid = secrets.filter(({ retires_at: until }) => until === undefined || new Date(until) > at);
  return Promise.all(
    valid.map(async ({ sealed }) => {
      const key = Buffer.from((await seals.open(instanceId, purpose, sealed)).slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    }),
  );
}
