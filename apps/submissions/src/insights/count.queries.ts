import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { byIds, fits, measured } from '../submission/measured';
import { partsOf, withAnswered, type Counter } from './counters';

/**
 * Only one transaction at a time counts; the lock ends with it. The commit does not wait for the disk: what is lost waits to be counted again.
 * @returns false if another one holds the lock
 */
export async function tryLockCounts(trx: Transaction): Promise<boolean> {
  const [row] = await rowsOf<{ got: boolean }>(
    trx,
    `select set_config('synchronous_commit', 'off', true), pg_try_advisory_xact_lock(${countsLock}) as got`,
  );
  return row?.got === true;
}

/** Waits for the lock. */
export const lockCounts = (trx: Transaction): Promise<unknown> => rowsOf(trx, `select pg_advisory_xact_lock(${countsLock})`);

const countsLock = `hashtext('insights')`;

/** Whether there is anything to count. Usually there is not, and a transaction would take five statements to find that out. */
export async function isAnythingWaiting(db: Database): Promise<boolean> {
  const [row] = await rowsOf<{ waits: boolean }>(
    db,
    `select exists (select from insight_pending) or exists (select from insight_form where walk_created_at is not null) as waits`,
  );
  return row?.waits === true;
}

/** Takes up to `max` submissions that wait to be counted. */
export async function takePending(trx: Transaction, max: number): Promise<string[]> {
  const rows = await rowsOf<{ submission_id: string }>(
    trx,
    'delete from insight_pending where ctid = any(array(select ctid from insight_pending limit ?)) returning submission_id',
    [max],
  );
  return [...new Set(rows.map(({ submission_id: id }) => id))];
}

/** Takes the next submissions of a form of which all are being counted. Undefined if there is no such form. */
export async function takeNextOfForm(trx: Transaction, max: number): Promise<string[] | undefined> {
  const [form] = await rowsOf<{ form_id: string; after: string; walk_id: string }>(
    trx,
    `select form_id, cast(walk_created_at as text) as after, walk_id from insight_form
      where walk_created_at is not null order by form_id limit 1 for update`,
  );
  if (!form) return undefined;
  const rows = await rowsOf<{ id: string; created: string }>(
    trx,
    `select id, cast(created_at as text) as created from submission
      where form_id = :formId and deleted_at is null and spam_at is null and (created_at, id) < (cast(:after as timestamptz), cast(:afterId as uuid))
      order by created_at desc, id desc limit :max`,
    { formId: form.form_id, after: form.after, afterId: form.walk_id, max },
  );
  // A page that is not full is the last one.
  const last = rows.length === max ? rows.at(-1) : undefined;
  await rowsOf(trx, 'update insight_form set walk_created_at = cast(? as timestamptz), walk_id = ? where form_id = ?', [
    last?.created ?? null,
    last?.id ?? null,
    form.form_id,
  ]);
  return rows.map(({ id }) => id);
}

/** Makes the forms known; all submissions of a form that was not will be counted. @returns the generation of each */
export async function generationsOf(trx: Transaction, formIds: readonly string[]): Promise<Map<string, number>> {
  const known = await knownGenerations(trx, formIds);
  if (known.size === formIds.length) return known;
  await rowsOf(trx, walkNewForms, [[...formIds]]);
  return knownGenerations(trx, formIds);
}

async function knownGenerations(trx: Transaction, formIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await rowsOf<{ form_id: string; generation: number }>(
    trx,
    'select form_id, generation from insight_form where form_id = any(cast(? as uuid[]))',
    [[...formIds]],
  );
  return new Map(rows.map(({ form_id, generation }) => [form_id, generation]));
}

/** SQL that begins to count all submissions of forms that have no counts. */
export const walkNewForms = `insert into insight_form (form_id, walk_created_at, walk_id)
  select id, cast('infinity' as timestamptz), id from unnest(cast(? as uuid[])) as id on conflict do nothing`;

/** SQL that begins to count all submissions of forms that have counts, of which each is replaced. */
export const walkAgain = `update insight_form set walk_created_at = 'infinity', walk_id = form_id`;

/** A listed submission to be counted. */
export interface Source {
  id: string;
  form_id: string;
  schema_version: number;
  version_id: string | null;
  status: string;
  quarter: number;
  /** JSON text. */
  data: string;
}

/** The first of these submissions, until their answers reach `maxBytes`; always at least one. Those that are not listed are left out. */
export const read = (trx: Transaction, ids: readonly string[], maxBytes: number): Promise<Source[]> =>
  rowsOf<Source>(
    trx,
    `select id, form_id, schema_version, version_id, status, cast(floor(extract(epoch from created_at) / 900) as integer) as quarter, answers as data
       from (${measured(
         `select s.* from ${byIds}
           where s.deleted_at is null and s.spam_at is null order by place`,
         ':maxBytes',
       )}) as measured
      where ${fits}`,
    { ids: [...ids], maxBytes },
  );

/** The counters that a submission was counted in. */
export interface Counted {
  submission_id: string;
  form_id: string;
  generation: number;
  /** A JSON array. */
  counters: string;
}

export const countedFor = (trx: Transaction, ids: readonly string[]): Promise<Counted[]> =>
  rowsOf<Counted>(
    trx,
    `select submission_id, form_id, counters, c.generation from insight_counted c join insight_form f using (form_id)
      where submission_id = any(cast(? as uuid[])) and c.generation = f.generation`,
    [[...ids]],
  );

/** Remembers what is counted for submissions now, and forgets those that are not counted any more. */
export async function remember(trx: Transaction, counted: readonly Counted[], gone: readonly string[]): Promise<void> {
  if (gone.length > 0) await rowsOf(trx, 'delete from insight_counted where submission_id = any(cast(? as uuid[]))', [[...gone]]);
  if (counted.length === 0) return;
  await rowsOf(
    trx,
    `insert into insight_counted (submission_id, form_id, generation, counters)
     select * from unnest(cast(? as uuid[]), cast(? as uuid[]), cast(? as integer[]), cast(? as text[]))
     on conflict (submission_id) do update set generation = excluded.generation, counters = excluded.counters`,
    [
      counted.map(({ submission_id: id }) => id),
      counted.map(({ form_id }) => form_id),
      counted.map(({ generation }) => generation),
      counted.map(({ counters }) => counters),
    ],
  );
}

/** How much the counters of forms change. */
export class Changes {
  private readonly forms = new Map<string, Map<string, number>>();

  add(formId: string, counters: readonly string[], amount: 1 | -1): void {
    const changes = this.forms.get(formId) ?? new Map<string, number>();
    this.forms.set(formId, changes);
    for (const counter of withAnswered(counters)) changes.set(counter, (changes.get(counter) ?? 0) + amount);
  }

  async write(trx: Transaction): Promise<void> {
    const changed = [...this.forms].flatMap(([formId, changes]) =>
      [...changes].flatMap(([counter, amount]) => (amount === 0 ? [] : [{ formId, ...partsOf(counter), amount }])),
    );
    await writeCounts(
      trx,
      changed.filter(({ kind }) => kind !== 'q'),
    );
    await writeQuarters(
      trx,
      changed.filter(({ kind }) => kind === 'q'),
    );
  }
}

interface Change extends Counter {
  formId: string;
  amount: number;
}

async function writeCounts(trx: Transaction, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const columns = (of: readonly Change[]) => [
    of.map(({ formId }) => formId),
    of.map(({ kind }) => kind),
    of.map(({ key }) => key),
    of.map(({ item }) => item),
  ];
  await rowsOf(
    trx,
    `insert into insight_count as c (form_id, kind, key, item, submissions)
     select * from unnest(cast(? as uuid[]), cast(? as text[]), cast(? as text[]), cast(? as text[]), cast(? as bigint[]))
     on conflict (form_id, kind, key, item) do update set submissions = c.submissions + excluded.submissions`,
    [...columns(changes), changes.map(({ amount }) => amount)],
  );
  // Below 0 only if the form was erased meanwhile, with its counts.
  const lowered = changes.filter(({ amount }) => amount < 0);
  if (lowered.length === 0) return;
  await rowsOf(
    trx,
    `delete from insight_count where submissions <= 0
        and (form_id, kind, key, item) in (select * from unnest(cast(? as uuid[]), cast(? as text[]), cast(? as text[]), cast(? as text[])))`,
    columns(lowered),
  );
}

async function writeQuarters(trx: Transaction, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const columns = [changes.map(({ formId }) => formId), changes.map(({ item }) => Number(item))];
  await rowsOf(
    trx,
    `insert into insight_quarter as c (form_id, quarter, submissions)
     select * from unnest(cast(? as uuid[]), cast(? as integer[]), cast(? as bigint[]))
     on conflict (form_id, quarter) do update set submissions = c.submissions + excluded.submissions`,
    [...columns, changes.map(({ amount }) => amount)],
  );
  if (changes.every(({ amount }) => amount > 0)) return;
  await rowsOf(
    trx,
    `delete from insight_quarter where submissions <= 0
        and (form_id, quarter) in (select * from unnest(cast(? as uuid[]), cast(? as integer[])))`,
    columns,
  );
}
