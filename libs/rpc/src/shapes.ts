import { cursor, whole } from '@sheaf/contracts';
import { z } from 'zod';

// The building blocks of the shapes of requests. The decoder of a message guarantees its types; a shape checks the rest: lists of values,
// bounds, formats, and parts that must be present.

/** Any text. The use case treats an id of another form like an unknown one. */
export const id = () => z.string('must be a string');

/** At least one byte. */
export const bytes = () => z.custom<Buffer>((value) => value instanceof Uint8Array && value.length > 0, 'is required');

/** The page of a list that continues from a cursor. In queries the limit is text: `cursorPage` of the contracts. */
export const cursorPageNumbers = { limit: whole(1, 100), cursor: cursor() };

/** The request of a method that takes nothing. */
export const nothing = z.object({});
