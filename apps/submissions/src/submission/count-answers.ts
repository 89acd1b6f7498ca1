import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as submissions from './answer-counts.queries';

/** The most that one count reads. The answers of a submission take up to 1 MiB. */
const limits = { rows: 10_000, bytes: 16_777_216 };

/** Counts the listed submissions with an answer under each key. If there are too many to read, counts the newest ones. */
export async function countAnswers(
  { db, forms }: Pick<Deps, 'db' | 'forms'>,
  asked: Asked<Client>,
  { formId, keys }: { formId: string; keys: readonly string[] },
  most = limits,
): Promise<{ counts: { key: string; submissions: number }[]; complete: boolean }> {
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  const { counts, complete } = await submissions.answerCounts(db, formId, keys, most);
  return { counts: keys.map((key) => ({ key, submissions: counts.get(key) ?? 0 })), complete };
}
