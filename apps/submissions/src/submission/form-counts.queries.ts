import { readOf, type Database } from '@sheaf/postgres';

export interface FormCounts {
  form_id: string;
  total: number;
  /** Those with the status `new`. */
  fresh: number;
  /** Those that are held as spam, which the total leaves out. */
  spam: number;
  /** Null if the form has no submissions. */
  last_at: Date | null;
}

/** The numbers of the forms' lists. They are kept with each submission, so none is counted here. */
export const countsOfForms = (db: Database, formIds: readonly string[]): Promise<FormCounts[]> =>
  readOf(
    db,
    `select f.id as form_id, coalesce(c.total, 0)::bigint as total, coalesce(c.fresh, 0)::bigint as fresh,
            (select coalesce(sum(submissions), 0)::bigint from apart_count where form_id = f.id and place = 'spam') as spam,
            (select s.created_at from submission s where s.form_id = f.id and s.deleted_at is null and s.spam_at is null
              order by s.created_at desc, s.id desc limit 1) as last_at
       from unnest(cast(:ids as uuid[])) as f (id)
       left join lateral (select sum(listed) as total, sum(listed) filter (where status = 'new') as fresh
                            from listed_count where form_id = f.id) as c on true`,
    { ids: [...formIds] },
  );

/** How many submissions of a form are held as spam. */
export async function countSpam(db: Database, formId: string): Promise<number> {
  const [counted] = await readOf<{ spam: number }>(
    db,
    `select coalesce(sum(submissions), 0)::bigint as spam from apart_count where form_id = :formId and place = 'spam'`,
    { formId },
  );
  return counted?.spam ?? 0;
}

/** The keys to which answers of listed submissions were counted. */
export async function answeredKeys(db: Database, formId: string): Promise<string[]> {
  const rows = await readOf<{ key: string }>(db, "select key from insight_count where form_id = ? and kind = 'a' order by key", [formId]);
  return rows.map(({ key }) => key);
}
