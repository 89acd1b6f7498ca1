import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { daysBefore } from './log/maintain-log.queries';
import { announcementsOf, eventsNaming } from './reconcile.queries';

const dayMs = 86_400_000;
const minuteMs = 60_000;

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
  const from = await beginOfLog(db, clock.now());
  const wanted = announced.filter(({ at }) => at >= from);
  const minutes = [...new Set(wanted.map(({ at }) => at.getTime() - (at.getTime() % minuteMs)))].map((ms) => new Date(ms));
  const events = new Map((await announcementsOf(db, minutes)).map((event) => [event.id, event]));
  const named = new Set<string>();
  for (const { submission_id, event_id } of await eventsNaming(db, wanted)) {
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

/**
 * The first moment from which on no day of the log is lacking. Days are dropped out of order if the deliveries of one are still to be sent, and after a
 * restore days may never have been made. The oldest day does not count, because it may be dropped while this is asked.
 */
async function beginOfLog(db: Database, now: Date): Promise<Date> {
  const today = now.getTime() - (now.getTime() % dayMs);
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
