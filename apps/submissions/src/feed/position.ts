import { cursorAfter, placeOf, timeInPlace } from '@sheaf/rpc';
import { z } from 'zod';

/** The place of a reader who is still reading the submissions that were there before. */
export interface WalkPlace {
  created: string;
  id: string;
}

/** How far a reader has read. */
export interface Position {
  /** The number of the last change that was read, or of the newest one when the reader began. */
  after: number;
  /** The newest change that was there when the page was read: the page shows its effects, even if a later page has the change itself. */
  seen: number;
  /** Its time, which tells it apart from a change with the same number in a database that was restored to an earlier moment. */
  seenAt: string;
  /** While the submissions that were there before are read: the last one. */
  walk: WalkPlace | undefined;
}

const number = () => z.int().min(0);
const InLog = z.tuple([number(), number(), timeInPlace()]);
const InWalk = z.tuple([...InLog.def.items, timeInPlace(), z.uuid()]);
const Place = z.union([InLog, InWalk]);

const listOf = (formId: string) => ['changes', formId];

export const printPosition = (formId: string, { after, seen, seenAt, walk }: Position): string =>
  cursorAfter([after, seen, seenAt, ...(walk ? [walk.created, walk.id] : [])], listOf(formId));

/** @throws Problem `bad_request` for anything but a cursor of this feed */
export function readPosition(formId: string, cursor: string): Position {
  const [after, seen, seenAt, created, id] = placeOf(Place, cursor, listOf(formId));
  return { after, seen, seenAt, walk: created === undefined || id === undefined ? undefined : { created, id } };
}
