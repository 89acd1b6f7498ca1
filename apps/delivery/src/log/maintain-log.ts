import type { Deps } from '../deps';
import { eraseResponsesLeft, forget } from '../erasing/erasing.queries';
import * as queries from './maintain-log.queries';

const dayMs = 24 * 60 * 60 * 1_000;
// If this task stops running, planning can continue for this long.
const daysAhead = 14;

type MaintenanceDeps = Pick<Deps, 'db' | 'clock' | 'log'> & { settings: Pick<Deps['settings'], 'DELIVERY_LOG_DAYS'> };

/**
 * Creates the log's partitions for the coming days and drops expired ones. It drops whole tables, because deleting rows would cost as much
 * again as writing them. A day stays until all of its deliveries are settled. Several processes may run this at once.
 * @returns the days that were dropped.
 */
export async function maintainLog({ db, clock, log, settings }: MaintenanceDeps): Promise<string[]> {
  const now = clock.now();
  const horizon = new Date(now.getTime() - settings.DELIVERY_LOG_DAYS * dayMs);
  await queries.makeDays(db, now, new Date(now.getTime() + daysAhead * dayMs));

  const dropped: string[] = [];
  for (const day of await queries.daysBefore(db, 'delivery', horizon)) {
    if (await queries.detachDeliveries(db, day)) {
      await queries.dropDeliveries(db, day);
      dropped.push(day);
    } else {
      log.warn({ day }, 'kept an expired day of the log, which has pending deliveries');
    }
  }
  for (const day of await queries.daysBefore(db, 'event', horizon)) await queries.dropEvents(db, day);
  await queries.deleteOtherEvents(db, horizon);
  await eraseResponsesLeft(db, new Date(now.getTime() - dayMs));
  await forget(db, horizon);
  return dropped;
}
