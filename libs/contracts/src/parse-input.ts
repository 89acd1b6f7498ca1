import { Problem, type AnswerFault } from '@sheaf/kernel';
import { z } from 'zod';
import { explain } from './shapes';

/**
 * Parses an input with a shape of the contract. The gateway checks requests with it, and services check messages again, so that the rules
 * hold behind the gateway too, for every caller.
 * @throws Problem `bad_request` whose message names the first invalid field and whose `details` list all of them.
 */
export function parseInput<T extends z.ZodType>(shape: T, input: unknown): z.output<T> {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  // `reportInput` tells a missing value from a wrong type, but makes zod copy its options on each call, so only failed inputs use it.
  const { error = parsed.error } = shape.safeParse(input, { reportInput: true });
  throw Problem.badRequest(explain(error), faultsOf(error));
}

/** All faults of an input. `key` is the path of the invalid value, such as `fields.2.options`. */
export const faultsOf = ({ issues }: z.ZodError): AnswerFault[] =>
  issues.flatMap(conditionIssues).map((issue) => {
    const key = issue.path.map(String).join('.');
    const explained = explain(new z.ZodError([issue]));
    return { key, message: key === '' ? explained : explained.slice(`${key}: `.length) };
  });

/** A union names none of its parts. An option that has nothing wrong but its condition is not a string, and its fault is in the condition. */
function conditionIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inCondition = issue.errors.find((issues) => issues.length > 0 && issues.every(({ path }) => path[0] === 'visible_if'));
  return inCondition?.map((each) => ({ ...each, path: [...issue.path, ...each.path] })) ?? [issue];
}
