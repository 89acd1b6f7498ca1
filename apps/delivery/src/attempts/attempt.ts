import { OwnFailure, type Outcome } from '@sheaf/egress';
import { withPatience } from '@sheaf/runtime';
import { LRUCache } from 'lru-cache';
import { lineOf, nameOf } from './attempt-line';
import { beginSpan, endingWith } from './attempt-span';
import * as queries from './attempt.queries';
import type { Claim, Found, Settlement } from './attempt.queries';
import { Budgets } from './budgets';
import type { Deps } from '../deps';
import { laneAfter, lanes, Slots, type Lane, type Slot } from './lanes';
import type { MadeDelivery } from '../planning/plan.queries';
import { endingBy, settleEnding } from '../planning/end-subscription';
import { headersOf, send } from './send';
import { judge, release } from './retry';
import { Settling, settlePatienceMs } from './settling';

// Between the last moment of a POST and the moment from which its attempt counts as lost: time to settle it with a slow database.
const settleSlackMs = 5_000;
// Slots that become free within this time are filled together.
const gatherMs = 5;
// Turns that came up for nothing must not keep the slots empty, and not us from anything else.
const mostLooks = 10;
// How soon to look again at what is due and could not be had: somebody held it, or there was no room.
const soonMs = 50;
// How often to look for attempts that were lost.
const sweepMs = 1_000;
const hourMs = 3_600_000;

/** How long an attempt is ours after it was claimed. */
export const leaseMs = (settings: { DELIVERY_TIMEOUT_MS: number }): number => settings.DELIVERY_TIMEOUT_MS + settleSlackMs;

type Needed = Pick<Deps, 'db' | 'outbox' | 'clock' | 'log' | 'tracer' | 'metrics' | 'egress' | 'webhookKeys' | 'settings'>;

/** Slots that are kept for first attempts. */
export interface Reserved {
  rooms: { id: string; lane: Lane; room: number }[];
  /**
   * Begins the claims and gives back the other slots.
   * @param made what was planned: in which lane its subscription waits in truth, and whether it waits there.
   */
  begin(claims: readonly Claim[], made: readonly Pick<MadeDelivery, 'subscription_id' | 'lane' | 'begun' | 'held'>[]): void;
  /** Gives all slots back that have no attempt. */
  end(): void;
}

/**
 * The attempts that this process makes.
 * 1. A look (`runDue`) claims what is due, as much as there are slots for; or planning has slots reserved for first attempts, and claims them.
 * 2. Each claim begins in its slot: the headers are made and the POST is sent (`attempt`).
 * 3. Its outcome decides the lane, and whether the slot is free at once or only when the subscription is ended everywhere.
 * 4. It is settled together with others (`Settling`); a failure of ours gives the attempt back.
 * 5. A slot that becomes free calls for the next look, where something waits in its lane.
 */
export class Attempts {
  /** In which lane a subscription waited when we last heard of it. */
  private readonly lanes = new LRUCache<string, Lane>({ max: 100_000 });
  private readonly slots: Slots;
  private readonly settling: Settling;
  private readonly budgets: Budgets;
  private readonly underWay = new Set<Promise<void>>();
  private gathering: NodeJS.Timeout | undefined;
  private sweptAt = -Infinity;
  /** The lanes in which something was due at the last look, so that a slot there is worth another one. */
  private waiting: readonly Lane[] = lanes;
  /** And those in which something was planned since it began, which it may not have seen. */
  private readonly planned = new Set<Lane>();
  private freedSlots = 0;
  private onFree: () => void = () => undefined;

  constructor(private readonly deps: Needed) {
    this.slots = new Slots(deps.settings);
    this.settling = new Settling(deps);
    this.budgets = new Budgets({ clock: deps.clock, perMinute: deps.settings.DELIVERY_PER_INSTANCE_PER_MINUTE });
  }

  /**
   * Begins what is due, as far as there are free slots, and does not wait for it to end.
   * @returns how many attempts were begun, and how soon the next one falls due. `onFree` is called when another look is worth while before.
   */
  async runDue(onFree: () => void = () => undefined): Promise<{ begun: number; nextInMs: number | undefined }> {
    const { db, clock, log } = this.deps;
    this.onFree = onFree;
    const freedBefore = this.freedSlots;
    const running = performance.now();
    if (running - this.sweptAt >= sweepMs) {
      this.sweptAt = running;
      const lost = await queries.failLost(db, clock);
      if (lost.length > 0) log.warn({ deliveryIds: lost }, 'the last attempt was interrupted: deliveries failed');
    }

    let begun = 0;
    let found: Found;
    let looks = 0;
    do {
      found = await this.lookForDue();
      begun += found.claims.length;
      looks += 1;
    } while (found.claims.length < found.turns.length && looks < mostLooks && !this.stalled);
    this.waiting = found.waiting;
    // What became free while we looked was not seen by the look.
    if (this.freedSlots > freedBefore) this.freed(...lanes);
    return { begun, nextInMs: found.nextInMs === 0 ? soonMs : found.nextInMs };
  }

  /**
   * Slots for first attempts of deliveries that are being planned, as far as there are. `rooms` says in which lane each subscription has to
   * wait for that: as far as we remember, and if it does not, nothing of it begins.
   * @param deliveries the subscription of each, and its instance.
   */
  async reserve(deliveries: readonly { subscription_id: string; instance_id: string }[]): Promise<Reserved> {
    const spent = new Set(this.budgets.spent());
    const within = deliveries.filter(({ instance_id }) => !spent.has(instance_id));
    const wanted = within.map(({ subscription_id: id }) => ({ id, lane: this.lanes.get(id) ?? 'quick' }));
    // Most often it takes all there is, and nothing is left to be behind of; else deliveries that come faster than looks are over would
    // never get out of the queue again.
    const look = this.slots.afterLook(wanted.map(({ lane }) => lane));
    if (look) await look;
    const slots = new Map<string, { lane: Lane; slots: Slot[] }>();
    for (const { id, lane } of this.stalled ? [] : wanted) {
      const slot = this.slots.take(id, lane);
      const before = slots.get(id);
      if (slot && before) before.slots.push(slot);
      else if (slot) slots.set(id, { lane, slots: [slot] });
    }
    const end = () => {
      for (const { lane, slots: kept } of slots.values()) {
        const unused = kept.splice(0);
        for (const slot of unused) slot.end(lane);
        // A look meanwhile may have passed the subscription over.
        if (unused.length > 0) this.freed(lane);
      }
    };
    return {
      rooms: [...slots].map(
        ([
          id,
          {
            lane,
            slots: { length },
          },
        ]) => ({ id, lane, room: length }),
      ),
      begin: (claims, made) => {
        for (const claim of claims) {
          const slot = slots.get(claim.subscription_id)?.slots.shift();
          if (slot) this.begin(claim, slot);
        }
        // A slot that was taken in the wrong lane would count as an attempt to a subscription that may have one.
        end();
        let canBegin = false;
        for (const { subscription_id: id, lane, begun, held } of made) {
          if (lane) this.lanes.set(id, lane);
          if (begun) continue;
          this.slots.waits(id);
          this.planned.add(lane ?? 'unproven');
          canBegin ||= !held && this.slots.hasRoom(id, lane ?? 'unproven');
        }
        // A look for what has no room would be in vain, and planning would have to wait for it: it comes when a slot is free.
        if (canBegin) this.onFree();
      },
      end,
    };
  }

  /** Begins an attempt that is claimed, in its slot, and does not wait for it to end. */
  private begin(claim: Claim, slot: Slot): void {
    const { log } = this.deps;
    this.budgets.spend(claim.instance_id);
    this.tellSlots();
    const work = this.attempt(claim, slot)
      // Whatever it was, the claim makes sure that the delivery falls due again.
      .catch((error: unknown) => log.error({ err: error, deliveryId: claim.id, attempt: claim.number }, 'an attempt could not be settled'))
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    await this.settling.idle();
    clearTimeout(this.gathering);
  }

  /** Whether so much waits to be settled that no more may begin: a database that claims and does not settle would let it grow for ever. */
  private get stalled(): boolean {
    return this.settling.size >= this.deps.settings.DELIVERY_CONCURRENCY;
  }

  private async lookForDue(): Promise<Found> {
    const { db, clock, metrics, settings } = this.deps;
    const look = this.slots.look(this.stalled ? 0 : Infinity);
    this.planned.clear();
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

  private moveTo(subscriptionId: string, lane: Lane): void {
    this.lanes.set(subscriptionId, lane);
    this.settling.note(subscriptionId, { lane });
  }

  private endSlot(slot: Slot, lane: Lane, after: Lane): void {
    slot.end(after);
    this.tellSlots();
    this.freed(lane, after);
  }

  /** There is room in these lanes: worth a look if something waits for it. */
  private freed(...these: readonly Lane[]): void {
    this.freedSlots += 1;
    if (these.some((lane) => this.waiting.includes(lane) || this.planned.has(lane))) this.lookSoon();
  }

  private lookSoon(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.onFree();
    }, gatherMs);
  }

  private tellSlots(): void {
    for (const lane of lanes) this.deps.metrics.inFlight.set({ lane }, this.slots.inLane(lane));
  }

  /** One attempt that is claimed already: POST, then settle. */
  private async attempt(claimed: Claim, slot: Slot): Promise<void> {
    const { clock, metrics, settings, log, tracer } = this.deps;
    const span = tracer && beginSpan(tracer, claimed);
    const claim = span ? { ...claimed, traceparent: span.trace } : claimed;
    const startedAt = clock.now();
    if (claim.number === 1) metrics.toFirstPost.observe(Math.max(0, startedAt.getTime() - claim.occurred_at.getTime()) / 1_000);

    // Every process is to know of one that hangs before its time is over.
    const late = setTimeout(() => {
      slot.hangs();
      this.freed(claim.lane);
      this.moveTo(claim.subscription_id, 'slow');
    }, settings.DELIVERY_SLOW_MS);
    let headers: Record<string, string>;
    let outcome: Outcome;
    try {
      headers = await headersOf(this.deps, claim, startedAt);
      outcome = await endingWith(span, send(this.deps, claim, headers)).finally(() => clearTimeout(late));
    } catch (error) {
      clearTimeout(late);
      this.endSlot(slot, claim.lane, claim.lane);
      await this.releaseAfter(error, claim);
      return;
    }

    const settlement = judge(claim, outcome, settings.RETRY_DELAYS_MS, clock.now());
    settlement.headers = headers;
    const after = laneAfter(claim.lane, outcome, settings.DELIVERY_SLOW_MS);
    const ending = endingBy(claim, outcome, settlement, settings);
    if (ending) {
      // Its slots stay taken until it is known everywhere that it wants no more.
      await withPatience('the database to settle an attempt', () => settleEnding(this.deps, claim, settlement, ending), {
        log,
        forMs: settlePatienceMs,
      }).finally(() => this.endSlot(slot, claim.lane, after));
    } else {
      // The slot bounds what the subscriber has to bear. That we settle is none of its business, and has a bound of its own.
      this.endSlot(slot, claim.lane, after);
      if (after !== claim.lane) this.moveTo(claim.subscription_id, after);
      const failed = settlement.state !== 'succeeded';
      if (isNews(claim, failed)) this.settling.note(claim.subscription_id, { failed });
      await this.settle(settlement);
    }

    metrics.attempts.inc({ outcome: nameOf(outcome) });
    log.info(lineOf(claim, settlement, outcome), 'attempt');
  }

  private async settle(settlement: Settlement): Promise<void> {
    const settled = this.settling.settle(settlement);
    const { stalled } = this;
    await settled;
    // Somebody has to look when this one falls due again; and so if there was no room to look for anything.
    if ('pauseMs' in settlement || stalled) this.lookSoon();
  }

  /** A failure of ours: the subscriber's attempts do not pay for it. */
  private async releaseAfter(error: unknown, claim: Claim): Promise<void> {
    const settlement = release(claim, this.deps.clock.now());
    await this.settle(settlement);
    const stage = error instanceof OwnFailure ? error.stage : 'prepare';
    this.deps.metrics.attempts.inc({ outcome: `own_${stage}` });
    this.deps.log.error({ err: error, stage, ...lineOf(claim, settlement) }, 'nothing was sent, through a failure of ours');
  }
}

// It is written when it changes, and once an hour while it lasts: hardly any attempt has to.
const isNews = (claim: Claim, failed: boolean): boolean =>
  failed ? claim.failed_ago_ms === null || claim.failed_ago_ms >= hourMs : claim.failed_ago_ms !== null;
