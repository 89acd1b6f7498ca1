import type { Deps } from '../deps';
import { upsertCopies } from '../subscriptions/subscriptions.queries';
import { bringTurnsForward } from '../subscriptions/turns.queries';
import * as queries from './passed-over.queries';
import { copyOf } from './store-planned';

const topicsAtOnce = 100;
const deliveriesAtOnce = 1_000;

/**
 * Brings back deliveries that a process of an earlier version has skipped, because it does not know the options of their webhook and took it for switched
 * off (decision 0055). A delivery is taken off the list, made pending and queued in one transaction, so it is brought back once, whichever process dies
 * and however many do this; it keeps its id, and its three attempts have not begun. One that somebody has sent meanwhile, or whose webhook is off now,
 * is left as it is. It runs all the time, because the last process of the earlier version ends after the first one of this version has started.
 * @returns how many were brought back
 */
export async function bringBackPassedOver(deps: Pick<Deps, 'db' | 'clock' | 'hooks' | 'ownCall'>): Promise<number> {
  const { db, clock } = deps;
  if (!(await queries.areAny(db))) return 0;
  // Without this, the options would be known only once the next event has been planned.
  const topics = await queries.unknownTopics(db, topicsAtOnce);
  if (topics.length > 0) {
    const { listeners } = await deps.hooks.listListeners(deps.ownCall(), { topics });
    if (listeners.length > 0) await upsertCopies(db, listeners.map(copyOf));
  }
  let total = 0;
  for (let judged = deliveriesAtOnce; judged === deliveriesAtOnce;) {
    const brought = await db.transaction(async (trx) => {
      const found = await queries.lockJudgeable(trx, deliveriesAtOnce);
      judged = found.length;
      if (judged === 0) return 0;
      const subscriptions = await queries.lockOn(
        trx,
        found.map(({ subscription_id: id }) => id),
      );
      // First, because turns are always locked before counters.
      await bringTurnsForward(
        trx,
        clock,
        subscriptions.map((id) => ({ id, inMs: 0 })),
      );
      return (await queries.bringBack(trx, clock, { deliveries: found.map(({ delivery_id: id }) => id), subscriptions })).length;
    });
    total += brought;
  }
  return total;
}
