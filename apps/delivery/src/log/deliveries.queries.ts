import { idsNamed, isNamed } from '@sheaf/contracts';
import type { ConnectionFacts, Excerpt } from '@sheaf/egress';
import { isId, type Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database } from '@sheaf/postgres';
import { interrupted } from '../attempts/claims.queries';
import type { Composed } from '../payloads/payloads';
import { optionsOfCopy, stateOfCopy } from '../subscriptions/subscriptions.queries';

export interface DeliveryRow {
  id: string;
  event_id: string;
  event: string;
  form_id: string;
  subscription_id: string;
  url: string;
  /** Whether the subscription listens to more than this form. */
  wide: boolean;
  state: string;
  /** Why the delivery was cancelled, or failed without an attempt. */
  reason: string | null;
  attempts: number;
  /** Null while an attempt is in flight: it depends on the outcome. */
  next_attempt_at: Date | null;
  created_at: Date;
  /** The request that caused the event. */
  request_id: string | null;
}

export interface AttemptRow {
  number: number;
  started_at: Date;
  duration_ms: number | null;
  status: number | null;
  error: string | null;
  /** The code that explains the error further. */
  code: string | null;
  /** The address of the POST; null for attempts from before it was recorded. */
  url: string | null;
  /** The request headers; null while the attempt is in flight, and if it was lost. */
  headers: Record<string, string> | null;
  /** The beginning of the response. */
  response: Excerpt | null;
  /** Null while the attempt is in flight, if it was lost, and for attempts from before it was recorded. */
  connection: ConnectionFacts | null;
  /** The batch in which it was sent; null if it was sent singly. */
  batch_id: string | null;
}

export interface Filter {
  /** If undefined, the deliveries of all forms, to one subscription. */
  formId: string | undefined;
  state: string | undefined;
  subscriptionId: string | undefined;
  submissionId?: string | undefined;
}

const columns = `d.id, d.event_id, e.type as event, d.form_id, d.subscription_id, s.url, s.form_id is null as wide, d.state,
  case when d.state in ('failed', 'cancelled') then d.reason end as reason, coalesce(q.attempts, d.attempts) as attempts,
  case when q.busy_until > ${databaseTime('?')} then null else q.next_attempt_at end as next_attempt_at, d.created_at, e.request_id`;
const joins = `left join queue q on q.delivery_id = d.id join event e on e.id = d.event_id join subscription s on s.id = d.subscription_id`;

/**
 * A page of the log, newest first, and the number of deliveries on all pages. The number comes from the counters, because the cost of a
 * count(*) would grow with the log. Both come from one statement, and so from the same moment; past the last page it returns a row without
 * a delivery.
 */
export async function deliveriesOf(
  db: Database,
  clock: Clock,
  filter: Filter,
  page: { limit: number; offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  // The offset skips entries of the index alone; only the rows of the page are read.
  const onPage = db('delivery').select('id').where(conditions(filter)).orderBy('id', 'desc').limit(page.limit).offset(page.offset);
  const counted = db('delivery_count').where(conditions(filter)).sum('count as sum');
  const rows = await rowsOf<DeliveryRow & { total: string | null }>(
    db,
    `select counted.sum as total, log.*
       from (?) as counted
       left join (
         select ${columns} from (?) as page join delivery d on d.id = page.id ${joins}
       ) as log on true
      order by log.id desc`,
    [counted, momentOf(clock), onPage],
  );
  return {
    total: Number(rows[0]?.total ?? 0),
    rows: rows.filter(({ id }: { id: string | null }) => id !== null).map(({ total: _, ...row }) => row),
  };
}

const conditions = ({ formId, state, subscriptionId }: Filter) => ({
  ...(formId === undefined ? {} : { form_id: formId }),
  ...(state === undefined ? {} : { state }),
  ...(subscriptionId === undefined ? {} : { subscription_id: subscriptionId }),
});

/** Those of a form, or those to a subscription, or both. */
export interface Walked {
  formId: string | undefined;
  subscriptionId: string | undefined;
  /** Those of one submission, or of the few with one reference. */
  submissionIds: readonly string[] | undefined;
  /** Undefined for all. */
  states: readonly string[] | undefined;
  event: string | undefined;
  reason: string | undefined;
  /** The statuses of the answer to the newest attempt, both inclusive; null for none. */
  answer: { first: number; last: number } | null | undefined;
}

/**
 * Reads at most `most` deliveries from `first` on and before `before`, newest first, and returns the first ones that match. `end` is the id at
 * which it stopped reading; undefined if it has read all or found enough.
 *
 * They are read in the order of one index: that of the submission, or else of the subscription or the form, with the states. Everything else is looked
 * up for each delivery that is read, so that a request costs the same however rare a match is. An index of it would be paid for by each delivery, and
 * one of answers would cost each attempt the update in place, as they are written when it ends.
 */
export async function walkDeliveries(
  db: Database,
  clock: Clock,
  { formId, subscriptionId, submissionIds, states, event, reason, answer }: Walked,
  { first, before }: { first: string; before: string },
  { limit, most, leaseMs }: { limit: number; most: number; leaseMs: number },
): Promise<{ ids: string[]; end: string | undefined }> {
  // A submission has few deliveries, and a subscription fewer than its form or its instance.
  const [indexed, among]: [string, readonly string[]] =
    submissionIds === undefined
      ? subscriptionId === undefined
        ? ['form_id', formId === undefined ? [] : [formId]]
        : ['subscription_id', [subscriptionId]]
      : ['submission_id', submissionIds];
  const read = (state: string | undefined) =>
    db('delivery')
      .select('id', 'event_id', 'form_id', 'subscription_id', 'state', 'reason')
      .where('id', '>=', first)
      .where('id', '<', before)
      .whereIn(indexed, among)
      .where(state === undefined ? {} : { state })
      .orderBy('id', 'desc')
      .limit(most);
  const pages = submissionIds === undefined && states !== undefined ? states.map(read) : [read(undefined)];
  const [matches, values] = allOf([
    [formId, 'd.form_id = ?'],
    [subscriptionId, 'd.subscription_id = ?'],
    [states === undefined ? undefined : [...states], 'd.state = any(cast(? as text[]))'],
    [reason, 'd.reason = ?'],
    [event, '(select e.type from event e where e.id = d.event_id) = ?'],
  ]);
  const [answered, statuses] = answer === undefined ? ['true', []] : answeredWith(answer, clock, leaseMs);
  const rows = await rowsOf<{ id: string; matches: boolean; number: number }>(
    db,
    `select id, matches, number
       from (select d.id, coalesce(${matches} and ${answered}, false) as matches, cast(row_number() over (order by d.id desc) as int) as number
               from (select * from (${pages.map(() => '(?)').join(' union all ')}) as each order by id desc limit ?) as d) as numbered
      where matches or number = ?
      order by id desc limit ?`,
    [...values, ...statuses, ...pages, most, most, limit],
  );
  const last = rows.at(-1);
  return {
    ids: rows.flatMap((row) => (row.matches ? row.id : [])),
    end: last?.number === most ? last.id : undefined,
  };
}

/** The submissions with deliveries that have this id or reference, as `readReference` returns it. */
export async function submissionsNamed(db: Database, name: string): Promise<string[]> {
  if (isId(name)) return [name];
  const ranges = name === '' ? [] : idsNamed(name);
  const rows = await Promise.all(
    ranges.map(({ first, last }) =>
      rowsOf<{ id: string }>(db, 'select distinct submission_id as id from delivery where submission_id between ? and ?', [first, last]),
    ),
  );
  return rows.flat().flatMap(({ id }) => (isNamed(id, name) ? id : []));
}

/** SQL for those of the conditions that have a value, and the values. */
function allOf(conditions: readonly (readonly [value: string | string[] | undefined, sql: string])[]): [string, (string | string[])[]] {
  const wanted = conditions.flatMap(([value, sql]) => (value === undefined ? [] : [{ value, sql }]));
  return [['true', ...wanted.map(({ sql }) => sql)].join(' and '), wanted.map(({ value }) => value)];
}

/** SQL for whether the newest attempt of a delivery `d` was answered so. One in flight does not count: its row says what it is if it is lost. */
function answeredWith(
  answer: { first: number; last: number } | null,
  clock: Clock,
  leaseMs: number,
): [string, (string | number | Date | null)[]] {
  const ended = `select a.status from attempt a where a.delivery_id = d.id
    and (a.error = ? and a.started_at > ${databaseTime('?')} - cast(? as int) * interval '1 millisecond') is not true order by a.number desc limit 1`;
  const values = [interrupted, momentOf(clock), leaseMs];
  return answer === null
    ? [`exists (select from (${ended}) as newest where status is null)`, values]
    : [`(${ended}) between ? and ?`, [...values, answer.first, answer.last]];
}

/** Deliveries by their ids, newest first. */
export const deliveriesById = (db: Database, clock: Clock, ids: readonly string[]): Promise<DeliveryRow[]> =>
  rowsOf<DeliveryRow>(db, `select ${columns} from (?) as page join delivery d on d.id = page.id ${joins} order by d.id desc`, [
    momentOf(clock),
    db('delivery').select('id').whereIn('id', ids),
  ]);

/** For operators: a page of the deliveries between two ids, across all forms, newest first, without a total. */
export async function deliveriesOfAllForms(
  db: Database,
  clock: Clock,
  filter: {
    formId: string | undefined;
    submissionId: string | undefined;
    /** Of the address at which the subscription is reached now, with its port if it has one. */
    host: string | undefined;
    state: string | undefined;
    reason: string | undefined;
    first: string;
    last: string;
  },
  page: { limit: number; offset: number },
): Promise<DeliveryRow[]> {
  const { formId, submissionId, host, state, reason, first, last } = filter;
  const onPage = db('delivery')
    .select('id')
    .whereBetween('id', [first, last])
    .where({
      ...(formId === undefined ? {} : { form_id: formId }),
      ...(submissionId === undefined ? {} : { submission_id: submissionId }),
      ...(state === undefined ? {} : { state }),
      ...(reason === undefined ? {} : { reason }),
    })
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset);
  if (host !== undefined)
    void onPage.whereIn(
      'subscription_id',
      db('subscription').select('id').whereRaw(`lower(substring(url from '://([-a-zA-Z0-9_.:\\[\\]]+)')) = ?`, [host]),
    );
  return rowsOf<DeliveryRow>(db, `select ${columns} from (?) as page join delivery d on d.id = page.id ${joins} order by d.id desc`, [
    momentOf(clock),
    onPage,
  ]);
}

/** The form and the instance of a delivery. */
export async function ownerOfDelivery(db: Database, id: string): Promise<{ form_id: string; instance_id: string } | undefined> {
  const [row] = await rowsOf<{ form_id: string; instance_id: string }>(
    db,
    'select d.form_id, s.instance_id from delivery d join subscription s on s.id = d.subscription_id where d.id = ?',
    [id],
  );
  return row;
}

/** Forms with active subscriptions, after a given id, in id order. */
export async function formsWithSubscriptions(
  db: Database,
  after: string,
  limit: number,
): Promise<{ form_id: string; instance_id: string }[]> {
  return rowsOf(
    db,
    `(select distinct form_id, instance_id from subscription s where ${stateOfCopy} = 'active' and form_id > :after order by form_id limit :limit)
      union
     (select distinct c.form_id, s.instance_id from delivery_count c join subscription s on s.id = c.subscription_id
       where s.form_id is null and ${stateOfCopy} = 'active' and c.form_id > :after order by c.form_id limit :limit)
      order by form_id limit :limit`,
    { after, limit },
  );
}

/** The instance of a form that has or had subscriptions, or deliveries to those of its workspace or instance. */
export async function instanceOfForm(db: Database, formId: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ instance_id: string }>(
    db,
    `select instance_id from subscription
      where id in (select id from subscription where form_id = :form union all select subscription_id from delivery_count where form_id = :form) limit 1`,
    { form: formId },
  );
  return row?.instance_id;
}

export async function deliveryById(db: Database, clock: Clock, formId: string, id: string): Promise<(DeliveryRow & Composed) | undefined> {
  const [row] = await rowsOf<DeliveryRow & Composed>(
    db,
    `select ${columns}, e.body, e.type, e.instance_id, e.occurred_at, s.payload, s.link_origin, ${optionsOfCopy} as options from delivery d ${joins}
      where d.id = ? and d.form_id = ?`,
    [momentOf(clock), id, formId],
  );
  return row;
}

/**
 * Hides the error of an attempt in flight: its row already contains the one that will apply if it is lost. One delivery of a batch has the headers, the
 * response and the connection of its request; all attempts of a request began at the same moment.
 */
export async function attemptsOf(db: Database, clock: Clock, deliveryId: string, leaseMs: number): Promise<AttemptRow[]> {
  return rowsOf<AttemptRow>(
    db,
    `select a.number, a.started_at, a.duration_ms, a.status,
            case when a.error = :interrupted and a.started_at > ${databaseTime()} - cast(:lease_ms as int) * interval '1 millisecond' then null else a.error end as error,
            a.code, a.url, coalesce(a.headers, told.headers) as headers, coalesce(a.response, told.response) as response,
            coalesce(a.connection, told.connection) as connection, a.batch_id
       from attempt a
       left join attempt told on a.told_by <> a.delivery_id and told.delivery_id = a.told_by and told.batch_id = a.batch_id and told.started_at = a.started_at
      where a.delivery_id = :id order by a.number`,
    { id: deliveryId, moment: momentOf(clock), interrupted, lease_ms: leaseMs },
  );
}
