import { Problem, type AnswerFault } from '@sheaf/kernel';
import { z } from 'zod';
import { explain } from './shapes';

/**
 * An input in a shape of the contract: of a client at the gateway, and again of a message between our processes, so that its rules
 * hold behind the gateway too, whoever called.
 * @throws Problem `bad_request` that names the first field that is wrong, and in its `details` all of them.
 */
export function understood<T extends z.ZodType>(shape: T, given: unknown): z.output<T> {
  const read = shape.safeParse(given);
  if (read.success) return read.data;
  // Read once more for what was given, which a refusal tells apart; to ask for it each time is a slow copy of these options in zod.
  const { error = read.error } = shape.safeParse(given, { reportInput: true });
  throw Problem.badRequest(explain(error), faultsOf(error));
}

/** Everything that is wrong with an input; `key` is the path to it, such as `fields.2.options`. */
export const faultsOf = ({ issues }: z.ZodError): AnswerFault[] =>
  issues.map((issue) => {
    const key = issue.path.map(String).join('.');
    const told = explain(new z.ZodError([issue]));
    return { key, message: key === '' ? told : told.slice(`${key}: `.length) };
  });

/** A patch as it was sent: what is named in `set` and has no value was sent as null, what is not named was not sent. */
export const sentPatch = ({ patch, set }: { patch: object | null; set: readonly string[] }): Record<string, unknown> =>
  Object.fromEntries(set.map((name) => [name, (patch as Record<string, unknown> | null)?.[name] ?? null]));
