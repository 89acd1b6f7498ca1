import { idsNamed, isNamed } from '@sheaf/contracts';
import { exactTime, readOf, type Database } from '@sheaf/postgres';
import type { SubmissionRow } from '../submission/submissions.queries';
import type { Filter } from './filter';
import { bindings, entryOf, facts, matches, needsEntry } from './find-clauses';
import { isListed } from './found.queries';
import type { Place } from './slice';

/**
 * The submissions of a form with a reference or an id, where they are sought: one, or two if both arrived in the same millisecond in different
 * processes. Those elsewhere are not found: the text that names one may as well be in an answer.
 */
export const idsIn = async (db: Database, { formId, areas }: Pick<Filter, 'formId' | 'areas'>, name: string): Promise<string[]> =>
  (await namedWhere(db, name, isListed('submission', { areas }))).filter(({ form_id }) => form_id === formId).map(({ id }) => id);

export type Named = Pick<SubmissionRow, 'id' | 'form_id' | 'status' | 'created_at'>;

/** The submissions of all forms with a reference or an id, except for those in the trash. */
export const named = (db: Database, name: string): Promise<Named[]> => namedWhere(db, name, 'deleted_at is null');

async function namedWhere(db: Database, name: string, condition: string): Promise<Named[]> {
  const ranges = idsNamed(name);
  const rows = await readOf<Named>(
    db,
    // The ids of a millisecond are neighbours in the primary key.
    `select s.*
       from unnest(cast(:first as uuid[]), cast(:last as uuid[])) as range (first, last)
      cross join lateral (
        select id, form_id, status, created_at from submission where id between range.first and range.last and ${condition} order by id limit :most
      ) as s`,
    { first: ranges.map(({ first }) => first), last: ranges.map(({ last }) => last), most: mostInMillisecond },
  );
  return rows.filter(({ id }) => isNamed(id, name));
}

/** More than a millisecond can have, even where many copies of the service store. */
const mostInMillisecond = 1_000;

/** Those of the submissions with the ids of the filter that meet its other conditions, the newest first. */
export const fromIds = (db: Database, filter: Filter): Promise<Place[]> =>
  readOf<Place>(
    db,
    `select s.id, ${exactTime('s.created_at')} as created
       from (select ${facts}, id as submission_id, coalesce(changed_at, created_at) as updated_at
               from submission where id = any(cast(:ids as uuid[])) and form_id = :formId offset 0) as s
       ${needsEntry(filter) ? `cross join lateral (${entryOf('s')}) as e` : ''}
      where ${isListed('s', filter)} and ${matches('e', filter)}
        and s.created_at >= cast(:since as timestamptz) and s.created_at < cast(:until as timestamptz)
        and s.updated_at >= cast(:changedSince as timestamptz)
      order by s.created_at desc, s.id desc`,
    {
      ...bindings(filter, { direction: 'desc', after: undefined, limit: 1 }),
      ids: [...(filter.ids ?? [])],
      changedSince: filter.changedSince ?? '-infinity',
    },
  );
