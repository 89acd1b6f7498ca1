import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { Decided } from './grace';

/** An erasure that is not complete in this service. */
export interface OpenErasure {
  id: string;
  instance_id: string;
  form_id: string;
  whole_form: boolean;
  /** Deleted so far. */
  submissions: number;
  files: number;
  begun_at: Date;
  confirmed_at: Date | null;
}

/** Opens an erasure. One that is open already stays as it is. */
export async function open(trx: Transaction, erasure: OpenErasure): Promise<void> {
  await trx('erasure').insert(erasure).onConflict('id').ignore();
}

/** The erasures that were begun first. */
export const openErasures = (db: Database, limit: number): Promise<OpenErasure[]> =>
  rowsOf<OpenErasure>(db, 'select * from erasure order by begun_at, id limit ?', [limit]);

/** Locks an erasure until this transaction ends, unless another process has it. */
export async function lock(trx: Transaction, id: string): Promise<OpenErasure | undefined> {
  const [row] = await rowsOf<OpenErasure>(trx, 'select * from erasure where id = ? for update skip locked', [id]);
  return row;
}

export const confirm = (trx: Transaction, id: string, at: Date): Promise<unknown> =>
  trx('erasure').where({ id }).update({ confirmed_at: at });

export async function close(trx: Transaction, id: string): Promise<void> {
  await trx('erasure').where({ id }).delete();
}

/**
 * Some submissions of a form, wherever they are; none if it has none. The two conditions are those of indexes: without them, PostgreSQL reads the
 * submissions of all forms in the order of their ids, as it expects to meet some of this form soon.
 */
export async function someIds(trx: Transaction, formId: string, limit: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    trx,
    `(select id from submission where form_id = :formId and deleted_at is null and spam_at is null order by created_at desc, id desc limit :limit)
     union all
     (select id from submission where form_id = :formId and (deleted_at is not null or spam_at is not null) order by created_at, id limit :limit)
     limit :limit`,
    { formId, limit },
  );
  return rows.map(({ id }) => id);
}

/** Those of these submissions that are there, wherever they are. */
export const existing = (db: Database, ids: readonly string[]): Promise<{ id: string; form_id: string; instance_id: string }[]> =>
  rowsOf(db, 'select id, form_id, instance_id from submission where id = any(?::uuid[]) order by id', [[...ids]]);

/** Whether nothing of the form may be erased. The answer holds until this transaction ends. */
export async function isHeld(trx: Transaction, formId: string): Promise<boolean> {
  const [row] = await rowsOf<{ legal_hold: boolean }>(trx, 'select legal_hold from form_keeping where form_id = ? for share', [formId]);
  return row?.legal_hold ?? false;
}

/**
 * Deletes submissions of a form and everything that belongs to them. Their files are marked for removal without their names, and the events that
 * nobody has received yet lose the answers with their rows.
 * @returns the number of files
 */
export async function deleteAll(
  trx: Transaction,
  { erasureId, formId }: { erasureId: string; formId: string },
  ids: readonly string[],
): Promise<number> {
  const named = { ids: [...ids], erasureId };
  const [files] = await rowsOf<{ count: number }>(
    trx,
    `with marked as (
       update file set state = 'removing', submission_id = null, name = '', content_type = null
        where submission_id = any(cast(:ids as uuid[])) returning id
     ), noted as (
       insert into erased_file (erasure_id, file_id) select cast(:erasureId as uuid), id from marked
     )
     select count(*) as count from marked`,
    named,
  );
  // As whoever stores submissions: the row of the form first, then their keys. The deletion of submissions locks it too.
  await rowsOf(trx, 'select lock_submission_changes(array[cast(? as uuid)])', [formId]);
  // The age finds the keys of submissions: a key is taken in the moment in which its submission is made.
  await rowsOf(
    trx,
    `delete from idempotency_key k using submission s
      where s.id = any(cast(:ids as uuid[])) and k.created_at = s.created_at and k.form_id = s.form_id and k.submission_id = s.id`,
    named,
  );
  for (const table of ['status_change', 'submission_deed', 'submission_revision', 'note', 'payment'] as const)
    await rowsOf(trx, `delete from ${table} where submission_id = any(cast(:ids as uuid[]))`, named);
  await rowsOf(trx, `delete from outbox where subject = any(cast(:ids as text[])) and type = 'submission.created'`, named);
  await rowsOf(trx, 'delete from submission where id = any(cast(:ids as uuid[]))', named);
  return files?.count ?? 0;
}

/** Counts what an erasure has deleted. */
export async function count(trx: Transaction, id: string, { submissions, files }: { submissions: number; files: number }): Promise<void> {
  await rowsOf(trx, 'update erasure set submissions = submissions + :submissions, files = files + :files where id = :id', {
    id,
    submissions,
    files,
  });
}

/** Files of an erasure that are still to be removed. */
export const remainingFiles = (
  db: Database,
  erasureId: string,
  limit: number,
): Promise<{ id: string; instance_id: string; form_id: string }[]> =>
  rowsOf(
    db,
    `select f.id, f.instance_id, f.form_id from erased_file e join file f on f.id = e.file_id where e.erasure_id = ? order by f.id limit ?`,
    [erasureId, limit],
  );

/** Deletes what belongs to a form itself: its counts, list blocks, keys and saved answers. @returns false once nothing is left */
export async function deleteRest(trx: Transaction, formId: string, limit: number): Promise<boolean> {
  let deleted = 0;
  for (const table of formTables) {
    const rows = await rowsOf(
      trx,
      `delete from ${table} where ctid = any(array(select ctid from ${table} where form_id = ? limit ?)) returning 1`,
      [formId, limit],
    );
    deleted += rows.length;
  }
  return deleted > 0;
}

const formTables = [
  'submission_import',
  'idempotency_key',
  'saved_answers',
  'saved_bytes',
  'list_block_count',
  'list_block',
  'listed_count',
  'apart_count',
  'submission_change',
  'unique_answer',
  'option_place',
  'exact_field',
  'exact_form',
  'intake',
  'reindex',
  'form_keeping',
  'insight_count',
  'insight_quarter',
  'insight_form',
  'insight_version',
  'insight_missing_version',
  'insight_version_by_id',
  'visit_count',
  'step_count',
  'bulk_change',
] as const;

/** Marks the files of a form that no submission has for removal. @returns how many */
export async function markUnclaimed(trx: Transaction, erasureId: string, formId: string, limit: number): Promise<number> {
  const rows = await rowsOf(
    trx,
    `with marked as (
       update file set state = 'removing', name = '', address = null
        where id = any(array(select f.id from file f where f.form_id = :formId and f.state in ('uploading', 'stored') limit :limit)) returning id
     )
     insert into erased_file (erasure_id, file_id) select cast(:erasureId as uuid), id from marked on conflict do nothing returning file_id`,
    { erasureId, formId, limit },
  );
  return rows.length;
}

/** How a form keeps submissions. A form without a row keeps all of them, and can be searched. */
export interface KeepingRow extends Decided {
  form_id: string;
  instance_id: string;
  workspace_id: string;
  legal_hold: boolean;
  searchable: boolean;
  revision: number;
}

/** Locks how a form keeps submissions until this transaction ends. */
export async function lockKeeping(
  trx: Transaction,
  form: Pick<KeepingRow, 'form_id' | 'instance_id' | 'workspace_id'>,
): Promise<KeepingRow> {
  const [row] = await rowsOf<KeepingRow>(
    trx,
    `insert into form_keeping (form_id, instance_id, workspace_id, legal_hold) values (:form_id, :instance_id, :workspace_id, false)
     on conflict (form_id) do update set form_id = excluded.form_id
     returning *`,
    form,
  );
  if (!row) throw new Error('the keeping of a form was not locked');
  return row;
}

export async function saveKeeping(trx: Transaction, row: KeepingRow): Promise<void> {
  await trx('form_keeping')
    .where({ form_id: row.form_id })
    .update({ ...row, decided: JSON.stringify(row.decided) });
}
