import type { Deps } from '../deps';
import * as queries from './keep-log.queries';

const dayMs = 24 * 60 * 60 * 1_000;
// So long nobody has to look after the log before planning stands still.
const daysAhead = 14;

type Needed = Pick<Deps, 'db' | 'clock' | 'log'> & { settings: Pick<Deps['settings'], 'DELIVERY_LOG_DAYS'> };

/**
 * Makes the days of the log that are to come and drops those that are over: whole tables, as deleting rows would cost as much again as
 * writing them. A day of which something is still to be sent stays until it is settled. Several processes may do it at once.
 * @returns the days that were dropped.
 */
export async function keepLog({ db, clock, log, settings }: Needed): Promise<string[]> {
  const now = clock.now();
  const horizon = new Date(now.getTime() - settings.DELIVERY_LOG_DAYS * dayMs);
  await queries.makeDays(db, now, new Date(now.getTime() + daysAhead * dayMs));

  const dropped: string[] = [];
  for (const day of await queries.daysBefore(db, 'delivery', horizon)) {
    if (await queries.detachDeliveries(db, day)) {
      await queries.dropDeliveries(db, day);
      dropped.push(day);
    } else {
      log.warn({ day }, 'a day of the log is over and has deliveries that are still to be sent');
    }
  }
  for (const day of await queries.daysBefore(db, 'event', horizon)) await queries.dropEvents(db, day);
  await queries.deleteOtherEvents(db, horizon);
  return dropped;
}
