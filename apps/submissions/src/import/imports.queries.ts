import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface ImportRow {
  id: string;
  instance_id: string;
  form_id: string;
  key: string;
  fingerprint: Buffer;
  caller_kind: string;
  caller_id: string;
  imported: number;
  left_out: number;
  events: boolean;
  created_at: Date;
}

export async function findImport(db: Database, formId: string, key: string): Promise<ImportRow | undefined> {
  const [row] = await rowsOf<ImportRow>(db, 'select * from submission_import where form_id = ? and key = ?', [formId, key]);
  return row;
}

/** @returns false if there is one with this key. Waits for a transaction that is storing it. */
export async function insertImport(trx: Transaction, row: ImportRow): Promise<boolean> {
  const inserted = await rowsOf(
    trx,
    `insert into submission_import (id, instance_id, form_id, key, fingerprint, caller_kind, caller_id, imported, left_out, events, created_at)
     values (:id, :instance_id, :form_id, :key, :fingerprint, :caller_kind, :caller_id, :imported, :left_out, :events, :created_at)
     on conflict (form_id, key) do nothing returning id`,
    { ...row },
  );
  return inserted.length > 0;
}

/** Whether the whole form is being erased, for which nothing may be stored any more. */
export async function isErased(trx: Transaction, formId: string): Promise<boolean> {
  const rows = await rowsOf(trx, 'select 1 from erasure where form_id = ? and whole_form limit 1', [formId]);
  return rows.length > 0;
}

export interface ImportedRow {
  id: string;
  /** JSON text. */
  data: string;
  created_at: Date;
  language: string | undefined;
}

/** The facts that all submissions of an import have in common. */
export interface Imported {
  importId: string;
  instanceId: string;
  formId: string;
  version: number;
  versionId: string | null;
  by: { kind: string; id: string };
  /** Null if they are not announced. */
  announcedAt: Date | null;
}

/** Stores and counts submissions. The list must be locked; then the row in intake is locked first, as by everybody who stores. */
export const storeImported = (trx: Transaction, rows: readonly ImportedRow[], of: Imported): Promise<unknown> =>
  rowsOf(
    trx,
    `with input as materialized (
       select * from json_to_recordset(cast(:rows as json)) as (id uuid, data text, created_at timestamptz, language text)
     ), counted as (
       insert into intake as i (form_id, accepted) select cast(:formId as uuid), count(*) from input
       on conflict (form_id) do update set accepted = i.accepted + excluded.accepted
       returning form_id
     ), stored as (
       insert into submission (id, instance_id, form_id, data, schema_version, version_id, status, created_at, language, announced_at,
                               entered_by_kind, entered_by_id, import_id)
       select id, cast(:instanceId as uuid), cast(:formId as uuid), cast(data as json), cast(:version as integer), cast(:versionId as uuid), 'new',
              created_at, language, cast(:announcedAt as timestamptz), :byKind, cast(:byId as uuid), cast(:importId as uuid)
         from input
     )
     insert into listed_count as c (form_id, status, listed)
     select form_id, 'new', (select count(*) from input) from counted
     on conflict (form_id, status) do update set listed = c.listed + excluded.listed`,
    { ...of, rows: JSON.stringify(rows), byKind: of.by.kind, byId: of.by.id },
  );
