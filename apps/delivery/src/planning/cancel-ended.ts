import { callUp } from '../attempts/attempt.queries';
import type { Deps } from '../deps';
import * as queries from './endings.queries';

const endingsAtOnce = 100;

/**
 * Cancels what subscriptions left behind that ended with a large backlog: a bounded number of deliveries in each transaction, so that nobody waits
 * for it. Claims pass these deliveries over from the moment at which the subscription ended. Several processes may do it at once, and one that
 * dies leaves the rest to the others.
 * @returns how many deliveries were cancelled.
 */
export async function cancelEnded({ db, clock }: Pick<Deps, 'db' | 'clock'>, stopping?: AbortSignal): Promise<number> {
  let total = 0;
  for (const ending of await queries.endingsLeft(db, endingsAtOnce)) {
    for (let cancelled = queries.cancelledAtOnce; cancelled === queries.cancelledAtOnce; total += cancelled) {
      if (stopping?.aborted) return total;
      cancelled = await queries.cancelNext(db, clock, ending);
    }
    await db.transaction(async (trx) => {
      // First, as everybody locks turns before endings. It may be active again, and was passed over until now.
      await callUp(trx, clock, [{ id: ending.subscription_id, inMs: 0 }]);
      await queries.finishEnding(trx, ending);
    });
  }
  return total;
}
