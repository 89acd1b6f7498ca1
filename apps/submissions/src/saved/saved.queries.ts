import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface NewSaved {
  form_id: string;
  /** The SHA-256 of the token in the respondent's link. */
  name: Buffer;
  sealed: Buffer;
  file_ids: readonly string[];
  created_at: Date;
  expires_at: Date;
}

/**
 * Locks what a form's saved answers take up, in bytes, until this transaction ends. Every writer does so first, so that they wait for each
 * other here and nowhere else, and see each other's changes.
 */
export async function lockBytes(trx: Transaction, formId: string): Promise<number> {
  const [row] = await rowsOf<{ bytes: number }>(
    trx,
    `insert into saved_bytes as s (form_id, bytes) values (?, 0) on conflict (form_id) do update set bytes = s.bytes returning bytes`,
    [formId],
  );
  return row?.bytes ?? 0;
}

const addBytes = async (trx: Transaction, formId: string, bytes: number): Promise<void> => {
  await rowsOf(trx, 'update saved_bytes set bytes = bytes + ? where form_id = ?', [bytes, formId]);
};

/** Saves answers, in place of those of the same name. @returns how many bytes the form has more, and the files that were named before */
export async function save(trx: Transaction, saved: NewSaved): Promise<{ added: number; fileIdsBefore: string[] }> {
  const before = await take(trx, saved.form_id, saved.name);
  const [row] = await rowsOf<{ bytes: number }>(
    trx,
    `insert into saved_answers (form_id, name, sealed, file_ids, created_at, expires_at)
     values (:form_id, :name, :sealed, cast(:file_ids as uuid[]), :created_at, :expires_at) returning bytes`,
    { ...saved, file_ids: [...saved.file_ids] },
  );
  const added = (row?.bytes ?? 0) - (before?.bytes ?? 0);
  await addBytes(trx, saved.form_id, added);
  return { added, fileIdsBefore: before?.file_ids ?? [] };
}

/** Deletes saved answers, if they are there. @returns the files that they named */
export async function erase(trx: Transaction, formId: string, name: Buffer): Promise<string[]> {
  const erased = await take(trx, formId, name);
  if (!erased) return [];
  await addBytes(trx, formId, -erased.bytes);
  return erased.file_ids;
}

async function take(trx: Transaction, formId: string, name: Buffer): Promise<{ bytes: number; file_ids: string[] } | undefined> {
  const [row] = await rowsOf<{ bytes: number; file_ids: string[] }>(
    trx,
    'delete from saved_answers where form_id = ? and name = ? returning bytes, file_ids',
    [formId, name],
  );
  return row;
}

export async function find(
  db: Database,
  formId: string,
  name: Buffer,
  now: Date,
): Promise<{ sealed: Buffer; expires_at: Date } | undefined> {
  const [row] = await rowsOf<{ sealed: Buffer; expires_at: Date }>(
    db,
    'select sealed, expires_at from saved_answers where form_id = ? and name = ? and expires_at > ?',
    [formId, name, now],
  );
  return row;
}

/** The form of the saved answers that expired first. */
export async function formWithExpired(db: Database, now: Date): Promise<string | undefined> {
  const [row] = await rowsOf<{ form_id: string }>(
    db,
    'select form_id from saved_answers where expires_at <= ? order by expires_at limit 1',
    [now],
  );
  return row?.form_id;
}

/** Deletes up to `limit` expired answers of a form. @returns how many */
export async function eraseExpired(trx: Transaction, formId: string, now: Date, limit: number): Promise<number> {
  const erased = await rowsOf<{ bytes: number }>(
    trx,
    `delete from saved_answers where form_id = :formId and name in (
       select name from saved_answers where form_id = :formId and expires_at <= :now order by expires_at limit :limit
     ) returning bytes`,
    { formId, now, limit },
  );
  await addBytes(
    trx,
    formId,
    erased.reduce((sum, { bytes }) => sum - bytes, 0),
  );
  return erased.length;
}
