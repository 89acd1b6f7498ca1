import { maxReportedErrors, Problem, type AnswerFault } from '@sheaf/kernel';
import type { AnswerCheck, Answers } from './answers';
import { parseAnswers } from './parse-answers';

/** The answers to keep. @throws Problem `bad_request`, with `details` for wrong answers. */
export async function checkedAnswers(check: AnswerCheck, data: Buffer): Promise<Answers> {
  const checked = await check(parseAnswers(data));
  if ('answers' in checked) return checked.answers;
  throw invalidAnswers(checked.faults);
}

export function invalidAnswers(faults: readonly [AnswerFault, ...AnswerFault[]]): Problem {
  const [{ key, message }, ...others] = faults;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return Problem.badRequest(`data.${key}: ${message}${more}`, faults);
}

/**
 * Without most of the unknown keys: faults of these come first, and a sender can make up any number of them, but the form's own fields are few.
 */
export function withoutMostUnknown(faults: readonly AnswerFault[]): AnswerFault[] {
  let unknown = 0;
  return faults.filter(({ code }) => code !== 'unknown_field' || ++unknown <= maxReportedErrors);
}
