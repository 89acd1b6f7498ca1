import { exactTime, readOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { sortLanguages } from '../migrations/0034_sort_keys';
import type { Filter } from './filter';
import { bindings, entryOf, matches, needsEntry, orderBy, submissionOf, within } from './find-clauses';
import { walkBudget } from './find.queries';
import type { Slice, TextPlace } from './slice';

/** A field by whose answers a form is sorted, where that takes keys. */
export interface SortColumn {
  key: string;
  /** A language with an order of its own, or `und`. */
  language: string;
  /** Whether answers are ordered by how many there are, as files are. */
  isCounted: boolean;
}

const ownOrders: ReadonlySet<string> = new Set(sortLanguages);
const renamed: Readonly<Record<string, string>> = { no: 'nb', iw: 'he', tl: 'fil' };

/** The language in whose order the texts of a form are read. */
export function orderLanguageOf(tag: string | undefined): string {
  const [primary = ''] = tag?.toLowerCase().split('-') ?? [];
  const language = renamed[primary] ?? primary;
  return ownOrders.has(language) ? language : 'und';
}

/** How far the keys of a column are; `isReady` once all entries have one. */
export interface Prepared {
  isReady: boolean;
  entries: number;
}

export async function preparedOf(db: Database, formId: string, { key, language, isCounted }: SortColumn): Promise<Prepared | undefined> {
  const [row] = await readOf<Prepared>(
    db,
    `select after_created_at is null as "isReady", entries from sort_column
      where form_id = :formId and key = :key and language = :language and counted = :isCounted`,
    { formId, key, language, isCounted },
  );
  return row;
}

/** Each costs a row for every submission, and anybody who may read them can add one. */
export const mostColumns = 30;

/**
 * Makes the index keep the keys of a column from now on, unless it has those of as many others as it may. Those that it has in another order are replaced. The index must be locked, so that no entry
 * is written meanwhile by somebody who does not see the column yet.
 */
export const keepColumn = (trx: Transaction, formId: string, { key, language, isCounted }: SortColumn): Promise<unknown> =>
  rowsOf(
    trx,
    `insert into sort_column as c (form_id, key, language, counted)
     select :formId, :key, :language, :isCounted
      where (select count(*) from sort_column where form_id = :formId and key <> :key) < :mostColumns
     on conflict (form_id, key) do update
        set language = excluded.language, counted = excluded.counted, after_created_at = default, after_id = default, entries = default
      where (c.language, c.counted) <> (excluded.language, excluded.counted)`,
    { formId, key, language, isCounted, mostColumns },
  );

/** A column whose keys are not complete. */
export async function waitingColumn(trx: Transaction): Promise<{ formId: string; key: string } | undefined> {
  const [row] = await rowsOf<{ formId: string; key: string }>(
    trx,
    'select form_id as "formId", key from sort_column where after_created_at is not null order by form_id, key limit 1',
  );
  return row;
}

/** Adds the keys of the next entries, in the order of arrival. The index must be locked. @returns whether there may be more of them */
export async function addKeys(trx: Transaction, { formId, key }: { formId: string; key: string }, max: number): Promise<boolean> {
  const [row] = await rowsOf<{ isReady: boolean }>(
    trx,
    `with state as materialized (
       select language, counted, after_created_at, after_id from sort_column
        where form_id = :formId and key = :key and after_created_at is not null
     ), next as materialized (
       select e.created_at, e.submission_id from search_entry e
        where e.form_id = :formId and (e.created_at, e.submission_id) > ((select after_created_at from state), (select after_id from state))
        order by e.created_at, e.submission_id limit :max
     ), added as (
       insert into sort_key as k (form_id, key, language, value, created_at, submission_id)
       select :formId, :key, state.language, sort_value(s.data, :key, state.counted), next.created_at, next.submission_id
         from state, next cross join lateral (select data from submission where id = next.submission_id offset 0) as s
       on conflict (form_id, key, created_at, submission_id) do update set language = excluded.language, value = excluded.value
     ), last as (
       select created_at, submission_id from next order by created_at desc, submission_id desc limit 1
     ), counted as (
       select cast(count(*) as int) as entries from next
     )
     update sort_column c
        set after_created_at = case when counted.entries = :max then last.created_at end,
            after_id = coalesce(last.submission_id, c.after_id), entries = c.entries + counted.entries
       from counted left join last on true
      where c.form_id = :formId and c.key = :key and c.after_created_at is not null
     returning c.after_created_at is null as "isReady"`,
    { formId, key, max },
  );
  return row?.isReady === false;
}

/** The submissions with an answer to a field, in the order of those answers. */
export function fromKeys(
  db: Database,
  filter: Filter,
  slice: Slice<TextPlace>,
  column: SortColumn,
  budget = walkBudget,
): Promise<TextPlace[]> {
  return readOf(
    db,
    `select s.id, ${exactTime('k.created_at')} as created, k.value
       from (${keysAfter(slice, column)} limit :budget) as k
      ${needsEntry(filter) ? `cross join lateral (${entryOf('k')}) as e` : ''}
      cross join lateral (${submissionOf('k', filter)}) as s
      where ${matches('e', filter)} and k.created_at >= cast(:since as timestamptz) and k.created_at < cast(:until as timestamptz)
      -- In order already.
      limit :limit`,
    { ...bindings(filter, slice), ...keyBindings(slice, column), budget },
  );
}

/** The place of the last answer that `fromKeys` reads, if there are as many as the budget. */
export async function endOfKeys(
  db: Database,
  filter: Filter,
  slice: Slice<TextPlace>,
  column: SortColumn,
  budget = walkBudget,
): Promise<TextPlace | undefined> {
  const [end] = await readOf<TextPlace>(
    db,
    `select submission_id as id, ${exactTime('created_at')} as created, value from (${keysAfter(slice, column)} limit 1 offset :last) as k`,
    { ...bindings(filter, slice), ...keyBindings(slice, column), last: budget - 1 },
  );
  return end;
}

/** The language, one of a fixed list, is a part of the statement: PostgreSQL could not use the index for a parameter. */
function keysAfter({ direction, after }: Slice<TextPlace>, { language }: SortColumn): string {
  const inOrder = `value collate "${language}-x-icu"`;
  const beyond = (sign: string) =>
    `(${inOrder}, created_at, submission_id) ${sign} (cast(:value as text) collate "${language}-x-icu", cast(:created as timestamptz), cast(:id as uuid))`;
  // One bound on each side, as in `within`.
  const bounds = direction === 'asc' && after ? beyond('>') : `${inOrder} > '' ${after ? `and ${beyond('<')}` : ''}`;
  return `select value, created_at, submission_id from sort_key
           where form_id = :formId and key = :key and language = '${language}' and ${bounds}
           order by ${inOrder} ${direction}, created_at ${direction}, submission_id ${direction}`;
}

const keyBindings = ({ after }: Slice<TextPlace>, { key }: SortColumn) => ({
  key,
  ...(after && { value: after.value, created: after.created, id: after.id }),
});

/** The submissions without an answer to a field, in the order of arrival. */
export function withoutKeys(db: Database, filter: Filter, slice: Slice, { key, language }: SortColumn): Promise<TextPlace[]> {
  return readOf(
    db,
    `select s.id, ${exactTime('k.created_at')} as created, '' as value
       from (${emptyAfter(slice, language)} limit :budget) as k
      ${needsEntry(filter) ? `cross join lateral (${entryOf('k')}) as e` : ''}
      cross join lateral (${submissionOf('k', filter)}) as s
      where ${matches('e', filter)}
      limit :limit`,
    { ...bindings(filter, slice), key, budget: walkBudget },
  );
}

export async function endWithoutKeys(
  db: Database,
  filter: Filter,
  slice: Slice,
  { key, language }: SortColumn,
): Promise<TextPlace | undefined> {
  const [end] = await readOf<TextPlace>(
    db,
    `select submission_id as id, ${exactTime('created_at')} as created, '' as value from (${emptyAfter(slice, language)} limit 1 offset :last) as k`,
    { ...bindings(filter, slice), key, last: walkBudget - 1 },
  );
  return end;
}

const emptyAfter = (slice: Slice, language: string): string =>
  `select created_at, submission_id from sort_key
    where form_id = :formId and key = :key and language = '${language}' and value collate "${language}-x-icu" = ''
      and ${within(slice, 'created_at', 'submission_id')}
    order by ${orderBy(slice, 'created_at', 'submission_id')}`;
