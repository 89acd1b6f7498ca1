import { tallyOf, type Tally } from '@sheaf/events';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { AnnouncedRow } from './submission/submissions.queries';

// For operators who look for what is missing between services: see `npm run sheaf -- reconcile`.

/** The versions against which some submissions were made, and how many of them. */
export interface UsedVersion {
  form_id: string;
  version: number;
  /** Null for submissions that were stored without it. */
  version_id: string | null;
  submissions: number;
  /** When the first of them was made. */
  oldest: Date;
}

/** How many rows a statement reads, so that it ends in time on a busy machine, too. */
const rowsAtOnce = 5_000;

/** Some submissions in the order of their ids. */
interface Slice {
  submissions: number;
  /** The last one that was read; null if no more are after it. */
  last: string | null;
}

/** A submission whose event `delivery` has committed, because it is not in the outbox any more. */
export interface AnnouncedSubmission {
  id: string;
  form_id: string;
  at: Date;
}

// As of one moment. In it, an event is in the outbox or was confirmed, and what is being erased with its form is left out.
const slice = `page as materialized (
    select id, form_id, schema_version, version_id, created_at, announced_at
      from submission where id > cast(:after as uuid) order by id limit ${rowsAtOnce}
  ), kept as materialized (
    select * from page where created_at < :before and form_id not in (select form_id from erasure where whole_form)
  ), announced as materialized (
    select id, form_id, announced_at from kept
     where announced_at < :before
       and not exists (select from outbox o where o.subject = cast(kept.id as text) and o.type = 'submission.created')
  )`;
// Under load, there are always some more by the time of the next slice.
const progress = `(select count(*) from kept) as submissions,
  (select case when count(*) = ${rowsAtOnce} then (select id from page order by id desc limit 1) end from page) as last`;
const { minute, tally } = tallyOf('form_id', 'announced_at');

/** The next slice: which versions it uses, and what was announced of it from a moment on, by minutes. */
export async function talliedSlice(
  db: Database,
  { after, before, from }: { after: string; before: Date; from: Date },
): Promise<Slice & { versions: UsedVersion[]; tallies: Tally[] }> {
  const [row] = await rowsOf<Slice & { versions: UsedVersion[] | null; tallies: Tally[] | null }>(
    db,
    `with ${slice}, used as (
       select form_id, schema_version as version, version_id, count(*) as submissions, min(created_at) as oldest from kept group by 1, 2, 3
     ), tallied as (
       select ${tally} as tally from announced where announced_at >= :from group by ${minute}
     )
     select ${progress}, (select json_agg(used) from used) as versions, (select json_agg(tally) from tallied) as tallies`,
    { after, before, from },
  );
  if (!row) throw new Error('the slice of submissions has no row');
  return { ...row, versions: row.versions ?? [], tallies: row.tallies ?? [] };
}

/** The next slice: what was announced of it in some minutes. */
export async function announcedSlice(
  db: Database,
  { after, before, minutes }: { after: string; before: Date; minutes: readonly number[] },
): Promise<Slice & { announced: AnnouncedSubmission[] }> {
  const [row] = await rowsOf<Slice & { announced: [string, string, string][] | null }>(
    db,
    `with ${slice}
     select ${progress},
            (select json_agg(json_build_array(id, form_id, announced_at) order by id) from announced
              where ${minute} in (select unnest(cast(:minutes as bigint[])))) as announced`,
    { after, before, minutes: [...minutes] },
  );
  if (!row) throw new Error('the slice of submissions has no row');
  return { ...row, announced: (row.announced ?? []).map(([id, form_id, at]) => ({ id, form_id, at: new Date(at) })) };
}

/**
 * The forms among these that have submissions and are not being erased. Asked after `forms` has said that it does not know them: by then, a form that it
 * has erased is known here as being erased, or has no submissions left.
 */
export const formsWithSubmissions = (db: Database, forms: readonly string[]): Promise<{ form_id: string }[]> =>
  rowsOf(
    db,
    `select given.form_id from unnest(cast(? as uuid[])) as given (form_id)
      where given.form_id not in (select e.form_id from erasure e where e.whole_form)
        and (exists (select from submission s where s.form_id = given.form_id and s.deleted_at is null and s.spam_at is null)
             or exists (select from submission s where s.form_id = given.form_id and (s.deleted_at is not null or s.spam_at is not null)))`,
    [[...forms]],
  );

/** Submissions as they were announced, with the answers that they had then, and locked. Those whose event is in the outbox are left out. */
export const announcedOf = (
  trx: Transaction,
  ids: readonly string[],
): Promise<(AnnouncedRow & { instance_id: string; announced_at: Date })[]> =>
  rowsOf(
    trx,
    `select s.id, s.instance_id, s.form_id, s.schema_version, s.created_at, s.announced_at,
            coalesce((select cast(r.data as text) from submission_revision r where r.submission_id = s.id and r.changed_at > s.announced_at order by r.number limit 1),
                     cast(s.data as text)) as data
       from submission s
      where s.id = any(cast(? as uuid[])) and s.announced_at is not null
        and not exists (select from outbox o where o.subject = cast(s.id as text) and o.type = 'submission.created')
      order by s.id for update of s`,
    [[...ids]],
  );

/** A version with its id, and whether `forms` has it. */
export interface FoundVersion {
  form_id: string;
  version: number;
  version_id: string;
  is_missing: boolean;
}

/** Marks the versions that `forms` does not have, and takes the mark from those that it has again. */
export const markMissing = (db: Database, versions: readonly FoundVersion[], now: Date): Promise<unknown> =>
  rowsOf(
    db,
    `with given as (
       select * from jsonb_to_recordset(cast(:versions as jsonb)) as v (form_id uuid, version integer, version_id uuid, is_missing boolean)
     ), marked as (
       insert into insight_version_by_id as v (version_id, form_id, version, missing_since)
       select distinct on (version_id) version_id, form_id, version, cast(:now as timestamptz) from given where is_missing order by version_id
       on conflict (version_id) do update set missing_since = excluded.missing_since where v.missing_since is null
     )
     update insight_version_by_id v set missing_since = null
       from given where v.version_id = given.version_id and not given.is_missing and v.missing_since is not null`,
    { versions: JSON.stringify(versions), now },
  );
