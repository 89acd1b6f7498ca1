import type { Outcome } from '@sheaf/egress';
import type { Claim } from './attempt.queries';
import type { Deps } from '../deps';

/** The request headers of an attempt, which the log keeps. They contain signatures but no secrets. */
export async function headersOf(
  { webhookKeys }: Pick<Deps, 'webhookKeys'>,
  claim: Pick<Claim, 'id' | 'type' | 'subscription_id' | 'instance_id' | 'body' | 'traceparent'>,
  at: Date,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Sheaf-Webhooks/1',
    'X-Webhook-Event': claim.type,
    'X-Webhook-ID': claim.subscription_id,
    // These three follow https://www.standardwebhooks.com. The id is the same at every attempt, so that receivers can drop repeats.
    'webhook-id': claim.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': await webhookKeys.sign(claim.instance_id, { id: claim.id, timestamp, body: claim.body }),
    ...(claim.traceparent === null ? {} : { traceparent: claim.traceparent }),
  };
}

export async function send(deps: Pick<Deps, 'egress' | 'settings'>, claim: Claim, headers: Record<string, string>): Promise<Outcome> {
  const { number, attempts_before: before, url, body } = claim;
  // A reused connection may break during the POST. That costs an attempt, and the retries must not be lost the same way.
  const connection = number - before === 1 ? 'kept' : 'new';
  return deps.egress.post(url, { headers, body, timeoutMs: deps.settings.DELIVERY_TIMEOUT_MS, connection });
}
