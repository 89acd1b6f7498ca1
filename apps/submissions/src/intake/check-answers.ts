import { maxReportedErrors, type AnswerFault, type Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { parseAnswers } from '../form/parse-answers';

/**
 * The faults that `submit` would find in the answers, in the order of the fields. Faults of unknown keys come first, and only some of them
 * are reported: a sender can make up any number of keys, but the form's own fields are few.
 * @throws Problem `not_found`, `too_many_requests`, `bad_request` if the answers are not an object.
 */
export async function checkAnswers(
  { forms, guard }: Deps,
  asked: Asked<Respondent>,
  input: { form: string; data: Buffer },
): Promise<AnswerFault[]> {
  const form = await forms.published(input.form, asked);
  guard.admitCheck(form.id, asked.call.address);
  const { faults } = await form.check(parseAnswers(input.data));
  let unknown = 0;
  return faults.filter(({ code }) => code !== 'unknown_field' || ++unknown <= maxReportedErrors);
}
