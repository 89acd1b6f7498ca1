import { dayIn } from '@sheaf/formulas';
import type { AnswerFault, Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { chosenAmong, fullOptionsOf } from '../exact/full-options';
import { refusedAnswers } from '../exact/refusals';
import { parseAnswers } from '../form/parse-answers';
import { withPriceFault } from '../form/price-fault';

/**
 * The faults that `submit` would find in the answers, in the order of the fields. Faults of unknown keys come first, and only some of them
 * are reported. Of options that are full at the moment; whether another submission has an answer is told only to those who send theirs.
 * @throws Problem `not_found`, `too_many_requests`, `bad_request` if the answers are not an object.
 */
export async function checkAnswers(
  { guard, visits, ...deps }: Deps,
  asked: Asked<Respondent>,
  input: { form: string; data: Buffer; begins: boolean },
): Promise<AnswerFault[]> {
  const form = await deps.forms.published(input.form, asked);
  guard.admitCheck(form.id, asked.call.address);
  if (input.begins) visits.note(form.id, 'starts');
  const answers = parseAnswers(input.data);
  const checked = await form.check(answers, () => dayIn(form.timezone, deps.clock.now()));
  const faults = withPriceFault(checked, form.payment);
  const faulty = new Set(faults.map(({ key }) => key));
  const full = chosenAmong(await fullOptionsOf(deps, asked, form), answers).filter(({ key }) => !faulty.has(key));
  return [...faults, ...refusedAnswers(full, form.exact)];
}
