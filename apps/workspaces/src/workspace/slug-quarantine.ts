import { Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { daysAfter } from '../days-after';
import * as vacated from './vacated-slugs.queries';

export interface QuarantineSettings {
  SLUG_QUARANTINE_DAYS: number;
}

/**
 * Until when the slug of a workspace is reserved for another one, which gave it up; undefined for one that is free.
 *
 * Ask once the workspace has the slug, in the same transaction and in a statement of its own: the unique index has made this transaction
 * wait for one that was giving the slug up, so this statement sees what that one noted.
 */
export async function reservedUntil(trx: Transaction, workspace: { id: string; slug: string }, now: Date, { SLUG_QUARANTINE_DAYS: days }: QuarantineSettings): Promise<Date | undefined> {
  const vacatedAt = await vacated.vacatedByAnother(trx, workspace, daysAfter(now, -days));
  return vacatedAt && daysAfter(vacatedAt, days);
}

/** The same, and @throws Problem `bad_request` for a slug that is not free. */
export async function refuseReserved(trx: Transaction, workspace: { id: string; slug: string }, now: Date, settings: QuarantineSettings): Promise<void> {
  const until = await reservedUntil(trx, workspace, now, settings);
  if (until) throw Problem.badRequest(`slug: is reserved until ${until.toISOString()} for the workspace that gave it up`);
}
