import type { Deps } from '../deps';
import { secretSignatures } from '../keys/webhook-secret';
import { batchEvent } from './batch-body';
import type { Claim } from './claims.queries';
import { noHeaders, openHeaders, withoutValues } from './own-headers';
import type { Sent } from './posted';
import { readyBatch, type BatchDeps } from './ready-batch';

export type SendDeps = Pick<Deps, 'clock' | 'metrics' | 'egress' | 'webhookKeys' | 'seals' | 'payloads' | 'settings'> & BatchDeps;

/** The request headers of an attempt that Sheaf sets, which the log keeps. They contain signatures but no secrets. */
export async function headersOf(
  deps: Pick<Deps, 'webhookKeys' | 'seals'>,
  claim: Pick<Claim, 'id' | 'type' | 'subscription_id' | 'instance_id' | 'options'>,
  { body, at, trace }: { body: string; at: Date; trace: string | null },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = { id: claim.id, timestamp, body };
  const signatures = [await deps.webhookKeys.sign(claim.instance_id, signed)];
  const secrets = claim.options?.secrets;
  if (secrets) signatures.push(...(await secretSignatures(deps, { instanceId: claim.instance_id, secrets }, { ...signed, at })));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Sheaf-Webhooks/1',
    'X-Webhook-Event': claim.type,
    'X-Webhook-ID': claim.subscription_id,
    // These three follow https://www.standardwebhooks.com. The id is the same at every attempt, so that receivers can drop repeats.
    'webhook-id': claim.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    ...(trace === null ? {} : { traceparent: trace }),
  };
}

interface Sending {
  /** The trace of the attempt. The events of a batch have their own. */
  trace: string | null;
  /** Called once the subscriber takes longer than `DELIVERY_SLOW_MS`. */
  onSlow: () => void;
}

/**
 * Composes the body of an attempt, signs it and sends it.
 * @throws after a fault on our side: nothing was sent.
 */
export async function send(deps: SendDeps, claim: Claim, { trace, onSlow }: Sending): Promise<Sent> {
  const { clock, egress, metrics, payloads, settings } = deps;
  const { number, attempts_before: before, url } = claim;
  const batch = claim.batch ? await readyBatch(deps, claim) : undefined;
  const body = batch?.body ?? (claim.payload === 'contract' && !claim.options?.fields ? claim.body : await payloads.bodyOf(claim));
  const startedAt = clock.now();
  // A batch waits on purpose.
  if (number === 1 && !batch) metrics.toFirstPost.observe(Math.max(0, startedAt.getTime() - claim.occurred_at.getTime()) / 1_000);
  // A reused connection may break during the POST. That costs an attempt, and the retries must not be lost the same way.
  const connection = number - before === 1 ? 'kept' : 'new';
  const slowTimer = setTimeout(onSlow, settings.DELIVERY_SLOW_MS);
  try {
    // Without a turn of its own for the many that have none; see docs/contributing/performance.md.
    const own = claim.options?.headers ? await openHeaders(deps, claim) : noHeaders;
    const named = claim.batch ? { ...claim, id: claim.batch.id, type: batchEvent } : claim;
    const headers = await headersOf(deps, named, { body, at: startedAt, trace });
    const outcome = await egress.post(url, {
      headers: { ...own.values, ...headers },
      body,
      timeoutMs: settings.DELIVERY_TIMEOUT_MS,
      connection,
    });
    return { headers: { ...headers, ...own.shown }, outcome: withoutValues(outcome, own), ...(batch && { sent: batch.sent }) };
  } finally {
    clearTimeout(slowTimer);
  }
}
