import { Problem } from '@sheaf/kernel';
import type { z } from 'zod';
import { explain } from './shapes';

/**
 * An input in a shape of the contract: of a client at the gateway, and again of a message between our processes, so that its rules
 * hold behind the gateway too, whoever called.
 * @throws Problem `bad_request` that names the field.
 */
export function understood<T extends z.ZodType>(shape: T, given: unknown): z.output<T> {
  const read = shape.safeParse(given, { reportInput: true });
  if (!read.success) throw Problem.badRequest(explain(read.error));
  return read.data;
}

/** A patch as it was sent: what is named in `set` and has no value was sent as null, what is not named was not sent. */
export const sentPatch = ({ patch, set }: { patch: object | null; set: readonly string[] }): Record<string, unknown> =>
  Object.fromEntries(set.map((name) => [name, (patch as Record<string, unknown> | null)?.[name] ?? null]));
