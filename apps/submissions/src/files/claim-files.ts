import { answerFault, fileIdsIn } from '@sheaf/contracts';
import type { AnswerFault } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Answers } from '../form/answers';
import * as files from './files.queries';
import type { PublishedForm } from '../form/forms-view';

/**
 * Assigns the files named in the answers to the submission, which may have some of them already. @returns a fault for each field that names
 * a file the submission cannot have
 */
export async function claimFiles(
  trx: Transaction,
  form: Pick<PublishedForm, 'id' | 'fileFields'>,
  answers: Answers,
  submissionId: string,
): Promise<AnswerFault[]> {
  const wanted = [...form.fileFields].flatMap(([key, { isDrawing }]) => {
    const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
    // The field may have taken any file in an earlier version.
    return fileIdsIn(answer).map((id) => ({ key, id, type: isDrawing ? 'image/png' : '' }));
  });
  if (wanted.length === 0) return [];
  const claimed = new Set(await files.claim(trx, { formId: form.id, submissionId, wanted }));
  const refused = new Set(wanted.filter(({ id }) => !claimed.has(id)).map(({ key }) => key));
  return [...refused].map((key) => ({ key, ...answerFault('not_file') }));
}
