import type { AnswerFault, Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { parseAnswers } from '../form/parse-answers';

/**
 * The faults that `submit` would find in the answers, in the order of the fields. Faults of unknown keys come first, and only some of them
 * are reported.
 * @throws Problem `not_found`, `too_many_requests`, `bad_request` if the answers are not an object.
 */
export async function checkAnswers(
  { forms, guard, visits }: Deps,
  asked: Asked<Respondent>,
  input: { form: string; data: Buffer; begins: boolean },
): Promise<AnswerFault[]> {
  const form = await forms.published(input.form, asked);
  guard.admitCheck(form.id, asked.call.address);
  if (input.begins) visits.note(form.id, 'starts');
  return (await form.check(parseAnswers(input.data))).faults;
}
