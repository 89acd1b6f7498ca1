import type { AttemptError } from '@sheaf/contracts';
import { databaseTime, momentOf, rowsOf, type Database } from '@sheaf/postgres';
import type { Clock } from '@sheaf/kernel';
import { interrupted } from '../attempts/claims.queries';

export interface LoggedAttemptRow {
  delivery_id: string;
  number: number;
  event: string;
  form_id: string;
  subscription_id: string;
  /** The address of the POST. */
  url: string;
  /** Whether the subscription listens to more than this form. */
  wide: boolean;
  submission_id: string | null;
  started_at: Date;
  in_progress: boolean;
  duration_ms: number | null;
  status: number | null;
  error: AttemptError | null;
  code: string | null;
  batch_id: string | null;
}

/** The place of an attempt in the order of their starts. */
export interface AttemptPlace {
  at: Date;
  deliveryId: string;
  number: number;
}

/** Before all attempts of a millisecond. */
export const beginning: Omit<AttemptPlace, 'at'> = { deliveryId: '00000000-0000-0000-0000-000000000000', number: 0 };

/** The time by the clock of the database, which attempts start by. */
export async function attemptTime(db: Database, clock: Clock): Promise<Date> {
  const [row] = await rowsOf<{ now: Date }>(db, `select ${databaseTime('?')} as now`, [momentOf(clock)]);
  return row?.now ?? clock.now();
}

/**
 * The attempts after a place and before a time that are of the form and the subscription, if they are named, among at most `most`, in the order of their
 * starts. `last` is the place to read on from, unless there are no more.
 */
export async function attemptsAfter(
  db: Database,
  clock: Clock,
  { formId, subscriptionId }: { formId: string | undefined; subscriptionId: string | undefined },
  { after, before }: { after: AttemptPlace; before: Date },
  { most, leaseMs }: { most: number; leaseMs: number },
): Promise<{ rows: LoggedAttemptRow[]; last: AttemptPlace | undefined }> {
  // To the millisecond, which is what a place has.
  const start = `date_trunc('milliseconds', started_at)`;
  const [where, values] = [
    [formId, 'd.form_id = ?'],
    [subscriptionId, 'd.subscription_id = ?'],
  ].reduce<[string, string[]]>(
    ([sql, bound], [value, condition]) => (value === undefined ? [sql, bound] : [`${sql} and ${condition ?? ''}`, [...bound, value]]),
    ['true', []],
  );
  const read = await rowsOf<LoggedAttemptRow & { matches: boolean }>(
    db,
    `select a.delivery_id, a.number, e.type as event, d.form_id, d.subscription_id, coalesce(a.url, s.url) as url, s.form_id is null as wide, d.submission_id,
            a.started_at, a.in_progress, a.duration_ms, a.status, case when not a.in_progress then a.error end as error, a.code, a.batch_id,
            e.id is not null and s.id is not null and ${where} as matches
       from (select delivery_id, number, ${start} as started_at, duration_ms, status, error, code, url, batch_id,
                    error is not distinct from ? and started_at > ${databaseTime('?')} - cast(? as int) * interval '1 millisecond' as in_progress
               from attempt
              where started_at >= ? and started_at < ? and (${start}, delivery_id, number) > (cast(? as timestamptz), cast(? as uuid), cast(? as int))
              order by ${start}, delivery_id, number limit ?) as a
       left join delivery d on d.id = a.delivery_id left join event e on e.id = d.event_id left join subscription s on s.id = d.subscription_id
      order by a.started_at, a.delivery_id, a.number`,
    [...values, interrupted, momentOf(clock), leaseMs, after.at, before, after.at, after.deliveryId, after.number, most],
  );
  // Counted with those that have lost their delivery, event or subscription, which are not shown: they are no sign that nothing follows.
  const last = read.length < most ? undefined : read.at(-1);
  // Readers see the place, and the last attempt may be of another form: its millisecond is read again as a whole, unless nothing else was read.
  const whole = last === undefined ? [] : read.filter(({ started_at: at }) => at < last.started_at);
  const place = last && (whole.length > 0 ? { ...beginning, at: last.started_at } : placeOfAttempt(last));
  return {
    rows: (whole.length > 0 ? whole : read).flatMap(({ matches, ...row }) => (matches ? [row] : [])),
    last: place,
  };
}

export const placeOfAttempt = ({ started_at: at, delivery_id: deliveryId, number }: LoggedAttemptRow): AttemptPlace => ({
  at,
  deliveryId,
  number,
});
