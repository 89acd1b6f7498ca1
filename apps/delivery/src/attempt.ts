import type { SubscriptionGone } from '@sheaf/contracts';
import { OwnFailure, type Outcome } from '@sheaf/egress';
import { record, type DomainEvent } from '@sheaf/events';
import { newId, traceNames } from '@sheaf/kernel';
import { withPatience } from '@sheaf/runtime';
import type { z } from 'zod';
import { beginSpan, endingWith } from './attempt-span';
import * as queries from './attempt.queries';
import type { Claim, Settlement } from './attempt.queries';
import type { Deps } from './deps';
import { laneAfter, Slots, type Lane, type Slot } from './lanes';
import { isGone, judge, release } from './retry';
import { Settling, settlePatienceMs } from './settling';
import { deactivateCopy } from './subscriptions.queries';

// Between the last moment of a POST and the moment from which its attempt counts as lost: time to settle it with a slow database.
const settleSlackMs = 5_000;
// Slots that become free within this time are filled together.
const gatherMs = 5;
// Turns that came up for nothing must not keep the slots empty, and not us from anything else.
const mostLooks = 10;
const soonMs = 50;
// How often to look for attempts that were lost.
const sweepMs = 1_000;

/** How long an attempt is ours after it was claimed. */
export const leaseMs = (settings: { DELIVERY_TIMEOUT_MS: number }): number => settings.DELIVERY_TIMEOUT_MS + settleSlackMs;

type Needed = Pick<Deps, 'db' | 'outbox' | 'clock' | 'log' | 'tracer' | 'metrics' | 'egress' | 'webhookKeys' | 'settings'>;

/** The attempts that this process makes. */
export class Attempts {
  private readonly slots: Slots;
  private readonly settling: Settling;
  private readonly underWay = new Set<Promise<void>>();
  private gathering: NodeJS.Timeout | undefined;
  private sweptAt = 0;

  constructor(private readonly deps: Needed) {
    this.slots = new Slots(deps.settings);
    this.settling = new Settling(deps);
  }

  /**
   * Begins what is due, as far as there are free slots, and does not wait for it to end.
   * @returns how many attempts were begun, and when the next one falls due. `onFree` is called when slots are free again.
   */
  async runDue(onFree: () => void = () => undefined): Promise<{ begun: number; nextDue: Date | undefined }> {
    const { db, clock, log, settings } = this.deps;
    const now = clock.now();
    if (now.getTime() - this.sweptAt >= sweepMs) {
      this.sweptAt = now.getTime();
      const lost = await queries.failLost(db, now);
      if (lost.length > 0) log.warn({ deliveryIds: lost }, 'the last attempt was interrupted: deliveries failed');
    }

    let begun = 0;
    for (let look = 0; look < mostLooks; look++) {
      const { claims, turns } = await queries.claimDue(db, {
        now,
        lanes: this.slots.free(),
        busy: this.slots.busy(),
        full: this.slots.full(),
        leaseMs: leaseMs(settings),
        retryDelaysMs: settings.RETRY_DELAYS_MS,
      });
      for (const claim of claims) this.begin(claim, onFree);
      begun += claims.length;
      if (claims.length >= turns) break;
    }
    // Where there was something there may be more.
    if (begun > 0) return { begun, nextDue: new Date(now.getTime() + soonMs) };
    const open = this.slots.free().flatMap(({ lane, free }) => (free > 0 ? [lane] : []));
    return { begun, nextDue: await queries.nextDue(db, { now, lanes: open, full: this.slots.full() }) };
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    await this.settling.idle();
    clearTimeout(this.gathering);
  }

  private begin(claim: Claim, onFree: () => void): void {
    const { log } = this.deps;
    const slot = this.slots.begin(claim.subscription_id, claim.lane);
    this.tellSlots();
    let lane = claim.lane;
    const work = this.attempt(claim, slot)
      .then((after) => void (lane = after))
      // Whatever it was, the claim makes sure that the delivery falls due again.
      .catch((error: unknown) => log.error({ err: error, deliveryId: claim.id, attempt: claim.number }, 'an attempt could not be settled'))
      .finally(() => {
        this.underWay.delete(work);
        slot.end(lane);
        this.tellSlots();
        this.gathering ??= setTimeout(() => {
          this.gathering = undefined;
          onFree();
        }, gatherMs);
      });
    this.underWay.add(work);
  }

  private tellSlots(): void {
    for (const { lane } of this.slots.free()) this.deps.metrics.inFlight.set({ lane }, this.slots.inLane(lane));
  }

  /** One attempt that is claimed already: POST, then settle. @returns the lane of the subscription after it. */
  private async attempt(claimed: Claim, slot: Slot): Promise<Lane> {
    const { clock, metrics, settings, log, tracer } = this.deps;
    const span = tracer && beginSpan(tracer, claimed);
    const claim = span ? { ...claimed, traceparent: span.trace } : claimed;
    const startedAt = clock.now();
    if (claim.number === 1) metrics.toFirstPost.observe(Math.max(0, startedAt.getTime() - claim.occurred_at.getTime()) / 1_000);

    // Every process is to know of one that hangs, and not only when its time is over.
    const late = setTimeout(() => {
      slot.hangs();
      this.settling.moveTo(claim.subscription_id, 'slow');
    }, settings.DELIVERY_SLOW_MS);
    let outcome: Outcome;
    try {
      outcome = await endingWith(span, send(this.deps, claim, startedAt));
    } catch (error) {
      await this.releaseAfter(error, claim);
      return claim.lane;
    } finally {
      clearTimeout(late);
    }

    const settlement = judge(claim, outcome, settings.RETRY_DELAYS_MS, clock.now());
    if (isGone(outcome)) await withPatience('the database to settle an attempt', () => this.settleGone(claim, settlement), { log, forMs: settlePatienceMs });
    else await this.settling.settle(settlement);

    metrics.attempts.inc({ outcome: nameOf(outcome) });
    log.info({ ...wide(claim, settlement), ...('status' in outcome ? { status: outcome.status } : { error: outcome.error }), durationMs: outcome.durationMs }, 'attempt');
    const after = laneAfter(claim.lane, outcome, settings.DELIVERY_SLOW_MS);
    if (after !== claim.lane) this.settling.moveTo(claim.subscription_id, after);
    return after;
  }

  /** A failure of ours: the subscriber's attempts do not pay for it. */
  private async releaseAfter(error: unknown, claim: Claim): Promise<void> {
    const settlement = release(claim, this.deps.clock.now());
    await this.settling.settle(settlement);
    const stage = error instanceof OwnFailure ? error.stage : 'prepare';
    this.deps.metrics.attempts.inc({ outcome: `own_${stage}` });
    this.deps.log.error({ err: error, stage, ...wide(claim, settlement) }, 'nothing was sent, through a failure of ours');
  }

  private settleGone(claim: Claim, settlement: Settlement): Promise<void> {
    return this.deps.outbox.transaction(async (trx) => {
      // One that was subscribed anew since it was called is another one, and stays.
      if (await deactivateCopy(trx, { id: claim.subscription_id, revision: claim.revision })) {
        await queries.cancelQueued(trx, [claim.subscription_id], settlement.at, claim);
        await record(trx, subscriptionGone(claim, settlement.at));
      }
      await queries.settle(trx, [settlement]);
    });
  }
}

async function send(deps: Needed, claim: Claim, at: Date): Promise<Outcome> {
  return deps.egress.post(claim.url, { headers: await headersOf(deps, claim, at), body: claim.body, timeoutMs: deps.settings.DELIVERY_TIMEOUT_MS });
}

/** One line says all of an attempt. */
const wide = (claim: Claim, settlement: Settlement) => ({
  deliveryId: claim.id,
  attempt: claim.number,
  state: settlement.state,
  nextAttemptAt: 'next' in settlement ? settlement.next : undefined,
  eventId: claim.event_id,
  event: claim.type,
  subscriptionId: claim.subscription_id,
  formId: claim.form_id,
  instanceId: claim.instance_id,
  lane: claim.lane,
  host: new URL(claim.url).host,
  ...traceNames(claim.traceparent ?? undefined),
});

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
    ...(claim.traceparent === null ? {} : { traceparent: claim.traceparent }),
  };
}

function subscriptionGone({ subscription_id: id, revision, instance_id, form_id, traceparent }: Claim, at: Date): DomainEvent {
  const body: z.output<typeof SubscriptionGone> = { id, revision };
  return { id: newId(), type: 'subscription.gone', instanceId: instance_id, subject: id, formId: form_id, occurredAt: at, body: JSON.stringify(body), trace: traceparent ?? undefined };
}

const nameOf = (outcome: Outcome): string => ('status' in outcome ? `${Math.floor(outcome.status / 100)}xx` : outcome.error);
