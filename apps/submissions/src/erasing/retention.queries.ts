import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { SubmissionState } from '../submission/submissions.queries';
import { undecided, type Decided, type Decision } from './grace';

/** A form of which something may be over its time. */
export interface KeptForm {
  form_id: string;
  instance_id: string;
  /** Null if `forms` has told nothing of how the form keeps submissions. */
  workspace_id: string | null;
}

/** The instance decides what the form does not. */
const effectiveDays = ['trash_days', 'submissions_days', 'files_days'].map((days) => `coalesce(k.${days}, i.${days})`).join(', ');

/** Forms after a given id that have settings of their own, keep something only for a time, and are not under legal hold. */
export const formsWithSettings = (db: Database, after: string, limit: number): Promise<KeptForm[]> =>
  rowsOf<KeptForm>(
    db,
    `select k.form_id, k.instance_id, k.workspace_id from form_keeping k left join instance_keeping i using (instance_id)
      where k.form_id > ? and not k.legal_hold and coalesce(${effectiveDays}) is not null
      order by k.form_id limit ?`,
    [after, limit],
  );

/** Whether an instance decides how long its forms keep submissions. */
export async function hasInstanceWithDays(db: Database): Promise<boolean> {
  return (
    (await rowsOf(db, 'select from instance_keeping where coalesce(trash_days, submissions_days, files_days) is not null limit 1')).length >
    0
  );
}

/**
 * The next forms after a given id that ever had a submission, in any instance, and whether each has no settings of its own and an instance
 * that keeps something only for a time.
 */
export const formsWithSubmissions = (db: Database, after: string, limit: number): Promise<(KeptForm & { is_kept: boolean })[]> =>
  rowsOf<KeptForm & { is_kept: boolean }>(
    db,
    `select t.form_id, s.instance_id, cast(null as uuid) as workspace_id,
            coalesce(i.trash_days, i.submissions_days, i.files_days) is not null
              and not exists (select from form_keeping k where k.form_id = t.form_id) as is_kept
       from (select form_id from intake where form_id > ? order by form_id limit ?) t
       left join lateral (
         -- Each part reads one row of an index.
         (select instance_id from submission where form_id = t.form_id and deleted_at is null and spam_at is null
           order by created_at desc, id desc limit 1)
         union all
         (select instance_id from submission where form_id = t.form_id and deleted_at is not null order by deleted_at desc, id desc limit 1)
         union all
         (select instance_id from submission where form_id = t.form_id and deleted_at is null and spam_at is not null
           order by spam_at desc, id desc limit 1)
         limit 1
       ) s on true
       left join instance_keeping i on i.instance_id = s.instance_id
      order by t.form_id`,
    [after, limit],
  );

/** The decision about a form, unless it is under legal hold. The answer holds until this transaction ends. */
export async function lockDecisions(
  trx: Transaction,
  { form_id: formId, instance_id: instanceId }: Pick<KeptForm, 'form_id' | 'instance_id'>,
): Promise<{ form: Decided; instance: Decided } | undefined> {
  const [form] = await rowsOf<Decided & { legal_hold: boolean }>(
    trx,
    'select legal_hold, trash_days, submissions_days, files_days, decided from form_keeping where form_id = ? for share',
    [formId],
  );
  if (form?.legal_hold === true) return undefined;
  const [instance] = await rowsOf<Decided>(
    trx,
    'select trash_days, submissions_days, files_days, decided from instance_keeping where instance_id = ? for share',
    [instanceId],
  );
  return { form: form ?? undecided, instance: instance ?? undecided };
}

/** The decision for a form itself. */
export async function decidedOfForm(db: Database, formId: string): Promise<Decided> {
  const [row] = await rowsOf<Decided>(db, 'select trash_days, submissions_days, files_days, decided from form_keeping where form_id = ?', [
    formId,
  ]);
  return row ?? undecided;
}

/** The tables of days: of forms, and of instances. */
const keepers = { form_keeping: 'form_id', instance_keeping: 'instance_id' } as const;

export type Keeper = keyof typeof keepers;

const lastDecided = (['trash_days', 'submissions_days', 'files_days'] as const).map(
  (days) => `cast(decided -> -1 ->> '${days}' as integer)`,
);

/** Forms or instances whose days differ from the last decision that was noted. */
export async function idsWithUnnoted(db: Database, keeper: Keeper, limit: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    `select ${keepers[keeper]} as id from ${keeper}
      where (trash_days, submissions_days, files_days) is distinct from (${lastDecided.join(', ')}) limit ?`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

export async function lockDecided(trx: Transaction, keeper: Keeper, id: string): Promise<Decided | undefined> {
  const [row] = await rowsOf<Decided>(
    trx,
    `select trash_days, submissions_days, files_days, decided from ${keeper} where ${keepers[keeper]} = ? for update`,
    [id],
  );
  return row;
}

export async function saveDecided(trx: Transaction, keeper: Keeper, id: string, decided: readonly Decision[]): Promise<void> {
  await rowsOf(trx, `update ${keeper} set decided = cast(:decided as jsonb) where ${keepers[keeper]} = :id`, {
    id,
    decided: JSON.stringify(decided),
  });
}

const state = 'id, form_id, status, announced_at, spam_at, spam_reason, holds_place, deleted_at, changed_at';

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
