import type { SubscriptionGone } from '@sheaf/contracts';
import type { Outcome } from '@sheaf/egress';
import { record, type DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { withPatience } from '@sheaf/runtime';
import type { z } from 'zod';
import * as queries from './attempt.queries';
import type { Claim } from './attempt.queries';
import type { Deps } from './deps';
import { isGone, judge } from './retry';
import { deactivateCopy } from './subscriptions.queries';

// Between the last moment of a POST and the moment from which its attempt counts as lost: time to settle it with a slow database.
const settleSlackMs = 5_000;
// How long an outcome is offered to a database that is away. Later than this the attempt counts as lost anyway.
const settlePatienceMs = 15_000;

type Needed = Pick<Deps, 'db' | 'outbox' | 'clock' | 'log' | 'metrics' | 'egress' | 'webhookKeys' | 'settings'>;

/** The attempts that this process makes. */
export class Attempts {
  private readonly busy = new Map<string, number>();
  private readonly underWay = new Set<Promise<void>>();
  /** Whether a slot that becomes free is a reason to look again: something that is due may have been left. */
  private more = false;

  constructor(private readonly deps: Needed) {}

  /**
   * Begins what is due, as far as there are free slots, and does not wait for it to end.
   * @returns how many attempts were begun, and when the next one falls due. `onFree` is called when a slot is free again that may have been missing.
   */
  async runDue(onFree: () => void = () => undefined): Promise<{ begun: number; nextDue: Date | undefined }> {
    const { db, clock, log, settings } = this.deps;
    const now = clock.now();
    const lost = await queries.failLost(db, now);
    if (lost.length > 0) log.warn({ deliveryIds: lost }, 'the last attempt was interrupted: deliveries failed');

    const free = settings.DELIVERY_CONCURRENCY - this.underWay.size;
    const claims = free > 0 ? await this.claim(now, free) : [];
    for (const claim of claims) this.begin(claim, onFree);
    const capped = [...this.busy.values()].some((taken) => taken >= settings.DELIVERY_PER_SUBSCRIPTION);
    this.more = claims.length > 0 || capped || this.underWay.size >= settings.DELIVERY_CONCURRENCY;
    return { begun: claims.length, nextDue: await queries.nextDue(db, now) };
  }

  private claim(now: Date, free: number): Promise<Claim[]> {
    const { db, settings } = this.deps;
    return queries.claimDue(db, {
      now,
      free,
      perSubscription: settings.DELIVERY_PER_SUBSCRIPTION,
      busy: this.busy,
      leaseMs: settings.DELIVERY_TIMEOUT_MS + settleSlackMs,
      retryDelaysMs: settings.RETRY_DELAYS_MS,
    });
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private begin(claim: Claim, onFree: () => void): void {
    const { subscription_id: subscription } = claim;
    this.busy.set(subscription, (this.busy.get(subscription) ?? 0) + 1);
    this.deps.metrics.inFlight.inc();
    const work = attempt(this.deps, claim)
      // Whatever it was, the claim makes sure that the delivery falls due again.
      .catch((error: unknown) => this.deps.log.error({ err: error, deliveryId: claim.id, attempt: claim.number }, 'an attempt could not be settled'))
      .finally(() => {
        const left = (this.busy.get(subscription) ?? 1) - 1;
        if (left === 0) this.busy.delete(subscription);
        else this.busy.set(subscription, left);
        this.underWay.delete(work);
        this.deps.metrics.inFlight.dec();
        if (this.more) onFree();
      });
    this.underWay.add(work);
  }
}

/** One attempt that is claimed already: POST, then settle. */
async function attempt(deps: Needed, claim: Claim): Promise<void> {
  const { clock, egress, log, metrics, settings } = deps;
  const startedAt = clock.now();
  if (claim.number === 1) metrics.toFirstPost.observe(Math.max(0, startedAt.getTime() - claim.occurred_at.getTime()) / 1_000);

  const outcome = await egress.post(claim.url, { headers: await headersOf(deps, claim, startedAt), body: claim.body, timeoutMs: settings.DELIVERY_TIMEOUT_MS });

  const settlement = judge(claim, outcome, settings.RETRY_DELAYS_MS, clock.now());
  await withPatience('the database to settle an attempt', () => settleWith(deps, claim, outcome, settlement), { log, forMs: settlePatienceMs });

  metrics.attempts.inc({ outcome: nameOf(outcome) });
  log.info(
    {
      deliveryId: claim.id,
      attempt: claim.number,
      state: settlement.state,
      ...('status' in outcome ? { status: outcome.status } : { error: outcome.error }),
      durationMs: outcome.durationMs,
      nextAttemptAt: settlement.state === 'pending' ? settlement.next : undefined,
      eventId: claim.event_id,
      event: claim.type,
      subscriptionId: claim.subscription_id,
      formId: claim.form_id,
      instanceId: claim.instance_id,
      host: new URL(claim.url).host,
    },
    'attempt',
  );
}

async function settleWith(deps: Needed, claim: Claim, outcome: Outcome, settlement: queries.Settlement): Promise<void> {
  await deps.outbox.transaction(async (trx) => {
    await queries.recordAttempt(trx, settlement);
    const gone = { id: claim.subscription_id, revision: claim.revision };
    // One that was subscribed anew since it was called is another one, and stays.
    if (isGone(outcome) && (await deactivateCopy(trx, gone))) {
      await queries.settleAsGone(trx, { id: claim.id, number: claim.number, subscriptionId: claim.subscription_id, at: settlement.at });
      await record(trx, subscriptionGone(claim, settlement.at));
    } else {
      await queries.settle(trx, settlement);
    }
  });
}

async function headersOf({ webhookKeys }: Pick<Deps, 'webhookKeys'>, claim: Claim, at: Date): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Sheaf-Webhooks/1',
    'X-Webhook-Event': claim.type,
    'X-Webhook-ID': claim.subscription_id,
    // These three after https://www.standardwebhooks.com. The id is the same at every attempt, so that a receiver can drop repeats.
    'webhook-id': claim.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': await webhookKeys.sign(claim.instance_id, { id: claim.id, timestamp, body: claim.body }),
  };
}

function subscriptionGone({ subscription_id: id, revision, instance_id, form_id }: Claim, at: Date): DomainEvent {
  const body: z.output<typeof SubscriptionGone> = { id, revision };
  return { id: newId(), type: 'subscription.gone', instanceId: instance_id, subject: id, formId: form_id, occurredAt: at, body: JSON.stringify(body) };
}

const nameOf = (outcome: Outcome): string => ('status' in outcome ? `${Math.floor(outcome.status / 100)}xx` : outcome.error);
