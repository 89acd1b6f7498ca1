import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** An event as listeners hear it. */
export interface HeardEvent {
  id: string;
  type: string;
  form_id: string;
  submission_id: string | null;
  occurred_at: Date;
  body: string;
  traceparent: string | null;
}

/** An event that waits for its listener, under an id of its own. */
export type WaitingEvent = Omit<HeardEvent, 'form_id' | 'submission_id'>;

/** The most that may wait for one listener. */
const waitingAtMost = { events: 1_000, bytes: 16 * 1_024 * 1_024 };
/** The most that one answer has, but for a single event that is longer. */
const bytesAtOnce = 1_024 * 1_024;

/** The forms that anybody listens to. */
export async function formsListenedTo(db: Database, clock: Clock): Promise<Set<string>> {
  const rows = await rowsOf<{ form_id: string }>(db, `select distinct form_id from listener where until > ${databaseTime('?')}`, [
    momentOf(clock),
  ]);
  return new Set(rows.map(({ form_id: id }) => id));
}

/** Keeps new events for the listeners of their forms, each once. Those that are planned already happened before, or are heard already. */
export const keepForListeners = (db: Database, clock: Clock, events: readonly HeardEvent[]): Promise<unknown> =>
  rowsOf(
    db,
    `with given as (
       select * from json_to_recordset(cast(:events as json))
         as e (id uuid, type text, form_id uuid, submission_id uuid, occurred_at timestamptz, body text, traceparent text)
     ),
     listening as materialized (
       select l.id, l.form_id, l.events, coalesce(w.events, 0) as waiting, coalesce(w.bytes, 0) as bytes
         from listener l
         left join lateral (select count(*) as events, sum(octet_length(h.body)) as bytes from heard h where h.listener_id = l.id) w on true
        where l.form_id in (select form_id from given) and l.until > ${databaseTime()}
        -- In one order, and none may end meanwhile.
        order by l.id for no key update of l
     ),
     fresh as materialized (
       select l.id as listener_id, g.*,
              l.waiting + row_number() over given_before <= :most and l.bytes + sum(octet_length(g.body)) over given_before <= :bytes as fits
         from given g join listening l on l.form_id = g.form_id and g.type = any(l.events)
        where not exists (select from event e where e.id = g.id)
          and not exists (select from heard h where h.listener_id = l.id and h.event_id = g.id)
       window given_before as (partition by l.id order by g.id)
     ),
     kept as (
       insert into heard (listener_id, event_id, form_id, submission_id, type, occurred_at, body, traceparent)
       select listener_id, id, form_id, submission_id, type, occurred_at, body, traceparent from fresh where fits order by listener_id, id
       on conflict do nothing
     )
     update listener l set missed = l.missed + m.count
       from (select listener_id, count(*) as count from fresh where not fits group by 1) m where l.id = m.listener_id`,
    { events: JSON.stringify(events), most: waitingAtMost.events, bytes: waitingAtMost.bytes, moment: momentOf(clock) },
  );

export interface Listening {
  id: string;
  instanceId: string;
  formId: string;
  /** The person or service account that began it. */
  holder: string;
  events: readonly string[];
}

/**
 * How many listen to a form, and in the whole instance, but for one of them. Others of the instance that begin wait until this transaction ends.
 */
export async function othersListening(
  trx: Transaction,
  clock: Clock,
  { id, instanceId, formId }: Listening,
): Promise<{ to_form: number; in_instance: number }> {
  await rowsOf(trx, `select pg_advisory_xact_lock(hashtext('listener'), hashtext(?))`, [instanceId]);
  const [row] = await rowsOf<{ to_form: number; in_instance: number }>(
    trx,
    `select cast(count(*) filter (where form_id = :formId) as int) as to_form, cast(count(*) as int) as in_instance
       from listener where instance_id = :instanceId and id <> :id and until > ${databaseTime()}`,
    { id, instanceId, formId, moment: momentOf(clock) },
  );
  return row ?? { to_form: 0, in_instance: 0 };
}

/**
 * Renews a listener.
 * @returns how many events it has missed; undefined if it is not there: it has not begun, has not asked for too long, or is somebody else's
 */
export async function renew(
  trx: Transaction,
  clock: Clock,
  { id, instanceId, formId, holder, events }: Listening,
  leaseMs: number,
): Promise<number | undefined> {
  const [row] = await rowsOf<{ missed: number }>(
    trx,
    `update listener set until = ${databaseTime()} + cast(:leaseMs as int) * interval '1 millisecond', events = :events
      where id = :id and instance_id = :instanceId and form_id = :formId and holder = :holder and until > ${databaseTime()}
     returning missed`,
    { id, instanceId, formId, holder, events: [...events], leaseMs, moment: momentOf(clock) },
  );
  return row?.missed;
}

/** Begins a listener. @returns false if the id is taken */
export async function begin(
  trx: Transaction,
  clock: Clock,
  { id, instanceId, formId, holder, events }: Listening,
  leaseMs: number,
): Promise<boolean> {
  const begun = await rowsOf<{ id: string }>(
    trx,
    `insert into listener (id, instance_id, form_id, holder, events, until)
     values (:id, :instanceId, :formId, :holder, :events, ${databaseTime()} + cast(:leaseMs as int) * interval '1 millisecond')
     on conflict (id) do nothing returning id`,
    { id, instanceId, formId, holder, events: [...events], leaseMs, moment: momentOf(clock) },
  );
  return begun.length > 0;
}

/** Removes those that have not asked for too long, and what waits for them. @returns how many */
export async function removeEnded(db: Database | Transaction, clock: Clock): Promise<number> {
  const gone = await rowsOf(db, `delete from listener where until <= ${databaseTime('?')} returning id`, [momentOf(clock)]);
  return gone.length;
}

/** Ends a listener, and what waits for it. */
export const end = (db: Database, { id, instanceId, formId, holder }: Omit<Listening, 'events'>): Promise<unknown> =>
  rowsOf(db, 'delete from listener where id = ? and instance_id = ? and form_id = ? and holder = ?', [id, instanceId, formId, holder]);

/** Forgets events that have arrived, and those that the listener does not want any more. */
export const forgetReceived = (trx: Transaction, { id, events }: Listening, ids: readonly string[]): Promise<unknown> =>
  rowsOf(trx, 'delete from heard where listener_id = :id and (id = any(cast(:ids as uuid[])) or type <> all(cast(:events as text[])))', {
    id,
    ids: [...ids],
    events: [...events],
  });

/** The first events that wait for a listener, and whether there are more. */
export async function waitingFor(trx: Transaction, listenerId: string, limit: number): Promise<{ events: WaitingEvent[]; more: boolean }> {
  const rows = await rowsOf<WaitingEvent & { total: string }>(
    trx,
    `select id, type, occurred_at, body, traceparent, total
       from (select h.*, count(*) over () as total, row_number() over in_order as number,
                    sum(octet_length(body)) over in_order - octet_length(body) as bytes_before
               from heard h where h.listener_id = :listenerId window in_order as (order by place)) as h
      where number <= :limit and bytes_before < :bytes order by place`,
    { listenerId, limit, bytes: bytesAtOnce },
  );
  return { events: rows.map(({ total: _, ...event }) => event), more: rows.length < Number(rows[0]?.total ?? 0) };
}

/** Erases the answers that wait, of a submission, or of a whole form. */
export const eraseHeard = (db: Database | Transaction, formId: string, submissionId?: string): Promise<unknown> =>
  submissionId === undefined
    ? rowsOf(db, 'delete from heard where form_id = ?', [formId])
    : rowsOf(db, 'delete from heard where form_id = ? and submission_id = ?', [formId, submissionId]);
