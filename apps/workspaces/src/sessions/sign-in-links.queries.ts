import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface SignInLinkRow {
  token_hash: Buffer;
  instance_id: string;
  person_id: string;
  created_at: Date;
  expires_at: Date;
}

/** Replaces an earlier link of the person. */
export async function saveLink(trx: Transaction, link: SignInLinkRow): Promise<void> {
  await trx('sign_in_link').insert(link).onConflict(['instance_id', 'person_id']).merge();
}

/** The person whom a valid link signs in; only people with a membership in the instance. */
export async function personOfLink(db: Database, instanceId: string, hash: Buffer, now: Date): Promise<string | undefined> {
  const [row] = await rowsOf<{ person_id: string }>(
    db,
    `select person_id from sign_in_link l
      where token_hash = ? and instance_id = ? and expires_at > ?
        and exists (select from member m where m.person_id = l.person_id and m.instance_id = l.instance_id)`,
    [hash, instanceId, now],
  );
  return row?.person_id;
}

/** Uses up a link. @returns whether it was still there. */
export async function takeLink(trx: Transaction, hash: Buffer): Promise<boolean> {
  return (await trx('sign_in_link').where({ token_hash: hash }).delete()) > 0;
}

export async function deleteLinkOf(trx: Transaction, instanceId: string, personId: string): Promise<void> {
  await trx('sign_in_link').where({ instance_id: instanceId, person_id: personId }).delete();
}

/** @returns the number of deleted rows, at most the limit. */
export async function deleteExpiredLinks(db: Database, now: Date, limit: number): Promise<number> {
  const sql =
    'delete from sign_in_link where token_hash in (select token_hash from sign_in_link where expires_at <= ? limit ? for update skip locked) returning token_hash';
  return (await rowsOf(db, sql, [now, limit])).length;
}
