import { rowsOf, type Transaction } from '@sheaf/postgres';
import type { Ready } from './intake';
import type { NewSubmission } from './submissions.queries';

/**
 * How many more each form with a limit may take; nobody else takes one before this transaction is over. Forms are locked in the order of
 * their ids here and when they are counted, so that two batches do not wait for each other.
 */
export async function lockRoom(trx: Transaction, batch: readonly Ready[]): Promise<Map<string, number>> {
  const limits = new Map(batch.flatMap(({ submission, limit }) => (limit === undefined ? [] : [[submission.form_id, limit] as const])));
  if (limits.size === 0) return new Map();
  const rows = await rowsOf<{ form_id: string; accepted: number }>(
    trx,
    `insert into intake as i (form_id, accepted) select form_id, 0 from unnest(cast(? as uuid[])) as form_id order by form_id
     on conflict (form_id) do update set accepted = i.accepted
     returning form_id, accepted`,
    [[...limits.keys()]],
  );
  return new Map(rows.map(({ form_id, accepted }) => [form_id, (limits.get(form_id) ?? 0) - accepted]));
}

/** Takes the keys of a batch, waiting for transactions that are just taking one. @returns the submissions that got theirs. */
export async function takeKeys(trx: Transaction, batch: readonly Ready[]): Promise<Set<string>> {
  const keys = batch.flatMap(({ submission, key }) =>
    key
      ? [{ form_id: submission.form_id, key: key.key, fingerprint: key.fingerprint.toString('hex'), submission_id: submission.id, created_at: submission.created_at }]
      : [],
  );
  if (keys.length === 0) return new Set();
  const rows = await rowsOf<{ submission_id: string }>(
    trx,
    `insert into idempotency_key (form_id, key, fingerprint, submission_id, created_at)
     select form_id, key, decode(fingerprint, 'hex'), submission_id, created_at
       from json_to_recordset(cast(? as json)) as k (form_id uuid, key text, fingerprint text, submission_id uuid, created_at timestamptz)
      order by form_id, key
     on conflict do nothing returning submission_id`,
    [JSON.stringify(keys)],
  );
  return new Set(rows.map(({ submission_id }) => submission_id));
}

/** Of submissions that had no room in the end. */
export async function releaseKeys(trx: Transaction, submissionIds: readonly string[]): Promise<void> {
  if (submissionIds.length === 0) return;
  await rowsOf(trx, 'delete from idempotency_key where submission_id = any(cast(? as uuid[]))', [[...submissionIds]]);
}

/** Stores submissions that are no spam, and counts them, in one statement. */
export async function insert(trx: Transaction, submissions: readonly NewSubmission[]): Promise<void> {
  if (submissions.length === 0) return;
  await rowsOf(
    trx,
    `with given as materialized (
       select * from json_to_recordset(cast(? as json)) as s (
         id uuid, instance_id uuid, form_id uuid, data text, schema_version integer, status text, created_at timestamptz, announced_at timestamptz)
     ), counted as (
       insert into intake as i (form_id, accepted) select form_id, count(*) from given group by form_id order by form_id
       on conflict (form_id) do update set accepted = i.accepted + excluded.accepted
       returning form_id
     ), stored as (
       insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
       select id, instance_id, form_id, cast(data as json), schema_version, status, created_at, announced_at from given
     )
     insert into listed_count as c (form_id, status, listed)
     -- What nobody reads from is done last: all others who count lock the row in intake first.
     select form_id, status, count(*) from given where form_id in (select form_id from counted) group by form_id, status order by form_id, status
     on conflict (form_id, status) do update set listed = c.listed + excluded.listed`,
    [JSON.stringify(submissions)],
  );
}
