import { referenceOf } from '@sheaf/contracts';
import { isId, type Client } from '@sheaf/kernel';
import { cursorAfter, placeOf, timeInPlace, type Asked } from '@sheaf/rpc';
import { z } from 'zod';
import { leaseMs } from '../attempts/claims.queries';
import { attemptsAfter, attemptTime, beginning, placeOfAttempt, type AttemptPlace, type LoggedAttemptRow } from './attempts.queries';
import { authorizeReading, urlFor, type ReadingDeps } from './read-deliveries';

export interface AttemptSearch {
  /** Undefined for all forms. */
  formId: string | undefined;
  subscriptionId: string | undefined;
  from: string | undefined;
  cursor: string | undefined;
  limit: number;
}

export interface AttemptPage {
  rows: LoggedAttemptRow[];
  nextCursor: string | undefined;
  asOf: Date;
}

/** The longest time of which a request reads attempts, and the most that it reads: so it costs the same, whatever it finds. */
const windowMs = 5 * 60_000;
const mostRead = 5_000;
const defaultMs = 60_000;
const Place = z.tuple([
  timeInPlace(),
  z.string().refine(isId),
  z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
]);

/** A page of the attempts to deliver the events of a form, oldest first. */
export async function listAttempts(
  deps: ReadingDeps,
  asked: Asked<Client>,
  search: AttemptSearch & { formId: string },
  most = mostRead,
): Promise<AttemptPage> {
  const { role } = await authorizeReading(deps, asked, search.formId);
  const page = await attemptPage(deps, search, most);
  return { ...page, rows: page.rows.map((row) => ({ ...row, url: urlFor(role, row.wide, row.url) })) };
}

/** The same for an operator. */
export async function attemptPage(
  { db, clock, settings }: Pick<ReadingDeps, 'db' | 'clock'> & { settings: { DELIVERY_TIMEOUT_MS: number } },
  { formId, subscriptionId, from, cursor, limit }: AttemptSearch,
  most = mostRead,
): Promise<AttemptPage> {
  const list = ['attempts', formId ?? null, { subscriptionId }];
  const asOf = await attemptTime(db, clock);
  const after =
    cursor === undefined
      ? { ...beginning, at: from === undefined ? new Date(asOf.getTime() - defaultMs) : new Date(from) }
      : read(cursor, list);
  // A malformed id matches nothing.
  if (subscriptionId !== undefined && !isId(subscriptionId)) return { rows: [], nextCursor: undefined, asOf };

  const before = new Date(after.at.getTime() + windowMs);
  const { rows, last } = await attemptsAfter(
    db,
    clock,
    { formId, subscriptionId },
    { after, before },
    { most, leaseMs: leaseMs(settings) },
  );
  const page = rows.slice(0, limit);
  const lastShown = page.at(-1);
  const next =
    rows.length > limit && lastShown !== undefined
      ? placeOfAttempt(lastShown)
      : (last ?? (before <= asOf ? { ...beginning, at: before } : undefined));
  return { rows: page, nextCursor: next && cursorAfter([next.at.toISOString(), next.deliveryId, next.number], list), asOf };
}

function read(cursor: string, list: Parameters<typeof placeOf>[2]): AttemptPlace {
  const [at, deliveryId, number] = placeOf(Place, cursor, list);
  return { at: new Date(at), deliveryId, number };
}

/** An attempt as readers of the log and operators see it. */
export const shownAttempt = ({ submission_id: submission, wide: _, started_at: at, ...row }: LoggedAttemptRow) => ({
  ...row,
  reference: submission === null ? undefined : referenceOf(submission),
  started_at: at.toISOString(),
  duration_ms: row.duration_ms ?? undefined,
  status: row.status ?? undefined,
  error: row.error ?? undefined,
  code: row.code ?? undefined,
  batch_id: row.batch_id ?? undefined,
});
