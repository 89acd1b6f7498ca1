import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { SubmissionRow } from '../submission/submissions.queries';

/** Answers that a correction replaced, and that correction. */
export interface RevisionRow {
  submission_id: string;
  /** 0 for the answers as they were accepted. */
  number: number;
  changed_by_kind: string;
  changed_by_id: string;
  reason: string | null;
  changed_at: Date;
}

/** JSON text. */
export type RevisionWithData = RevisionRow & { data: string };

/** Replaces the answers of a locked submission, and keeps the earlier ones. */
export async function replaceAnswers(trx: Transaction, data: string, kept: RevisionRow): Promise<void> {
  await rowsOf(
    trx,
    `with kept as (
       insert into submission_revision (submission_id, number, data, changed_by_kind, changed_by_id, reason, changed_at)
       select id, revision, data, :changed_by_kind, cast(:changed_by_id as uuid), :reason, cast(:changed_at as timestamptz)
         from submission where id = :submission_id
     )
     update submission set data = cast(:data as json), revision = revision + 1, changed_at = greatest(changed_at, cast(:changed_at as timestamptz)) where id = :submission_id`,
    { ...kept, data },
  );
}

const columns = 'submission_id, number, changed_by_kind, changed_by_id, reason, changed_at';

/** The revisions with a lower number, newest first. */
export const revisionsBefore = (db: Database, submissionId: string, number: number, limit: number): Promise<RevisionRow[]> =>
  rowsOf(db, `select ${columns} from submission_revision where submission_id = ? and number < ? order by number desc limit ?`, [
    submissionId,
    number,
    limit,
  ]);

export async function findRevision(db: Database, submissionId: string, number: number): Promise<RevisionWithData | undefined> {
  const [row] = await rowsOf<RevisionWithData>(
    db,
    `select ${columns}, data::text as data from submission_revision where submission_id = ? and number = ?`,
    [submissionId, number],
  );
  return row;
}

/** The answers of a submission as they were accepted, as JSON text. */
export async function originalAnswers(db: Database, { id, revision, data }: SubmissionRow): Promise<string> {
  return revision === 0 ? data : ((await findRevision(db, id, 0))?.data ?? data);
}
