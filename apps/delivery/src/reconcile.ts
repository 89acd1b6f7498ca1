import { Tallies, type Tally } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { daysBefore } from './log/maintain-log.queries';
import { announcementsOf, eventsNaming, talliedEvents, type KnownAnnouncement } from './reconcile.queries';

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** How much a statement may look up, so that it ends in time on a busy machine, too. */
const [minutesAtOnce, eventsAtOnce, namedAtOnce] = [200, 5_000, 500];

/**
 * Tells of a part of the planned events, in the order of their ids, how many announcements of submissions are among them, in a few bytes for each minute.
 * @param limit how many may be read, and up to a statement's worth more
 * @returns after which one the next part begins; null if this was the last
 */
export async function tallyPlanned(
  db: Database,
  { after, before, limit }: { after: string; before: Date; limit: number },
): Promise<{ read: number; last: string | null; tallies: Tally[] }> {
  const tallies = new Tallies();
  let [read, last] = [0, after as string | null];
  while (last !== null && read < limit) {
    const slice = await talliedEvents(db, { after: last, before });
    read += slice.read;
    last = slice.last;
    tallies.add(slice.tallies);
  }
  return { read, last, tallies: tallies.list() };
}

/** A submission whose event this service has confirmed, as `submissions` says. */
export interface Announced {
  id: string;
  form_id: string;
  /** When it was announced, which is the time of its event, to the millisecond. */
  at: Date;
}

export interface Unplanned extends Announced {
  /** False if an event of the same form and millisecond may be its own: without a delivery, an event does not name its submission. */
  certain: boolean;
}

/**
 * The submissions of which no event was planned. A delivery names its submission. Events without a delivery are known by form and time alone, so they are
 * counted: if there are as many as submissions that no delivery names, none is missing.
 * @returns also from when on the log has all events; earlier submissions are not looked up
 */
export async function unplannedAmong(
  { db, clock }: { db: Database; clock: Clock },
  announced: readonly Announced[],
): Promise<{ from: Date; missing: Unplanned[] }> {
  const from = await beginOfLog({ db, clock });
  const wanted = announced.filter(({ at }) => at >= from);
  const events = await eventsOfTheMinutes(db, wanted);
  const named = new Set<string>();
  for (let at = 0; at < wanted.length; at += namedAtOnce)
    for (const { submission_id, event_id } of await eventsNaming(db, wanted.slice(at, at + namedAtOnce))) {
      // Deliveries of other events about it tell nothing.
      if (!events.delete(event_id)) continue;
      named.add(submission_id);
    }
  const anonymous = countBy([...events.values()].map(({ form_id, occurred_at }) => placeOf(form_id, occurred_at)));
  const missing = [...groupBy(wanted.filter(({ id }) => !named.has(id)))].flatMap(([place, submissions]) => {
    const count = anonymous.get(place) ?? 0;
    return submissions.slice(count).map((submission) => ({ ...submission, certain: count === 0 }));
  });
  return { from, missing };
}

/** The announcements of the minutes in which these were made. */
async function eventsOfTheMinutes(db: Database, announced: readonly Announced[]): Promise<Map<string, KnownAnnouncement>> {
  const minutes = new Map<number, number>();
  for (const { at } of announced) {
    const minute = at.getTime() - (at.getTime() % minuteMs);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  const events = new Map<string, KnownAnnouncement>();
  const read = async (some: readonly number[]) => {
    const found =
      some.length === 0
        ? []
        : await announcementsOf(
            db,
            some.map((ms) => new Date(ms)),
          );
    for (const event of found) events.set(event.id, event);
  };
  let [next, expected] = [[] as number[], 0];
  for (const [minute, count] of minutes) {
    // Many minutes in which little happened, or one in which much did.
    if (next.length === minutesAtOnce || expected + count > eventsAtOnce) {
      await read(next);
      [next, expected] = [[], 0];
    }
    next.push(minute);
    expected += count;
  }
  await read(next);
  return events;
}

/**
 * The first moment from which on no day of the log is lacking. Days are dropped out of order if the deliveries of one are still to be sent, and after a
 * restore days may never have been made. The oldest day does not count, because it may be dropped while this is asked.
 */
export async function beginOfLog({ db, clock }: { db: Database; clock: Clock }): Promise<Date> {
  const now = clock.now().getTime();
  const today = now - (now % dayMs);
  const kept = new Set((await daysBefore(db, 'event', new Date(today + dayMs))).map((day) => Date.parse(day)));
  let begin = today;
  while (kept.has(begin - dayMs)) begin -= dayMs;
  return new Date(begin + dayMs > today ? begin : begin + dayMs);
}

const placeOf = (formId: string, at: Date): string => `${formId} ${at.getTime()}`;

function groupBy(submissions: readonly Announced[]): Map<string, Announced[]> {
  const groups = new Map<string, Announced[]>();
  for (const submission of submissions) {
    const place = placeOf(submission.form_id, submission.at);
    const group = groups.get(place);
    if (group) group.push(submission);
    else groups.set(place, [submission]);
  }
  return groups;
}

function countBy(places: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  return counts;
}
