import { cursor, whole } from '@sheaf/contracts';
import { z } from 'zod';

// The building blocks of the shapes of requests. The decoder of a message guarantees its types; a shape checks the rest: lists of values,
// bounds, formats, and parts that must be present.

/** Any text. The use case treats an id of another form like an unknown one. */
export const id = () => z.string('must be a string');

/** At least one byte. */
export const bytes = () => z.custom<Buffer>((value) => value instanceof Uint8Array && value.length > 0, 'is required');

/** Free-form JSON, which messages carry as bytes. */
export const jsonBytes = () =>
  bytes().transform((value, context): unknown => {
    try {
      return JSON.parse(value.toString());
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  });

/** The page of a paginated list. In queries these are texts: `page` of the contracts. */
export const pageNumbers = { limit: whole(1, 100), offset: whole(0, Number.MAX_SAFE_INTEGER) };

/** The page of a list that continues from a cursor. In queries the limit is text: `cursorPage` of the contracts. */
export const cursorPageNumbers = { limit: pageNumbers.limit, cursor: cursor() };

/** The request of a method that takes nothing. */
export const nothing = z.object({});

/** The values of a patch as a message carries them: its fields have no null. */
type Carried<Patch> = { [K in keyof Patch]-?: NonNullable<Patch[K]> };

/** Rebuilds a patch as the client sent it: a name in `set` without a value was sent as null, and a name not in `set` was absent. */
const sentPatch = ({ patch, set }: { patch: object | null; set: readonly string[] }): Record<string, unknown> =>
  Object.fromEntries(set.map((name) => [name, (patch as Record<string, unknown> | null)?.[name] ?? null]));

/** The `patch` and `set` of a request, as the patch that the client sent. */
export const patchOf = <P extends z.ZodObject>(shape: P) =>
  z
    .object({ patch: z.custom<Carried<z.input<P>> | null>(), set: z.array(z.string()) })
    .transform(sentPatch)
    .pipe(shape)
    .transform((patch) => ({ patch }));
