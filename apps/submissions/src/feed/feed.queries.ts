import { exactTime, readOf, rowsOf, type Database } from '@sheaf/postgres';
import { asDetail, instant } from '../submission/as-json';
import { fits, measured } from '../submission/measured';
import type { Position, WalkPlace } from './position';

/** The log of a form in the moment in which a page is read. */
interface LogState {
  /** The number of the newest change, and its time to the microsecond; null if there never was one. */
  head: number | null;
  head_at: string | null;
  /** The number of the oldest change that is kept. */
  oldest: number | null;
  /** The time of the change that the reader's position names; null if there is none with its number. */
  seen_at: string | null;
  /** Since when changes are logged. */
  start: string;
}

export interface ChangeEntry {
  number: number;
  /** When a submission of the walk arrived. */
  place: string;
  id: string;
  /** The change as JSON; null if it does not fit into the page. */
  json: string | null;
}

export interface ReadLog {
  state: LogState;
  /** In order; one more than asked for, if there are more. */
  entries: ChangeEntry[];
}

interface Wanted {
  formId: string;
  limit: number;
  /** The number of the newest change that the reader has seen the effects of. */
  seen: number;
  maxBytes: number;
}

/** The changes after a position. One statement, so that they and the state of the log are of the same moment. */
export const changesAfter = (db: Database, wanted: Wanted, { after }: Position): Promise<ReadLog> =>
  read(
    db,
    // A row has at most as many changes as one statement made, so the first limit rows have enough.
    `select first + place - 1 as number, kind, at, id as changed_id
       from (select * from submission_change where form_id = :formId and last > :after order by last limit :limit) as logged
      cross join lateral unnest(submission_ids) with ordinality as listed (id, place)
      where first < :after + cast(:limit as bigint) + 1 and first + place - 1 > :after
      order by 1 limit :limit`,
    { ...wanted, limit: wanted.limit + 1, after },
  );

/** The submissions that are listed now, from the oldest on. */
export const listedAfter = (db: Database, wanted: Wanted, place: WalkPlace | undefined): Promise<ReadLog> =>
  read(
    db,
    `select row_number() over (order by created_at, id) as number, 'created' as kind, created_at as at, id as changed_id
       from (select created_at, id from submission
              where form_id = :formId and deleted_at is null and spam_at is null
                and (created_at, id) > (cast(:created as timestamptz), cast(:id as uuid))
              order by created_at, id limit :limit) as listed`,
    {
      ...wanted,
      limit: wanted.limit + 1,
      created: place?.created ?? '-infinity',
      id: place?.id ?? '00000000-0000-0000-0000-000000000000',
    },
  );

type Read = LogState & { [K in keyof ChangeEntry]: ChangeEntry[K] | null };

async function read(db: Database, entries: string, bindings: Readonly<Record<string, string | number>>): Promise<ReadLog> {
  // Each submission is looked up by its id, whatever the size of the table was when the plan was made.
  const found = `select entry.*, s.* from (${entries}) as entry
      left join lateral (
        select * from submission where id = entry.changed_id and form_id = :formId and deleted_at is null and spam_at is null offset 0
      ) as s on true
     order by number`;
  const json = `format('{"type":"%s","submission_id":"%s","at":"%s"%s}', kind, changed_id, ${instant('at')},
    case when id is not null then ',"submission":' || ${asDetail} end)`;
  const rows = await readOf<Read>(
    db,
    `with state as materialized (
       select newest.last as head, ${exactTime('newest.at')} as head_at, oldest.first as oldest, ${exactTime('seen.at')} as seen_at,
              ${exactTime('begun.at')} as start
         from submission_change_start as begun
         left join lateral (select last, at from submission_change where form_id = :formId order by last desc limit 1) as newest on true
         left join lateral (select first from submission_change where form_id = :formId order by last limit 1) as oldest on true
         left join lateral (select at from submission_change where form_id = :formId and last = :seen) as seen on true
     )
     select state.*, page.number, page.place, page.changed_id as id, page.json
       from state
       left join (select number, ${exactTime('at')} as place, changed_id, case when id is null or ${fits} then ${json} end as json
                    from (${measured(found, ':maxBytes')}) as measured) as page on true
      order by page.number`,
    bindings,
  );
  const [first] = rows;
  if (!first) throw new Error('it is not known since when changes are logged');
  const { head, head_at, oldest, seen_at, start } = first;
  return {
    state: { head, head_at, oldest, seen_at, start },
    entries: rows.flatMap(({ number, place, id, json: printed }) =>
      number === null || place === null || id === null ? [] : [{ number, place, id, json: printed }],
    ),
  };
}

/** Some forms after one, in the order of their ids. */
export async function formsWithChanges(db: Database, after: string, limit: number): Promise<string[]> {
  const rows = await rowsOf<{ form_id: string }>(db, 'select form_id from intake where form_id > ? order by form_id limit ?', [
    after,
    limit,
  ]);
  return rows.map(({ form_id }) => form_id);
}

/**
 * Deletes from the oldest changes of some forms those whose next one is from before `before` as well. The last one before it stays: a reader
 * who has read up to it has missed nothing. @returns how many rows
 */
export async function deleteChanges(db: Database, formIds: readonly string[], before: Date, perForm: number): Promise<number> {
  const [deleted] = await rowsOf<{ rows: number }>(
    db,
    `with old as materialized (
       select old.* from unnest(cast(:formIds as uuid[])) as form (id)
        cross join lateral (
          select form_id, last from (
            select form_id, last, lead(at) over (order by last) as next_at
              from (select form_id, last, at from submission_change where form_id = form.id order by last limit cast(:perForm as int) + 1) as oldest
          ) as followed where next_at < :before
        ) as old
     ), gone as (
       delete from submission_change c using old where (c.form_id, c.last) = (old.form_id, old.last) returning 1
     )
     select count(*)::int as rows from gone`,
    { formIds: [...formIds], before, perForm },
  );
  return deleted?.rows ?? 0;
}
