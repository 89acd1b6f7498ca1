import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { SubmissionState } from '../submission/submissions.queries';

/** A form that keeps something only for a time, in days. */
export interface KeptForm {
  form_id: string;
  instance_id: string;
  workspace_id: string;
  trash_days: number | null;
  submissions_days: number | null;
  files_days: number | null;
}

/** Forms after a given id that keep something only for a time, and are not under legal hold. */
export const formsWithRetention = (db: Database, after: string, limit: number): Promise<KeptForm[]> =>
  rowsOf<KeptForm>(
    db,
    `select form_id, instance_id, workspace_id, trash_days, submissions_days, files_days from form_keeping
      where form_id > ? and not legal_hold and coalesce(trash_days, submissions_days, files_days) is not null
      order by form_id limit ?`,
    [after, limit],
  );

const state = 'id, form_id, status, announced_at, spam_at, spam_reason, holds_place, deleted_at';

/**
 * Locks submissions whose time is over, and passes over those that another transaction has. Each part reads an index in its order. A submission
 * is never marked as spam or put into the trash before it arrived, so those moments stand in for its arrival.
 */
export const lockExpired = (
  trx: Transaction,
  formId: string,
  { trashedBefore, arrivedBefore, limit }: { trashedBefore: Date | undefined; arrivedBefore: Date | undefined; limit: number },
): Promise<SubmissionState[]> =>
  rowsOf<SubmissionState>(
    trx,
    `select ${state} from submission
      where id = any(array(
        select id from (
          (select id from submission where form_id = :formId and deleted_at is not null
              and deleted_at < greatest(cast(:trashedBefore as timestamptz), cast(:arrivedBefore as timestamptz)) order by deleted_at, id limit :limit)
          union all
          (select id from submission where form_id = :formId and deleted_at is null and spam_at is null
              and created_at < cast(:arrivedBefore as timestamptz) order by created_at, id limit :limit)
          union all
          (select id from submission where form_id = :formId and deleted_at is null and spam_at is not null
              and spam_at < cast(:arrivedBefore as timestamptz) order by spam_at, id limit :limit)
        ) as expired limit :limit))
      order by id for update skip locked`,
    { formId, trashedBefore: trashedBefore ?? null, arrivedBefore: arrivedBefore ?? null, limit },
  );

/** Marks files whose time is over for removal; their submissions keep their other answers. @returns how many */
export async function markExpiredFiles(
  trx: Transaction,
  erasureId: string,
  formId: string,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const rows = await rowsOf(
    trx,
    `with marked as (
       update file set state = 'removing', submission_id = null, name = '', content_type = null
        where id = any(array(
          select id from file where form_id = :formId and state = 'claimed' and created_at < :before order by created_at limit :limit for update skip locked))
       returning id
     )
     insert into erased_file (erasure_id, file_id) select cast(:erasureId as uuid), id from marked returning file_id`,
    { erasureId, formId, before, limit },
  );
  return rows.length;
}

/** Whether a file of the form is older. */
export async function hasExpiredFile(db: Database, formId: string, before: Date): Promise<boolean> {
  const rows = await rowsOf(db, `select from file where form_id = ? and state = 'claimed' and created_at < ? limit 1`, [formId, before]);
  return rows.length > 0;
}
