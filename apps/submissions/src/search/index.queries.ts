import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { byIds, fits, measured } from '../submission/measured';
import type { Entry } from './terms';

/**
 * Only one transaction at a time changes the index; the lock ends with it. The commit does not wait for the disk: what is lost waits to be
 * indexed again.
 * @returns false if another one holds the lock
 */
export async function tryLockIndex(trx: Transaction): Promise<boolean> {
  const [row] = await rowsOf<{ got: boolean }>(trx, `select ${withoutSync}, pg_try_advisory_xact_lock(${indexLock}) as got`);
  return row?.got === true;
}

/** Waits for the lock, for a transaction that changes more than the index: its commit waits for the disk. */
export const lockIndexDurably = (trx: Transaction): Promise<unknown> => rowsOf(trx, `select pg_advisory_xact_lock(${indexLock})`);

/** Waits for the lock. */
export const lockIndex = (trx: Transaction): Promise<unknown> => rowsOf(trx, `select ${withoutSync}, pg_advisory_xact_lock(${indexLock})`);

const withoutSync = `set_config('synchronous_commit', 'off', true)`;
const indexLock = `hashtext('search')`;

/** Whether there is anything to index, to forget or to sort. Usually there is not, and a transaction would take seven statements to find that out. */
export async function isAnythingWaiting(db: Database): Promise<boolean> {
  const [row] = await rowsOf<{ waits: boolean }>(
    db,
    `select exists (select from search_pending) or exists (select from search_backfill) or exists (select from reindex)
         or exists (select from sort_column where after_created_at is not null) as waits`,
  );
  return row?.waits === true;
}

/**
 * Takes up to `max` submissions that wait to be indexed: one half from the end of the table, where new ones arrive, so that a form with a million
 * of them does not keep others waiting. Reading the last two pages costs nothing, which an index on the forms would at each submission.
 */
export async function takePending(trx: Transaction, max: number): Promise<string[]> {
  const rows = await rowsOf<{ submission_id: string }>(
    trx,
    `with last_pages as materialized (
       select cast(format('(%s,0)', greatest(pg_relation_size('search_pending') / cast(current_setting('block_size') as int) - 2, 0)) as tid) as start
     ), taken as (
       (select ctid as row from search_pending where ctid >= (select start from last_pages) order by ctid desc limit :half)
       union all (select ctid from search_pending limit :half)
     )
     delete from search_pending where ctid = any(array(select row from taken)) returning submission_id`,
    { half: max / 2 },
  );
  return [...new Set(rows.map(({ submission_id: id }) => id))];
}

/** Makes the index forget what it has of these submissions, and look at them again. */
export const indexAgain = (trx: Transaction, formId: string, ids: readonly string[]): Promise<unknown> =>
  rowsOf(trx, 'insert into search_pending (submission_id, form_id) select id, ? from unnest(cast(? as uuid[])) as id', [formId, [...ids]]);

/** Takes the next submissions from before there was an index. Undefined once all are in it. */
export async function takeOld(trx: Transaction, max: number): Promise<string[] | undefined> {
  const [state] = await rowsOf<{ after_id: string; until_id: string }>(trx, 'select after_id, until_id from search_backfill');
  if (!state) return undefined;
  const rows = await rowsOf<{ id: string }>(trx, 'select id from submission where id > ? and id <= ? order by id limit ?', [
    state.after_id,
    state.until_id,
    max,
  ]);
  const last = rows.at(-1);
  if (last && rows.length === max) await rowsOf(trx, 'update search_backfill set after_id = ?', [last.id]);
  else await rowsOf(trx, 'delete from search_backfill');
  return rows.map(({ id }) => id);
}

/** A submission to be indexed. */
export interface Source {
  id: string;
  form_id: string;
  /** As the database prints it: a Date would lose precision below a millisecond. */
  created_at: string;
  /** JSON text. */
  data: string;
}

/**
 * The first of these submissions, until their answers reach `maxBytes`; always at least one. Those that are gone are left out, and those of
 * forms that are not searchable.
 */
export const read = (trx: Transaction, ids: readonly string[], maxBytes: number): Promise<Source[]> =>
  rowsOf<Source>(
    trx,
    `select id, form_id, cast(created_at as text) as created_at, answers as data
       from (${measured(searchable, ':maxBytes')}) as measured
      where ${fits}`,
    { ids: [...ids], maxBytes },
  );

// Left out here and not by the trigger, so that storing a submission costs nothing more.
const searchable = `
  select s.* from ${byIds}
   where not exists (select from form_keeping k where k.form_id = s.form_id and not k.searchable) order by place`;

type Entered = Source & { entry: Entry };

/** Writes entries, in place of those that were there. */
export async function write(trx: Transaction, entries: readonly Entered[]): Promise<void> {
  const written = new Set(await insert(trx, entries));
  const known = entries.filter(({ id }) => !written.has(id));
  if (known.length === 0) return;
  await rowsOf(
    trx,
    `with gone as (
       delete from search_entry where (form_id, created_at, submission_id) in (select * from unnest(cast(? as uuid[]), cast(? as timestamptz[]), cast(? as uuid[])))
       returning *
     )
     delete from search_number n using gone, unnest(gone.keys, gone.numbers) as old (key, number)
      where (n.form_id, n.key, n.number, n.created_at, n.submission_id) = (gone.form_id, old.key, old.number, gone.created_at, gone.submission_id)`,
    [known.map(({ form_id }) => form_id), known.map(({ created_at }) => created_at), known.map(({ id }) => id)],
  );
  await insert(trx, known);
}

/** No term contains it. */
const separator = '\u001f';

/** Inserts entries that are not there. @returns the ids of their submissions */
async function insert(trx: Transaction, entries: readonly Entered[]): Promise<string[]> {
  const column = <T extends string | number>(value: (entered: Entered) => T) => entries.map(value);
  const numbers = entries.flatMap(({ id, entry: { keys, numbers } }) => keys.map((key, n) => ({ id, key, number: numbers[n] ?? 0 })));
  const rows = await rowsOf<{ submission_id: string }>(
    trx,
    `with written as (
       insert into search_entry (form_id, created_at, submission_id, terms, term_bytes, keys, numbers)
       select form_id, created_at, id, array_to_tsvector(string_to_array(terms, :separator)), term_bytes,
              string_to_array(keys, :separator), cast(string_to_array(numbers, :separator) as double precision[])
         from unnest(cast(:forms as uuid[]), cast(:times as timestamptz[]), cast(:ids as uuid[]), cast(:terms as text[]), cast(:bytes as integer[]),
                     cast(:keys as text[]), cast(:numbers as text[])) as entered (form_id, created_at, id, terms, term_bytes, keys, numbers)
       on conflict do nothing
       returning form_id, created_at, submission_id
     ), numbered as (
       insert into search_number (form_id, key, number, created_at, submission_id)
       select form_id, key, number, created_at, submission_id
         from written join unnest(cast(:numberIds as uuid[]), cast(:numberKeys as text[]), cast(:eachNumber as double precision[])) as answer (id, key, number)
           on answer.id = written.submission_id
     )
     select submission_id from written`,
    {
      separator,
      forms: column(({ form_id }) => form_id),
      times: column(({ created_at }) => created_at),
      ids: column(({ id }) => id),
      terms: column(({ entry }) => entry.terms.join(separator)),
      bytes: column(({ entry }) => Buffer.byteLength(entry.terms.join(''))),
      keys: column(({ entry }) => entry.keys.join(separator)),
      numbers: column(({ entry }) => entry.numbers.join(separator)),
      numberIds: numbers.map(({ id }) => id),
      numberKeys: numbers.map(({ key }) => key),
      eachNumber: numbers.map(({ number }) => number),
    },
  );
  return rows.map(({ submission_id: id }) => id);
}
