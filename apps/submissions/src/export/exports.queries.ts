import { databaseTime, rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { ExportFormat } from '@sheaf/contracts';
import type { FileKey } from '../files/files.queries';

export interface ExportRow {
  id: string;
  instance_id: string;
  form_id: string;
  format: ExportFormat;
  name: string;
  state: 'waiting' | 'running' | 'ready' | 'failed' | 'erased';
  reason: string | null;
  done: number;
  total: number | null;
  size: number | null;
  file_id: string | null;
  created_at: Date;
  finished_at: Date | null;
  expires_at: Date;
}

/** The caller who asked for an export, and nobody else, may have it. */
export interface Asker {
  formId: string;
  callerKind: string;
  callerId: string;
}

export type NewExport = Pick<ExportRow, 'id' | 'instance_id' | 'form_id' | 'format' | 'name' | 'total' | 'created_at' | 'expires_at'> & {
  workspace_id: string;
  caller_kind: string;
  caller_id: string;
  /** JSON. */
  plan: string;
  /** The number that a process must know to make it. */
  needs: number;
};

/** Something of its form was erased after it was begun. */
const isOutdated = 'exists (select from export_erasure e where e.form_id = x.form_id and e.id > x.erasures_before)';

const shown = `id, instance_id, form_id, format, name, reason, done, total, size, file_id, created_at, finished_at, expires_at,
  case when state = 'ready' and ${isOutdated} then 'erased' else state end as state`;

const ofAsker = 'form_id = :formId and caller_kind = :callerKind and caller_id = :callerId';

/** The exports of a workspace, as far as they are there. Others that are being asked for wait until this transaction ends. */
export async function countOf(trx: Transaction, workspaceId: string): Promise<{ unfinished: number; kept: number }> {
  await rowsOf(trx, `select pg_advisory_xact_lock(hashtext('exports'), hashtext(?))`, [workspaceId]);
  const [row] = await rowsOf<{ unfinished: number; kept: number }>(
    trx,
    `select count(*) filter (where state in ('waiting', 'running')) as unfinished, count(*) as kept from form_export where workspace_id = ?`,
    [workspaceId],
  );
  return row ?? { unfinished: 0, kept: 0 };
}

export const insert = (trx: Transaction, row: NewExport): Promise<unknown> => trx('form_export').insert({ ...row, state: 'waiting' });

export const listOf = (db: Database, asker: Asker): Promise<ExportRow[]> =>
  rowsOf(db, `select ${shown} from form_export x where ${ofAsker} order by created_at desc, id desc limit 100`, { ...asker });

export async function find(db: Database, asker: Asker, id: string): Promise<ExportRow | undefined> {
  const [row] = await rowsOf<ExportRow>(db, `select ${shown} from form_export x where ${ofAsker} and id = :id`, { ...asker, id });
  return row;
}

/** Deletes an export, and has its bytes removed. @returns whether it was there */
export async function remove(trx: Transaction, asker: Asker, id: string): Promise<boolean> {
  const rows = await rowsOf<{ file_id: string | null }>(trx, `delete from form_export where ${ofAsker} and id = :id returning file_id`, {
    ...asker,
    id,
  });
  await removeBytes(
    trx,
    rows.flatMap(({ file_id: file }) => file ?? []),
  );
  return rows.length > 0;
}

const removeBytes = async (db: Database, files: readonly string[]): Promise<void> => {
  if (files.length > 0)
    await rowsOf(db, `update export_file set remove_at = '-infinity' where id = any(cast(? as uuid[])) and remove_at is null`, [
      [...files],
    ]);
};

/**
 * Has the bytes removed that this process has written, also if their removal was noted before: some may have come since. Those of an export that
 * is ready stay, as the process may not have learned that it is.
 */
const removeWritten = (db: Database, fileId: string): Promise<unknown> =>
  rowsOf(
    db,
    `update export_file f set written_until = null, remove_at = '-infinity', removed = false
      where id = :fileId and not exists (select from form_export where form_id = f.form_id and file_id = f.id and state = 'ready')`,
    { fileId },
  );

/** An export that this process has. */
export interface Claimed extends FileKey {
  export_id: string;
  format: string;
  /** JSON. */
  plan: string;
  runs: number;
}

/** Exports that nobody has and that this process can make, the oldest first. */
export const waiting = (
  db: Database,
  { moment, knows, limit }: { moment: Date | null; knows: number; limit: number },
): Promise<{ id: string; form_id: string }[]> =>
  rowsOf(
    db,
    `select id, form_id from form_export
      where state in ('waiting', 'running') and coalesce(leased_until, '-infinity') <= ${databaseTime()} and needs <= :knows
      order by created_at, id limit :limit`,
    { moment, knows, limit },
  );

/**
 * Takes an export. It is begun anew, with bytes of its own, so that a process that has lost it can spoil nothing.
 * @returns undefined if another process has it, or if something of its form is being erased at this moment
 */
export async function claim(
  trx: Transaction,
  { id, form_id: formId }: { id: string; form_id: string },
  { fileId, moment, leaseMs }: { fileId: string; moment: Date | null; leaseMs: number },
): Promise<Claimed | undefined> {
  const [lock] = await rowsOf<{ got: boolean }>(
    trx,
    `select pg_try_advisory_xact_lock(hashtext('export'), hashtext(cast(:formId as text))) as got`,
    { formId },
  );
  if (lock?.got !== true) return undefined;
  const [before] = await rowsOf<{ file_id: string | null }>(
    trx,
    `select file_id from form_export
      where id = :id and state in ('waiting', 'running') and coalesce(leased_until, '-infinity') <= ${databaseTime()} for update skip locked`,
    { id, moment },
  );
  if (!before) return undefined;
  if (before.file_id !== null) await removeBytes(trx, [before.file_id]);
  const [row] = await rowsOf<Claimed>(
    trx,
    `with claimed as (
       update form_export set state = 'running', runs = runs + 1, file_id = :fileId, done = 0,
              leased_until = ${databaseTime()} + :leaseMs * interval '1 millisecond',
              erasures_before = coalesce((select max(id) from export_erasure e where e.form_id = form_export.form_id), 0)
        where id = :id returning id, instance_id, form_id, format, cast(plan as text) as plan, runs
     ), added as (
       insert into export_file (id, instance_id, form_id, written_until)
       select :fileId, instance_id, form_id, ${databaseTime()} + :leaseMs * interval '1 millisecond' from claimed
     )
     select id as export_id, cast(:fileId as uuid) as id, instance_id, form_id, format, plan, runs from claimed`,
    { id, fileId, moment, leaseMs },
  );
  return row;
}

/** Of the process that has it, and only while nothing that it may have read was erased. */
const isOurs = `id = :exportId and file_id = :fileId and state = 'running' and not ${isOutdated}`;

/** Tells how far an export is. @returns whether this process still has it */
export async function renew(
  db: Database,
  { export_id: exportId, id: fileId }: Claimed,
  { done, moment, leaseMs }: { done: number; moment: Date | null; leaseMs: number },
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    // Also of an export that it has lost, it writes until it has learned of that.
    `with written as (
       update export_file set written_until = ${databaseTime()} + :leaseMs * interval '1 millisecond' where id = :fileId
     )
     update form_export x set done = :done, leased_until = ${databaseTime()} + :leaseMs * interval '1 millisecond' where ${isOurs} returning 1`,
    { exportId, fileId, done, moment, leaseMs },
  );
  return rows.length > 0;
}

/** @returns whether this process still had it. Else the bytes are to be removed. */
export async function finish(
  db: Database,
  { export_id: exportId, id: fileId }: Claimed,
  { done, size, now, expiresAt }: { done: number; size: number; now: Date; expiresAt: Date },
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `with ready as (
       update form_export x set state = 'ready', done = :done, size = :size, plan = null, leased_until = null, finished_at = :now, expires_at = :expiresAt
        where ${isOurs} returning file_id
     )
     update export_file f set written_until = null from ready where f.id = ready.file_id returning 1`,
    { exportId, fileId, done, size, now, expiresAt },
  );
  return rows.length > 0;
}

/** Gives an export back. A process that lost it changes nothing but its own bytes. @param after when somebody may take it */
export async function giveBack(
  trx: Transaction,
  { export_id: exportId, id: fileId }: Claimed,
  { after, counts }: { after: Date | null; counts: boolean },
): Promise<void> {
  await rowsOf(
    trx,
    `update form_export set state = 'waiting', leased_until = :after, done = 0, runs = runs - :given where id = :exportId and file_id = :fileId and state = 'running'`,
    { exportId, fileId, after, given: counts ? 0 : 1 },
  );
  await removeWritten(trx, fileId);
}

export async function fail(
  trx: Transaction,
  { export_id: exportId, id: fileId }: Claimed,
  { reason, now, expiresAt }: { reason: string; now: Date; expiresAt: Date },
): Promise<void> {
  await rowsOf(
    trx,
    `update form_export set state = 'failed', reason = :reason, plan = null, leased_until = null, finished_at = :now, expires_at = :expiresAt
      where id = :exportId and file_id = :fileId and state = 'running'`,
    { exportId, fileId, reason, now, expiresAt },
  );
  await removeWritten(trx, fileId);
}

/** Ends exports that are over, or outdated. */
export async function withdraw(trx: Transaction, { now, tooOld }: { now: Date; tooOld: Date }): Promise<void> {
  const outdated = await rowsOf<{ file_id: string | null }>(
    trx,
    `update form_export x set state = 'erased', size = null where state = 'ready' and ${isOutdated} returning file_id`,
  );
  const over = await rowsOf<{ file_id: string | null }>(trx, 'delete from form_export where expires_at <= :now returning file_id', { now });
  const late = await rowsOf<{ file_id: string | null }>(
    trx,
    `update form_export set state = 'failed', reason = 'took_too_long', plan = null, leased_until = null, finished_at = :now,
            expires_at = cast(:now as timestamptz) + interval '1 day'
      where state in ('waiting', 'running') and created_at <= :tooOld returning file_id`,
    { now, tooOld },
  );
  await removeBytes(
    trx,
    [...outdated, ...over, ...late].flatMap(({ file_id: file }) => file ?? []),
  );
}

/** Forgets erasures that no export was begun before. */
export const forgetErasures = (db: Database, before: Date): Promise<unknown> =>
  rowsOf(db, 'delete from export_erasure where at < ?', [before]);

/** Of a form that is erased, everything; of another, what was begun before an erasure. */
export async function withdrawOf(trx: Transaction, formId: string, { whole }: { whole: boolean }): Promise<void> {
  const rows = await rowsOf<{ file_id: string | null }>(
    trx,
    whole
      ? 'delete from form_export where form_id = :formId returning file_id'
      : `update form_export x set state = case when state = 'ready' then 'erased' else state end, size = null
          where form_id = :formId and state in ('ready', 'running') and ${isOutdated} returning file_id`,
    { formId },
  );
  await removeBytes(
    trx,
    rows.flatMap(({ file_id: file }) => file ?? []),
  );
  // No export is left that has to know.
  if (whole) await rowsOf(trx, 'delete from export_erasure where form_id = ?', [formId]);
}

/** Bytes that are to be removed by now, and that nobody writes any more. */
export const removable = (db: Database, moment: Date | null, limit: number, formId?: string): Promise<FileKey[]> =>
  rowsOf(
    db,
    `select id, instance_id, form_id from export_file
      where remove_at <= ${databaseTime()} and coalesce(written_until, '-infinity') <= ${databaseTime()}
        and (cast(:formId as uuid) is null or (form_id = :formId and not removed)) order by remove_at limit :limit`,
    { moment, limit, formId: formId ?? null },
  );

/** Whether bytes of a form are to be removed that a process may still be writing. */
export async function areSomeWritten(db: Database, formId: string): Promise<boolean> {
  return (
    (await rowsOf(db, 'select from export_file where form_id = ? and remove_at is not null and not removed limit 1', [formId])).length > 0
  );
}

/** After the first time they are removed once more. Two processes may have removed the same ones. */
export const noteRemoval = (db: Database, id: string, { moment, againMs }: { moment: Date | null; againMs: number }): Promise<unknown> =>
  rowsOf(
    db,
    `with over as (delete from export_file where id = :id and removed and remove_at <= ${databaseTime()})
     update export_file set removed = true, remove_at = ${databaseTime()} + :againMs * interval '1 millisecond' where id = :id and not removed`,
    { id, moment, againMs },
  );
