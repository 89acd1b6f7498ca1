import { createHash } from 'node:crypto';
import { Problem } from '@sheaf/kernel';
import { z } from 'zod';

/** The values that order a list, of the last item of a page. */
type Place = readonly (string | number)[];
/** Everything that decides what a list contains and in which order: its name, form, filters and sort. */
type ListName = readonly unknown[];

const checksumBytes = 12;

/** A time in a place, as `exactTime` of @sheaf/postgres prints it. PostgreSQL has no year 0, and refuses endless fractions. */
export const timeInPlace = () =>
  z.iso
    .datetime()
    .max('2026-05-31T14:30:00.000000Z'.length)
    .regex(/^(?!0000)/);

/**
 * The end of a page as text, from which the next page continues. It belongs to one list, because a place in one list means nothing in
 * another. It needs no signature: a caller who may read the list may start anywhere in it.
 */
export function cursorAfter(place: Place, list: ListName): string {
  const text = JSON.stringify(place);
  return Buffer.concat([checksum(text, list), Buffer.from(text)]).toString('base64url');
}

/** The place that a cursor of this list stands for. @throws Problem `bad_request` for anything but a cursor of this list. */
export function placeOf<T extends z.ZodType>(shape: T, cursor: string, list: ListName): z.output<T> {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(checksumBytes).toString();
  const isOfList = bytes.toString('base64url') === cursor && checksum(text, list).equals(bytes.subarray(0, checksumBytes));
  const place = isOfList ? shape.safeParse(parsed(text)) : undefined;
  if (!place?.success) throw Problem.badRequest('cursor: must be a next_cursor of this list');
  return place.data;
}

const checksum = (text: string, list: ListName): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([list, text]))
    .digest()
    .subarray(0, checksumBytes);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
