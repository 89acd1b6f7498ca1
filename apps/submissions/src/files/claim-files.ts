import { answerFault } from '@sheaf/contracts';
import type { AnswerFault } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Answers } from '../form/answers';
import * as files from './files.queries';
import type { PublishedForm } from '../form/forms-view';

/** Assigns the files named in the answers to the submission. @returns a fault for each file that it cannot have */
export async function claimFiles(trx: Transaction, form: PublishedForm, answers: Answers, submissionId: string): Promise<AnswerFault[]> {
  const wanted = [...form.fileFields.keys()].flatMap((key) => {
    const id = Object.hasOwn(answers, key) ? answers[key] : undefined;
    return typeof id === 'string' ? [{ key, id }] : [];
  });
  if (wanted.length === 0) return [];
  const claimed = new Set(await files.claim(trx, { formId: form.id, submissionId, wanted }));
  return wanted.filter(({ key }) => !claimed.has(key)).map(({ key }) => ({ key, ...answerFault('not_file') }));
}
