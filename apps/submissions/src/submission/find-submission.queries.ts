import { rowsOf, type Database } from '@sheaf/postgres';

/** The place of a submission, without its answers. */
export interface FoundSubmission {
  id: string;
  instance_id: string;
  form_id: string;
  status: string;
  created_at: Date;
  /** When subscribers were told of it; null while they are not. */
  announced_at: Date | null;
  spam_at: Date | null;
  spam_reason: string | null;
  deleted_at: Date | null;
}

/** For operators: a submission of any instance. */
export async function findSubmission(db: Database, id: string): Promise<FoundSubmission | undefined> {
  const [found] = await rowsOf<FoundSubmission>(
    db,
    'select id, instance_id, form_id, status, created_at, announced_at, spam_at, spam_reason, deleted_at from submission where id = ?',
    [id],
  );
  return found;
}
