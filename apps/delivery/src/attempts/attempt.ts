import { OwnFailure, type Excerpt, type Outcome } from '@sheaf/egress';
import { retryUntilSuccess } from '@sheaf/runtime';
import { LRUCache } from 'lru-cache';
import { logFields, outcomeLabel } from './attempt-line';
import { startSpan, endSpanWith } from './attempt-span';
import * as queries from './attempt.queries';
import type { Claim, LookResult, Settlement } from './attempt.queries';
import { Budgets } from './budgets';
import type { Deps } from '../deps';
import { laneAfter, lanes, Slots, type Lane, type Slot } from './lanes';
import type { MadeDelivery } from '../planning/plan.queries';
import { endingBy, settleEnding } from '../planning/end-subscription';
import { NextLook } from './next-look';
import { ReservedSlots } from './reserved-slots';
import { headersOf, send } from './send';
import { judge, release } from './retry';
import { Settling, settlePatienceMs } from './settling';

// Time between the end of a POST and the moment its attempt counts as lost: enough to settle it in a slow database.
const settleSlackMs = 5_000;
// Turns with nothing to send must not leave slots empty, so looks repeat; more than this would block everything else.
const maxLooks = 10;
// How soon to look again for due deliveries that could not be claimed: another process held them, or there was no room.
const retryLookMs = 50;
// How often to look for lost attempts.
const sweepMs = 1_000;
const hourMs = 3_600_000;

/** The lease: how long an attempt is ours after its claim. */
export const leaseMs = (settings: { DELIVERY_TIMEOUT_MS: number }): number => settings.DELIVERY_TIMEOUT_MS + settleSlackMs;

type AttemptDeps = Pick<
  Deps,
  'db' | 'outbox' | 'clock' | 'log' | 'tracer' | 'metrics' | 'egress' | 'webhookKeys' | 'payloads' | 'settings'
>;

type Planned = Pick<MadeDelivery, 'subscription_id' | 'lane' | 'begun' | 'held'>;

/** Slots reserved for first attempts. */
export interface Reservation {
  rooms: { id: string; lane: Lane; room: number }[];
  /**
   * Begins the claims and gives back the other slots.
   * @param made the planned deliveries: the actual lane of each subscription, and whether the delivery has begun or waits there.
   */
  begin(claims: readonly Claim[], made: readonly Planned[]): void;
  /** Gives back all slots without an attempt. */
  end(): void;
}

/**
 * The attempts that this process makes.
 * 1. A look (`runDue`) claims due deliveries for the free slots; or planning reserves slots and claims first attempts for them.
 * 2. Each claim begins in its slot: `attempt` builds the headers and sends the POST.
 * 3. The outcome decides the lane, and whether the slot is freed at once or only when the subscription has ended everywhere.
 * 4. What a response other than 2xx said is read for a moment, for the log.
 * 5. Attempts are settled in batches (`Settling`); a fault on our side gives the attempt back.
 * 6. A freed slot triggers the next look if something waits in its lane.
 */
export class Attempts {
  /** The lane of each subscription when this process last learned of it. */
  private readonly lanes = new LRUCache<string, Lane>({ max: 100_000 });
  private readonly slots: Slots;
  private readonly settling: Settling;
  private readonly budgets: Budgets;
  private readonly inFlight = new Set<Promise<void>>();
  private readonly nextLook = new NextLook();
  private lastSweepAt = -Infinity;

  constructor(private readonly deps: AttemptDeps) {
    this.slots = new Slots(deps.settings);
    this.settling = new Settling(deps);
    this.budgets = new Budgets({ clock: deps.clock, perMinute: deps.settings.DELIVERY_PER_INSTANCE_PER_MINUTE });
  }

  /**
   * Begins due attempts in the free slots, without waiting for them to end.
   * @param onFree called when another look is worthwhile earlier.
   * @returns how many attempts began, and how soon the next one falls due.
   */
  async runDue(onFree: () => void = () => undefined): Promise<{ begun: number; nextInMs: number | undefined }> {
    const endRound = this.nextLook.begin(onFree);
    if (performance.now() - this.lastSweepAt >= sweepMs) await this.failLostDeliveries();

    let begun = 0;
    let found: LookResult;
    let looks = 0;
    do {
      found = await this.lookForDue();
      begun += found.claims.length;
      looks += 1;
    } while (found.claims.length < found.turns.length && looks < maxLooks && !this.stalled);
    endRound(found.waiting);
    return { begun, nextInMs: found.nextInMs === 0 ? retryLookMs : found.nextInMs };
  }

  /**
   * Reserves free slots for the first attempts of deliveries that are being planned. Each of the `rooms` names the lane that we remember
   * for its subscription; if the subscription waits in another lane by now, none of its attempts begins.
   * @param deliveries the subscription and the instance of each.
   */
  async reserve(deliveries: readonly { subscription_id: string; instance_id: string }[]): Promise<Reservation> {
    const spent = new Set(this.budgets.spent());
    const within = deliveries.filter(({ instance_id }) => !spent.has(instance_id));
    const wanted = within.map(({ subscription_id: id }) => ({ id, lane: this.lanes.get(id) ?? 'quick' }));
    // Usually that look claims everything, so nothing is left to queue behind. Without this wait, deliveries that arrive faster than looks
    // end would never get out of the queue again.
    const look = this.slots.afterLook(wanted.map(({ lane }) => lane));
    if (look) await look;
    const reserved = new ReservedSlots((lane) => this.nextLook.onFreed(lane));
    for (const { id, lane } of this.stalled ? [] : wanted) {
      const slot = this.slots.take(id, lane);
      if (slot) reserved.add(id, lane, slot);
    }
    return { rooms: reserved.rooms(), begin: (claims, made) => this.beginPlanned(reserved, claims, made), end: () => reserved.end() };
  }

  private beginPlanned(reserved: ReservedSlots, claims: readonly Claim[], made: readonly Planned[]): void {
    for (const claim of claims) {
      const slot = reserved.next(claim.subscription_id);
      if (slot) this.begin(claim, slot);
    }
    // A slot taken in the wrong lane would count as an attempt to a subscription that may have only one.
    reserved.end();
    let canBegin = false;
    for (const { subscription_id: id, lane, begun, held } of made) {
      if (lane) this.lanes.set(id, lane);
      if (begun) continue;
      this.slots.noteQueued(id);
      this.nextLook.onPlanned(lane ?? 'unproven');
      canBegin ||= !held && this.slots.hasRoom(id, lane ?? 'unproven');
    }
    // A look is pointless for deliveries without room, and planning would have to wait for it. A freed slot triggers one anyway.
    if (canBegin) this.nextLook.now();
  }

  /** Begins a claimed attempt in its slot, without waiting for it to end. */
  private begin(claim: Claim, slot: Slot): void {
    const { log } = this.deps;
    this.budgets.spend(claim.instance_id);
    this.reportSlots();
    const work = this.attempt(claim, slot)
      // The claim ensures that the delivery falls due again after any error.
      .catch((error: unknown) => log.error({ err: error, deliveryId: claim.id, attempt: claim.number }, 'settling an attempt failed'))
      .finally(() => this.inFlight.delete(work));
    this.inFlight.add(work);
  }

  /** Resolves once nothing is in flight. */
  async idle(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
    await this.settling.idle();
    this.nextLook.cancel();
  }

  /**
   * Whether so many attempts wait to be settled that no more may begin. Without this limit they would pile up forever if the database
   * claims but cannot settle.
   */
  private get stalled(): boolean {
    return this.settling.size >= this.deps.settings.DELIVERY_CONCURRENCY;
  }

  private async failLostDeliveries(): Promise<void> {
    this.lastSweepAt = performance.now();
    const lost = await queries.failLostDeliveries(this.deps.db, this.deps.clock);
    if (lost.length > 0) this.deps.log.warn({ deliveryIds: lost }, 'deliveries failed because their last attempt was lost');
  }

  private async lookForDue(): Promise<LookResult> {
    const { db, clock, metrics, settings } = this.deps;
    const look = this.slots.look(this.stalled ? 0 : Infinity);
    this.nextLook.onLook();
    const spent = this.budgets.spent();
    metrics.overBudget.set(spent.length);
    try {
      const found = await queries.claimDue(db, { clock, look, spent, leaseMs: leaseMs(settings), retryDelaysMs: settings.RETRY_DELAYS_MS });
      look.found(found.turns);
      for (const claim of found.claims) {
        this.lanes.set(claim.subscription_id, claim.lane);
        this.begin(claim, this.slots.begin(claim.subscription_id, claim.lane));
      }
      return found;
    } finally {
      look.end();
    }
  }

  private moveToLane(subscriptionId: string, lane: Lane): void {
    this.lanes.set(subscriptionId, lane);
    this.settling.noteTurn(subscriptionId, { lane });
  }

  private endSlot(slot: Slot, lane: Lane, after: Lane): void {
    slot.end(after);
    this.reportSlots();
    this.nextLook.onFreed(lane, after);
  }

  private reportSlots(): void {
    for (const lane of lanes) this.deps.metrics.inFlight.set({ lane }, this.slots.inLane(lane));
  }

  /** Sends the POST of a claimed attempt, then settles it. */
  private async attempt(claimed: Claim, slot: Slot): Promise<void> {
    const { clock, metrics, settings, log, tracer } = this.deps;
    const span = tracer && startSpan(tracer, claimed);
    let claim = span ? { ...claimed, traceparent: span.trace } : claimed;
    if (claim.payload !== 'contract') {
      try {
        claim = { ...claim, body: await this.deps.payloads.bodyOf(claim) };
      } catch (error) {
        this.endSlot(slot, claim.lane, claim.lane);
        await this.releaseAfter(error, claim);
        return;
      }
    }
    const startedAt = clock.now();
    if (claim.number === 1) metrics.toFirstPost.observe(Math.max(0, startedAt.getTime() - claim.occurred_at.getTime()) / 1_000);

    // All processes should learn that the subscriber hangs before the attempt times out.
    const slowTimer = setTimeout(() => {
      slot.hangs();
      this.nextLook.onFreed(claim.lane);
      this.moveToLane(claim.subscription_id, 'slow');
    }, settings.DELIVERY_SLOW_MS);
    let headers: Record<string, string>;
    let outcome: Outcome;
    try {
      headers = await headersOf(this.deps, claim, startedAt);
      outcome = await endSpanWith(span, send(this.deps, claim, headers)).finally(() => clearTimeout(slowTimer));
    } catch (error) {
      clearTimeout(slowTimer);
      this.endSlot(slot, claim.lane, claim.lane);
      await this.releaseAfter(error, claim);
      return;
    }

    const settlement = judge(claim, outcome, settings.RETRY_DELAYS_MS, clock.now());
    settlement.headers = headers;
    const after = laneAfter(claim.lane, outcome, settings.DELIVERY_SLOW_MS);
    const ending = endingBy(claim, outcome, settlement, settings);
    if (ending) {
      // Its slot stays taken until all processes know that the subscription has ended.
      settlement.response = await responseOf(outcome);
      await retryUntilSuccess('the database to settle an attempt', () => settleEnding(this.deps, claim, settlement, ending), {
        log,
        forMs: settlePatienceMs,
      }).finally(() => this.endSlot(slot, claim.lane, after));
    } else {
      // The slot limits the load on the subscriber. Settling does not add to that load and has its own limit.
      this.endSlot(slot, claim.lane, after);
      if (after !== claim.lane) this.moveToLane(claim.subscription_id, after);
      const failed = settlement.state !== 'succeeded';
      if (isWorthRecording(claim, failed)) this.settling.noteTurn(claim.subscription_id, { failed });
      if (failed) settlement.response = await responseOf(outcome);
      await this.settle(settlement);
    }

    metrics.attempts.inc({ outcome: outcomeLabel(outcome) });
    log.info(logFields(claim, settlement, outcome), 'attempt');
  }

  private async settle(settlement: Settlement): Promise<void> {
    const settled = this.settling.settle(settlement);
    const { stalled } = this;
    await settled;
    // A look must schedule this delivery's next attempt. One is also needed if looks claimed nothing while stalled.
    if ('pauseMs' in settlement || stalled) this.nextLook.soon();
  }

  /** Gives the attempt back after a fault on our side, so that it does not count against the delivery. */
  private async releaseAfter(error: unknown, claim: Claim): Promise<void> {
    const settlement = release(claim, this.deps.clock.now());
    await this.settle(settlement);
    const stage = error instanceof OwnFailure ? error.stage : 'prepare';
    this.deps.metrics.attempts.inc({ outcome: `own_${stage}` });
    this.deps.log.error({ err: error, stage, ...logFields(claim, settlement) }, 'attempt failed on our side, nothing was sent');
  }
}

/** What the response said. The outcome is decided by then, and a pause counts from it. */
const responseOf = (outcome: Outcome): Promise<Excerpt | undefined> | undefined => ('response' in outcome ? outcome.response : undefined);

// A failure is written when it begins or ends, and hourly while it lasts, so hardly any attempt needs a write.
const isWorthRecording = (claim: Claim, failed: boolean): boolean =>
  failed ? claim.failed_ago_ms === null || claim.failed_ago_ms >= hourMs : claim.failed_ago_ms !== null;
