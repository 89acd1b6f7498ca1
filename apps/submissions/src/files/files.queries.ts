import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { windowStart, type Used } from './upload-limits';

/** Whose bytes are where: what a storage key is made of. */
export interface FileKey {
  id: string;
  instance_id: string;
  form_id: string;
}

export interface NewFile extends FileKey {
  field_key: string;
  name: string;
  /** Of the network that counts as one uploader. */
  address: string | null;
  /** When its upload began, and later when it ended. */
  created_at: Date;
}

export interface FileRow extends FileKey {
  name: string;
  content_type: string;
  size: number;
}

/** Until the end of the transaction the other uploads from this network wait, so that they see each other's files. */
export async function lockNetwork(trx: Transaction, address: string | null): Promise<void> {
  if (address !== null) await trx.raw(`select pg_advisory_xact_lock(hashtext('file'), hashtext(?))`, [address]);
}

/** How much there is of each kind that is limited, for a form and a network. */
export async function used(trx: Transaction, { form_id, instance_id, address }: NewFile, now: Date): Promise<Used> {
  const [row] = await rowsOf<Used>(
    trx,
    `select coalesce((select bytes from file_bytes where scope = 'form' and id = :form_id), 0) as form_bytes,
            coalesce((select bytes from file_bytes where scope = 'instance' and id = :instance_id), 0) as instance_bytes,
            count(*) as waiting_files, cast(coalesce(sum(size), 0) as bigint) as waiting_bytes, min(created_at) as waiting_since
       from file where address = cast(:address as inet) and state <> 'claimed' and created_at > :since`,
    { form_id, instance_id, address, since: windowStart(now) },
  );
  if (!row) throw new Error('an aggregate without a row');
  return row;
}

/** Notes a file of which no byte is stored yet. */
export async function begin(trx: Transaction, file: NewFile): Promise<void> {
  await trx('file').insert({ ...file, state: 'uploading' });
}

/**
 * All of its bytes are stored, and count from now on: until the end of the transaction the other uploads to this instance wait.
 * @returns false if it was given up meanwhile
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
 * Gives files to a submission. Each has to be unclaimed and uploaded for this field of this form; locked in the order of their ids, so
 * that two submissions which claim the same ones do not wait for each other.
 * @returns the keys of the fields whose file it got
 */
export async function claim(
  trx: Transaction,
  { formId, submissionId, wanted }: { formId: string; submissionId: string; wanted: readonly { key: string; id: string }[] },
): Promise<string[]> {
  const claimed = await rowsOf<{ field_key: string }>(
    trx,
    `with free as (
       select f.id from file f join unnest(cast(:ids as uuid[]), cast(:keys as text[])) as wanted (id, key) on f.id = wanted.id and f.field_key = wanted.key
        where f.form_id = :formId and f.state = 'stored' order by f.id for update of f
     )
     update file set state = 'claimed', submission_id = :submissionId, address = null from free where file.id = free.id returning file.field_key`,
    { formId, submissionId, ids: wanted.map(({ id }) => id), keys: wanted.map(({ key }) => key) },
  );
  return claimed.map(({ field_key }) => field_key);
}

/** Unless no submission has it. */
export async function findClaimed(db: Database, formId: string, id: string): Promise<FileRow | undefined> {
  const [row] = await rowsOf<FileRow>(
    db,
    `select id, instance_id, form_id, name, content_type, size from file where form_id = ? and id = ? and state = 'claimed'`,
    [formId, id],
  );
  return row;
}

/** From now on nobody can claim it. @returns false if somebody has. */
export async function giveUp(db: Database, id: string): Promise<boolean> {
  const marked = await db('file').where({ id }).whereNot({ state: 'claimed' }).update({ state: 'removing' });
  if (marked > 0) return true;
  // Asked once more, as the update may have waited for the very transaction that claimed it. One without a row belongs to nobody.
  return (await rowsOf(db, 'select from file where id = ?', [id])).length === 0;
}

/** The same for some of those that have been there since before a moment. @returns how many */
export async function giveUpOlder(db: Database, before: Date, limit: number): Promise<number> {
  const marked = await rowsOf(
    db,
    `update file set state = 'removing' where id in (
       select id from file where state in ('uploading', 'stored') and created_at < :before order by created_at limit :limit for update skip locked
     ) returning id`,
    { before, limit },
  );
  return marked.length;
}

/** Those whose bytes are to be removed, in the order of their ids. */
export async function givenUp(db: Database, after: string, limit: number): Promise<FileKey[]> {
  return rowsOf<FileKey>(
    db,
    `select id, instance_id, form_id from file where state = 'removing' and id > :after order by id limit :limit`,
    { after, limit },
  );
}

/** Its bytes are gone. */
export async function forget(db: Database, id: string): Promise<void> {
  await db('file').where({ id, state: 'removing' }).delete();
}
