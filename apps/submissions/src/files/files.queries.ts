import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { windowStart, type Usage } from './upload-limits';

/** The parts of a file's storage key. */
export interface FileKey {
  id: string;
  instance_id: string;
  form_id: string;
}

export interface NewFile extends FileKey {
  field_key: string;
  name: string;
  /** The network that counts as one uploader. */
  address: string | null;
  /** When the upload began; once the file is stored, when it ended. */
  created_at: Date;
}

export interface FileRow extends FileKey {
  name: string;
  content_type: string;
  size: number;
}

/** The names of the files of a submission, by their ids. */
export async function namesOf(db: Database, submissionId: string): Promise<Record<string, string>> {
  const found = await db<FileRow & { submission_id: string }>('file').where({ submission_id: submissionId }).select('id', 'name');
  return Object.fromEntries(found.map(({ id, name }) => [id, name]));
}

/** The same of several submissions together. */
export async function namesOfMany(db: Database, submissionIds: readonly string[]): Promise<Map<string, string>> {
  const found = await rowsOf<FileRow>(db, 'select id, name from file where submission_id = any(cast(? as uuid[]))', [[...submissionIds]]);
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** A file of a submission, and the question that it answers. */
export type ClaimedFile = FileRow & { submission_id: string; field_key: string };

/** The files of several submissions, with those that corrections have replaced. */
export const claimedOf = (db: Database, submissionIds: readonly string[]): Promise<ClaimedFile[]> =>
  rowsOf<ClaimedFile>(
    db,
    `select id, instance_id, form_id, submission_id, field_key, name, content_type, size from file
      where submission_id = any(cast(? as uuid[])) and state = 'claimed'`,
    [[...submissionIds]],
  );

/** Blocks other uploads from this network until the transaction ends, so that they see each other's files. */
export async function lockNetwork(trx: Transaction, address: string | null): Promise<void> {
  if (address !== null) await trx.raw(`select pg_advisory_xact_lock(hashtext('file'), hashtext(?))`, [address]);
}

/** Current usage of each limit, for the file's form, instance and network. */
export async function usageOf(trx: Transaction, { form_id, instance_id, address }: NewFile, now: Date): Promise<Usage> {
  const [row] = await rowsOf<Usage>(
    trx,
    `select coalesce((select bytes from file_bytes where scope = 'form' and id = :form_id), 0) as form_bytes,
            coalesce((select bytes from file_bytes where scope = 'instance' and id = :instance_id), 0) as instance_bytes,
            count(*) as waiting_files, cast(coalesce(sum(size), 0) as bigint) as waiting_bytes, min(created_at) as waiting_since
       from file where address = cast(:address as inet) and state <> 'claimed' and created_at > :since`,
    { form_id, instance_id, address, since: windowStart(now) },
  );
  if (!row) throw new Error('an aggregate query returned no row');
  return row;
}

/** Inserts a file before any of its bytes are stored. */
export async function insert(trx: Transaction, file: NewFile): Promise<void> {
  await trx('file').insert({ ...file, state: 'uploading' });
}

/**
 * Marks a file as fully stored. Its bytes count from now on, and other uploads to this instance wait until the transaction ends.
 * @returns false if the file was marked for removal in the meantime
 */
export async function complete(
  trx: Transaction,
  id: string,
  { contentType, size, now }: { contentType: string; size: number; now: Date },
): Promise<boolean> {
  const completed = await rowsOf(
    trx,
    `update file set state = 'stored', content_type = :contentType, size = :size, created_at = :now where id = :id and state = 'uploading' returning id`,
    { id, contentType, size, now },
  );
  return completed.length > 0;
}

/**
 * Assigns files to a submission. Each must be uploaded for this field of this form, be of the type if one is wanted, and be unclaimed or the submission's own. Rows are locked in the order of their
 * ids, so that two submissions that claim the same files cannot deadlock.
 * @returns the ids of the files that the submission now has
 */
export async function claim(
  trx: Transaction,
  { formId, submissionId, wanted }: { formId: string; submissionId: string; wanted: readonly { key: string; id: string; type: string }[] },
): Promise<string[]> {
  const claimed = await rowsOf<{ id: string }>(
    trx,
    `with free as (
       select f.id from file f join unnest(cast(:ids as uuid[]), cast(:keys as text[]), cast(:types as text[])) as wanted (id, key, type)
         on f.id = wanted.id and f.field_key = wanted.key and wanted.type in ('', f.content_type)
        where f.form_id = :formId and (f.state = 'stored' or f.submission_id = :submissionId) order by f.id for update of f
     )
     update file set state = 'claimed', submission_id = :submissionId, address = null from free where file.id = free.id returning file.id`,
    { formId, submissionId, ids: wanted.map(({ id }) => id), keys: wanted.map(({ key }) => key), types: wanted.map(({ type }) => type) },
  );
  return claimed.map(({ id }) => id);
}

/** Keeps each of the files that is unclaimed as long as any saved answers that name it. Rows are locked in the order of their ids. */
export async function keepWithSavedAnswers(trx: Transaction, formId: string, ids: readonly string[]): Promise<void> {
  await rowsOf(
    trx,
    `with unclaimed as (
       select id from file where form_id = :formId and id = any(cast(:ids as uuid[])) and state = 'stored' order by id for update
     )
     update file set kept_until = (
       select max(expires_at) from saved_answers s where s.form_id = :formId and s.file_ids @> array[file.id]
     ) from unclaimed where file.id = unclaimed.id`,
    { formId, ids: [...ids] },
  );
}

/** Finds a file that belongs to a submission. */
export async function findClaimed(db: Database, formId: string, id: string): Promise<FileRow | undefined> {
  const [row] = await rowsOf<FileRow>(
    db,
    `select id, instance_id, form_id, name, content_type, size from file where form_id = ? and id = ? and state = 'claimed'`,
    [formId, id],
  );
  return row;
}

/** The files among these that belong to submissions of a form. */
export const claimedAmong = (
  db: Database,
  { instanceId, formId, fileIds }: { instanceId: string; formId: string; fileIds: readonly string[] },
): Promise<FileRow[]> =>
  rowsOf<FileRow>(
    db,
    `select id, instance_id, form_id, name, content_type, size from file
      where id = any(cast(:ids as uuid[])) and form_id = :form and instance_id = :instance and state = 'claimed' order by id`,
    { ids: [...fileIds], form: formId, instance: instanceId },
  );

/** Marks a file for removal, so that it can no longer be claimed. @returns false if a submission has claimed it */
export async function markForRemoval(db: Database, id: string): Promise<boolean> {
  const marked = await db('file').where({ id }).whereNot({ state: 'claimed' }).update({ state: 'removing' });
  if (marked > 0) return true;
  // Look again: the update may have waited for the very transaction that claimed the file. A file without a row is unclaimed.
  return (await rowsOf(db, 'select from file where id = ?', [id])).length === 0;
}

/** Marks up to `limit` unclaimed files from before a point in time for removal, except those that are kept until later. @returns how many */
export async function markOldForRemoval(db: Database, { before, now }: { before: Date; now: Date }, limit: number): Promise<number> {
  const marked = await rowsOf(
    db,
    `update file set state = 'removing' where id in (
       select id from file where state in ('uploading', 'stored') and created_at < :before and (kept_until is null or kept_until <= :now) order by created_at limit :limit for update skip locked
     ) returning id`,
    { before, now, limit },
  );
  return marked.length;
}

/** Files that are marked for removal, ordered by id. */
export async function markedForRemoval(db: Database, after: string, limit: number): Promise<FileKey[]> {
  return rowsOf<FileKey>(
    db,
    `select id, instance_id, form_id from file where state = 'removing' and id > :after order by id limit :limit`,
    { after, limit },
  );
}

/** Deletes the row of a file whose bytes have been removed. */
export async function deleteRow(db: Database, id: string): Promise<void> {
  await db('file').where({ id, state: 'removing' }).delete();
}

/** A file in a state, and the submission that has it, if one does. */
export interface StoredFile extends FileKey {
  state: string;
  /** Null until it is stored. */
  size: number | null;
  submission_id: string | null;
}

const stored = 'id, instance_id, form_id, state, size, submission_id';

/** Files whose bytes must all be there, after one, in the order of their ids. Reads as many rows as it returns, and those of uploads under way. */
export const filesAfter = (db: Database, after: string, limit: number): Promise<StoredFile[]> =>
  rowsOf(db, `select ${stored} from file where id > cast(? as uuid) and state in ('stored', 'claimed') order by id limit ?`, [
    after,
    limit,
  ]);

export const filesAmong = (db: Database, ids: readonly string[]): Promise<StoredFile[]> =>
  rowsOf(db, `select ${stored} from file where id = any(cast(? as uuid[]))`, [[...ids]]);

/** Those among these that are files of exports in the background. */
export const filesOfExports = (db: Database, ids: readonly string[]): Promise<FileKey[]> =>
  rowsOf(db, 'select id, instance_id, form_id from export_file where id = any(cast(? as uuid[]))', [[...ids]]);
