import type { Deps } from '../deps';
import * as queries from './endings.queries';
import { bringTurnsForward } from './turns.queries';

const endingsPerRun = 100;

/**
 * Cancels the remaining deliveries of subscriptions that ended with a large backlog, a limited number in each transaction so that nobody
 * waits for it. Claims skip these deliveries as soon as the subscription has ended. Several processes may run this at once, and if one
 * dies, the others finish the rest.
 * @returns how many deliveries were cancelled.
 */
export async function cancelEnded({ db, clock }: Pick<Deps, 'db' | 'clock'>, stopping?: AbortSignal): Promise<number> {
  let total = 0;
  for (const ending of await queries.openEndings(db, endingsPerRun)) {
    for (let cancelled = queries.cancelBatchSize; cancelled === queries.cancelBatchSize; total += cancelled) {
      if (stopping?.aborted) return total;
      cancelled = await queries.cancelNext(db, clock, ending);
    }
    await db.transaction(async (trx) => {
      // First, because turns are always locked before endings. The subscription may be active again and was skipped until now.
      await bringTurnsForward(trx, clock, [{ id: ending.subscription_id, inMs: 0 }]);
      await queries.finishEnding(trx, ending);
    });
  }
  return total;
}
