import { Problem, type AnswerFault } from '@sheaf/kernel';
import type { AnswerCheck, Answers } from './answers';

/** The answers to keep. @throws Problem `bad_request`, with `details` for wrong answers. */
export async function checkedAnswers(check: AnswerCheck, sent: Answers, today: () => string): Promise<Answers> {
  const checked = await check(sent, today);
  if ('answers' in checked) return checked.answers;
  throw invalidAnswers(checked.faults, checked.unlisted);
}

export function invalidAnswers(faults: readonly [AnswerFault, ...AnswerFault[]], unlisted = 0): Problem {
  const [{ key, message }, ...others] = faults;
  const rest = others.length + unlisted;
  const more = rest === 0 ? '' : ` (and ${rest} more)`;
  return Problem.badRequest(`data.${key}: ${message}${more}`, faults);
}
