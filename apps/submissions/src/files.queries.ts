import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

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
  created_at: Date;
}

export interface FileRow extends FileKey {
  name: string;
  content_type: string;
  size: number;
}

/**
 * Notes a file of which no byte is stored yet. The uploads of one address wait for each other here, so that the limit holds exactly.
 * @returns false, and notes nothing, if the address has as many unclaimed files as it may.
 */
export async function begin(trx: Transaction, file: NewFile, limit: number): Promise<boolean> {
  if (file.address !== null) await trx.raw(`select pg_advisory_xact_lock(hashtext('file'), hashtext(?))`, [file.address]);
  const begun = await rowsOf(
    trx,
    `insert into file (id, instance_id, form_id, field_key, state, name, address, created_at)
     select :id, :instance_id, :form_id, :field_key, 'uploading', :name, cast(:address as inet), :created_at
      where (select count(*) from file where address = cast(:address as inet) and state <> 'claimed') < :limit
     returning id`,
    { ...file, limit },
  );
  return begun.length > 0;
}

/** All of its bytes are stored. @returns false if it was given up meanwhile. */
export async function complete(db: Database, id: string, { contentType, size }: { contentType: string; size: number }): Promise<boolean> {
  const completed = await rowsOf(
    db,
    `update file set state = 'stored', content_type = :contentType, size = :size where id = :id and state = 'uploading' returning id`,
    { id, contentType, size },
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
