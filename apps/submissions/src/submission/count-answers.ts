import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as submissions from './answer-counts.queries';
import type { ChosenOptions } from './answer-counts.queries';

interface KeyCount {
  key: string;
  submissions: number;
}

/** The most that one count reads. The answers of a submission take up to 1 MiB. */
const limits = { rows: 10_000, bytes: 16_777_216 };

/** Counts the listed submissions with an answer under each key, and those that chose some of a field's options. If there are too many to read, counts the newest ones. */
export async function countAnswers(
  { db, forms }: Pick<Deps, 'db' | 'forms'>,
  asked: Asked<Client>,
  { formId, keys, options }: { formId: string; keys: readonly string[]; options: readonly ChosenOptions[] },
  most = limits,
): Promise<{ counts: KeyCount[]; options: KeyCount[]; complete: boolean }> {
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  const { answered, chosen, complete } = await submissions.answerCounts(db, formId, { keys, options }, most);
  return {
    counts: keys.map((key) => ({ key, submissions: answered.get(key) ?? 0 })),
    options: options.map(({ key }) => ({ key, submissions: chosen.get(key) ?? 0 })),
    complete,
  };
}
