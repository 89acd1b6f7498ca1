import { answerFault } from '@sheaf/contracts';
import { Problem, type AnswerFault } from '@sheaf/kernel';
import { invalidAnswers } from '../form/checked-answers';
import type { ExactRules } from './rules';

/** An option without a place left, or a field whose answer another submission has. */
export type ExactRefusal = { key: string; option: string } | { key: string; option?: undefined };

interface DatabaseError {
  constraint?: unknown;
  detail?: unknown;
}

/** The refusal of the database that an error is; undefined if it is another error. */
export function exactRefusal(error: unknown): ExactRefusal | undefined {
  const { constraint, detail } = (error ?? {}) as DatabaseError;
  if (constraint !== 'option_place_left' && constraint !== 'unique_answer_once') return undefined;
  const { key, option } = JSON.parse(String(detail)) as { key: string; option?: string };
  return option === undefined ? { key } : { key, option };
}

/** With the author's message, where there is one. */
export function refusedAnswers(refused: readonly ExactRefusal[], rules: ExactRules | undefined): AnswerFault[] {
  const faults = new Map<string, AnswerFault>();
  for (const { key, option } of refused) {
    const full = refused.flatMap((other) => (other.key === key && other.option !== undefined ? [other.option] : []));
    const message = rules?.unique.find((field) => field.key === key)?.message;
    const fault = option === undefined ? answerFault('not_unique') : answerFault('option_full', { options: full.join(', ') });
    faults.set(key, { key, ...fault, ...(option === undefined && message !== undefined && { message }) });
  }
  return [...faults.values()];
}

export function refusedProblem(refused: readonly ExactRefusal[], rules: ExactRules | undefined): Problem {
  const [first, ...others] = refusedAnswers(refused, rules);
  return first ? invalidAnswers([first, ...others]) : Problem.internal('a refusal without a reason');
}

/** Does what brings a submission back among those that count, or changes its answers. @throws Problem `conflict` that names the field and the option */
export const unlessRefused = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const refused = exactRefusal(error);
    if (!refused) throw error;
    const { key, option } = refused;
    throw Problem.conflict(
      option === undefined
        ? `data.${key}: another submission has the same answer.`
        : `data.${key}: all places of the option ${option} are taken.`,
    );
  });
