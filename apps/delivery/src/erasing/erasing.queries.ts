import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** A submission or a form that is gone for good. */
export interface Noted {
  /** The submission, or the form. */
  target_id: string;
  erasure_id: string;
  instance_id: string;
  form_id: string;
  whole_form: boolean;
  /** When the event with the answers was recorded; null if there was none, and for a form. */
  announced_at: Date | null;
  noted_at: Date;
}

export type Step = 'log' | 'first_look' | 'second_look' | 'done';

export interface Erased extends Noted {
  step: Step;
  /** Of a form: up to where its log is clean. */
  clean_to: Date | null;
}

export async function note(db: Database, rows: readonly Noted[]): Promise<void> {
  if (rows.length === 0) return;
  await db('erased')
    .insert(rows.map((row) => ({ ...row, step: 'log', due_at: row.noted_at })))
    .onConflict('target_id')
    .ignore();
}

/** The ids among these that are erased submissions. */
export async function erasedAmong(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf<{ target_id: string }>(db, 'select target_id from erased where target_id = any(cast(? as uuid[]))', [[...ids]]);
  return new Set(rows.map(({ target_id: id }) => id));
}

/** Whether a step of any is due. */
export const isAnyDue = async (db: Database, now: Date): Promise<boolean> =>
  (await rowsOf(db, `select from erased where step <> 'done' and due_at <= ? limit 1`, [now])).length > 0;

/** Takes what is due in these steps, for a while: no other process does it until then. */
export const take = (
  db: Database,
  { steps, limit, now, until }: { steps: readonly Step[]; limit: number; now: Date; until: Date },
): Promise<Erased[]> =>
  rowsOf<Erased>(
    db,
    `update erased set due_at = :until
      where target_id = any(array(
        select target_id from erased where step = any(cast(:steps as text[])) and step <> 'done' and due_at <= :now
         order by due_at limit :limit for update skip locked))
     returning *`,
    { steps: [...steps], limit, now, until },
  );

/** Ends a step. */
export const advance = (
  db: Database,
  ids: readonly string[],
  { from, to, dueAt }: { from: Step; to: Step; dueAt: Date },
): Promise<unknown> =>
  rowsOf(db, 'update erased set step = :to, due_at = :dueAt where target_id = any(cast(:ids as uuid[])) and step = :from', {
    ids: [...ids],
    from,
    to,
    dueAt,
  });

/** Notes up to where the log of a form is clean. */
export const cleanedTo = (db: Database, formId: string, at: Date): Promise<unknown> =>
  db('erased').where({ target_id: formId }).update({ clean_to: at });

/**
 * The erasures of these targets that are complete. It locks all of their targets, so that of two processes that end the last steps of one
 * erasure, the second one sees it complete.
 */
export const complete = (trx: Transaction, ids: readonly string[]): Promise<CompleteErasure[]> =>
  rowsOf<CompleteErasure>(
    trx,
    `with erasures as (
       select distinct erasure_id from erased where target_id = any(cast(? as uuid[]))
     ), locked as materialized (
       select e.* from erased e join erasures using (erasure_id) order by e.target_id for update of e
     )
     select erasure_id as id, min(instance_id::text) as instance_id, min(form_id::text) as form_id, sum(events)::integer as events
       from locked group by erasure_id having bool_and(step = 'done')`,
    [[...ids]],
  );

export interface CompleteErasure {
  id: string;
  instance_id: string;
  form_id: string;
  events: number;
}

/** Events of a form between two ids, the second one not included, and the submission that they are about, if of one. */
export interface EventRange {
  formId: string;
  submissionId?: string;
  first: string;
  end: string;
}

/**
 * Erases the bodies of events with answers, and cancels what is still to be sent of them, or could be. An attempt that is in flight ends as it would.
 * @returns how many events had a body
 */
export async function eraseBodies(trx: Transaction, clock: Clock, target: string, range: EventRange): Promise<number> {
  const { formId, submissionId, first, end } = range;
  // The source writes this part itself, after the answers; within a string of the answers the quotes would have backslashes.
  const about = submissionId === undefined ? '' : `"submission":{"id":"${submissionId}"`;
  const erased = await rowsOf<{ id: string }>(
    trx,
    `update event set body = '' where id >= :first and id < :end and form_id = :formId and type = 'submission.created' and body <> ''
        and position(:about in body) > 0 returning id`,
    { formId, first, end, about },
  );
  if (erased.length === 0) return 0;
  const ids = erased.map(({ id }) => id);
  await rowsOf(
    trx,
    `with waiting as materialized (
       -- A delivery is planned after its event, so older days of the log need not be looked at.
       select d.id from delivery d where d.event_id = any(cast(:ids as uuid[])) and d.id >= :first and d.state = 'pending'
     ),
     locked as materialized (
       select q.delivery_id from queue q where q.delivery_id = any(array(select id from waiting)) order by q.delivery_id for update
     ),
     ended as (
       delete from queue q where q.delivery_id = any(array(select delivery_id from locked)) returning q.delivery_id, q.attempts
     )
     update delivery d set state = 'cancelled', reason = 'erased', attempts = ended.attempts, settled_at = ${databaseTime()}
       from ended where d.id = ended.delivery_id and d.id >= :first`,
    { ids, first, moment: momentOf(clock) },
  );
  // They could be sent once their subscription is switched on again.
  await rowsOf(
    trx,
    `update delivery d set state = 'cancelled', reason = 'erased', settled_at = ${databaseTime()}
      where d.event_id = any(cast(:ids as uuid[])) and d.id >= :first and d.state = 'skipped'`,
    { ids, first, moment: momentOf(clock) },
  );
  await rowsOf(trx, 'update erased set events = events + :count where target_id = :target', { target, count: ids.length });
  return ids.length;
}

/** The deliveries that are about a submission. */
export async function deliveriesAbout(db: Database, submissionId: string): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(db, 'select id from delivery where submission_id = ?', [submissionId]);
  return rows.map(({ id }) => id);
}

// Attempts in flight have an error too, so that these statements wait for those that are being settled. An attempt that is settled later
// finds the erasure noted, and leaves the response out.
const erased = 'update attempt set response = null where (error is not null or response is not null)';

/**
 * Erases the responses to batches that had these deliveries: another delivery of the batch may keep them. It comes after the statement above, which waited
 * for the settlements, and so sees which delivery that is.
 */
const erasedOfBatches = (about: string) => `
  with batch as materialized (
    select told_by, batch_id from attempt where told_by is not null and ${about}
  )
  update attempt set response = null
   where response is not null and delivery_id = any(array(select told_by from batch)) and batch_id = any(array(select batch_id from batch))`;

/** Erases what subscribers said to these deliveries. */
export async function eraseResponses(db: Database, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  const about = 'delivery_id = any(cast(? as uuid[]))';
  await rowsOf(db, `${erased} and ${about}`, [[...deliveryIds]]);
  await rowsOf(db, erasedOfBatches(about), [[...deliveryIds]]);
}

/** Erases what subscribers said to the deliveries of a form between two ids. */
export async function eraseResponsesOfForm(db: Database, { formId, first, end }: EventRange): Promise<void> {
  const about = `delivery_id >= :first and delivery_id < :end
        and delivery_id = any(array(select id from delivery where form_id = :formId and id >= :first and id < :end))`;
  await rowsOf(db, `${erased} and ${about}`, { formId, first, end });
  await rowsOf(db, erasedOfBatches(about), { formId, first, end });
}

/**
 * Erases what is left of erasures since a moment: a process of the version before erases no response to a 2xx, and none that another delivery of a batch
 * keeps, which others may have kept by then. Forms are cleaned from a day before their erasure on, as nothing is older that such a process could have left.
 */
export async function eraseResponsesLeft(db: Database, since: Date): Promise<void> {
  const about = `delivery_id >= first_id(cast(:since as timestamptz) - interval '1 day') and delivery_id = any(array(
        select d.id from erased e join delivery d on d.submission_id = e.target_id where e.step = 'done' and e.noted_at >= :since and not e.whole_form
        union all
        select d.id from erased e join delivery d on d.form_id = e.target_id and d.id >= first_id(e.noted_at - interval '1 day')
         where e.step = 'done' and e.noted_at >= :since and e.whole_form))`;
  await rowsOf(db, `update attempt set response = null where response is not null and ${about}`, { since });
  await rowsOf(db, erasedOfBatches(about), { since });
}

/** Forgets erasures that nothing can bring back any more. */
export const forget = (db: Database, before: Date): Promise<unknown> =>
  rowsOf(db, `delete from erased where step = 'done' and noted_at < ?`, [before]);
