import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { changesAfter, listedAfter, type ChangeEntry, type ReadLog } from './feed.queries';
import { printPosition, readPosition, type Position } from './position';

export interface ChangesPage {
  /** A JSON array. */
  json: string;
  hasMore: boolean;
  nextCursor: string;
}

/** As much as a page of answers may have in memory. The first change of a page is there whatever its size. */
const maxBytes = 1_048_576;

/**
 * A page of what happened to the submissions of a form, in order. A reader without a cursor first gets the submissions that are listed, and
 * then what happened since the first page. A change shows its submission as it is now, so whoever applies all changes has what is there,
 * even if one of them is applied twice.
 * @throws Problem `cursor_expired` if changes after the cursor are deleted, or may have been lost with a restored backup
 */
export async function readChanges(
  { db, forms }: Pick<Deps, 'db' | 'forms'>,
  asked: Asked<Client>,
  { formId, cursor, limit }: { formId: string; cursor?: string | undefined; limit: number },
): Promise<ChangesPage> {
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  const from = cursor === undefined ? undefined : readPosition(formId, cursor);
  const wanted = { formId, limit, maxBytes, seen: from?.seen ?? 0 };
  return from && !from.walk
    ? follow(formId, from, limit, await changesAfter(db, wanted, from))
    : walk(formId, from, limit, await listedAfter(db, wanted, from?.walk));
}

function follow(formId: string, from: Position, limit: number, { state, entries }: ReadLog): ChangesPage {
  refuseExpired(from, state);
  const page = fitting(entries, limit);
  return {
    json: printed(page),
    hasMore: page.length < entries.length,
    nextCursor: printPosition(formId, { ...seenNow(state), after: page.at(-1)?.number ?? from.after, walk: undefined }),
  };
}

function walk(formId: string, from: Position | undefined, limit: number, { state, entries }: ReadLog): ChangesPage {
  if (from) refuseExpired(from, state);
  const seen = seenNow(state);
  const page = fitting(entries, limit);
  const last = page.length < entries.length ? page.at(-1) : undefined;
  const after = from?.after ?? seen.seen;
  return {
    json: printed(page),
    hasMore: last !== undefined || seen.seen > after,
    nextCursor: printPosition(formId, { ...seen, after, walk: last && { created: last.place, id: last.id } }),
  };
}

const seenNow = ({ head, head_at: headAt, start }: ReadLog['state']) => ({ seen: head ?? 0, seenAt: headAt ?? start });

/** Changes are numbered without gaps, so the oldest one that is kept tells whether the next one of the reader is. */
function refuseExpired({ after, seen, seenAt }: Position, { oldest, seen_at, start }: ReadLog['state']): void {
  const isKnown = seenAt === (seen === 0 ? start : seen_at);
  if (isKnown && after >= (oldest ?? 1) - 1) return;
  throw new Problem('cursor_expired', 'The changes after this cursor are no longer known. Start over without a cursor.');
}

function fitting(entries: readonly ChangeEntry[], limit: number): ChangeEntry[] {
  const first = entries.slice(0, limit);
  const end = first.findIndex(({ json }) => json === null);
  return end === -1 ? first : first.slice(0, end);
}

const printed = (page: readonly ChangeEntry[]): string => `[${page.map(({ json }) => json).join(',')}]`;
