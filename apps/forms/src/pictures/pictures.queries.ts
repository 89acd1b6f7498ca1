import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { FormName } from '../rows';
import type { Picture } from './picture-bytes';

export interface PictureRow extends Picture {
  id: string;
  is_published: boolean;
}

export async function picture(db: Database, formId: string, id: string): Promise<PictureRow | undefined> {
  const [row] = await rowsOf<PictureRow>(db, 'select id, type, bytes, is_published from form_picture where form_id = ? and id = ?', [
    formId,
    id,
  ]);
  return row;
}

export const pictures = (db: Database, formId: string, ids: readonly string[]): Promise<PictureRow[]> =>
  rowsOf<PictureRow>(db, 'select id, type, bytes, is_published from form_picture where form_id = ? and id = any(?)', [formId, [...ids]]);

/** A picture of some version of a published form. */
export async function publishedPicture(db: Database, instanceId: string, by: FormName, id: string): Promise<Picture | undefined> {
  const [condition, value] = 'id' in by ? ['f.id = ?', by.id] : ['f.slug = ?', by.slug];
  const [row] = await rowsOf<Picture>(
    db,
    `select p.type, p.bytes from form f join form_picture p on p.form_id = f.id
      where f.instance_id = ? and ${condition} and f.status <> 'trashed' and p.id = ? and p.is_published`,
    [instanceId, value, id],
  );
  return row;
}

/** Keeps pictures of a form; those that are there already count as just used. */
export async function insertPictures(
  trx: Transaction,
  formId: string,
  added: readonly (Picture & { id: string })[],
  now: Date,
): Promise<void> {
  if (added.length === 0) return;
  await trx('form_picture')
    .insert(added.map(({ id, type, bytes }) => ({ form_id: formId, id, type, bytes, used_at: now })))
    .onConflict(['form_id', 'id'])
    .merge(['used_at']);
}

/** @returns the number of the other pictures of a form */
export async function countOthers(db: Database, formId: string, id: string): Promise<number> {
  const [row] = await rowsOf<{ others: string }>(db, 'select count(*) as others from form_picture where form_id = ? and id <> ?', [
    formId,
    id,
  ]);
  return Number(row?.others);
}

/** Copies pictures of a form to another one. @returns the number of those that exist */
export async function copyPictures(trx: Transaction, from: string, to: string, ids: readonly string[], now: Date): Promise<number> {
  if (ids.length === 0) return 0;
  const copied = await rowsOf(
    trx,
    `insert into form_picture (form_id, id, type, bytes, used_at)
     select cast(:to as uuid), id, type, bytes, cast(:now as timestamptz) from form_picture where form_id = :from and id = any(:ids)
     returning id`,
    { from, to, ids: [...ids], now },
  );
  return copied.length;
}

/** Notes that pictures of a form are in use, so that nobody removes them meanwhile. @returns those that exist, with their sizes */
export const usePictures = (
  trx: Transaction,
  formId: string,
  ids: readonly string[],
  now: Date,
): Promise<{ id: string; bytes: number }[]> =>
  rowsOf(trx, 'update form_picture set used_at = ? where form_id = ? and id = any(?) returning id, octet_length(bytes) as bytes', [
    now,
    formId,
    [...ids],
  ]);

/** Notes that a version has pictures of a form. @returns those that exist, with their sizes */
export const publishPictures = (trx: Transaction, formId: string, ids: readonly string[]): Promise<{ id: string; bytes: number }[]> =>
  rowsOf(trx, 'update form_picture set is_published = true where form_id = ? and id = any(?) returning id, octet_length(bytes) as bytes', [
    formId,
    [...ids],
  ]);

/**
 * Removes pictures that no version and no draft has, of one form or of all. A legal hold keeps all, and those of drafts that were overwritten
 * under one stay as long as these. The time is compared again when a row is free: a draft may have been
 * saved with its picture in the meantime.
 * @returns the number of removed rows
 */
export async function deleteUnused(db: Database, until: Date, limit: number, formId: string | null = null): Promise<number> {
  const removed = await rowsOf(
    db,
    `delete from form_picture where not is_published and used_at < :until and (form_id, id) in (
       select p.form_id, p.id from form_picture p join draft d on d.form_id = p.form_id
        where not p.is_published and p.used_at < :until and (cast(:form as uuid) is null or p.form_id = :form)
          and position(p.id in d.fields) = 0
          and not exists (select from form_keeping k where k.form_id = p.form_id and k.legal_hold)
          and not exists (select from kept_under_hold h where h.form_id = p.form_id and position(p.id in h.contents) > 0)
        limit :limit)
     returning id`,
    { until, limit, form: formId },
  );
  return removed.length;
}
