import { Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { daysAfter } from '../days-after';
import * as vacated from './vacated-slugs.queries';

export interface QuarantineSettings {
  SLUG_QUARANTINE_DAYS: number;
}

/**
 * The time until which the workspace's slug is reserved for another workspace that released it; undefined if it is free.
 *
 * Call this once the workspace has the slug, in the same transaction: the unique index has made this transaction wait for one that was
 * releasing the slug, so a separate statement sees what that transaction recorded.
 */
export async function reservedUntil(
  trx: Transaction,
  workspace: { id: string; slug: string },
  now: Date,
  { SLUG_QUARANTINE_DAYS: days }: QuarantineSettings,
): Promise<Date | undefined> {
  const vacatedAt = await vacated.vacatedByAnother(trx, workspace, daysAfter(now, -days));
  return vacatedAt && daysAfter(vacatedAt, days);
}

/** @throws Problem `bad_request` for a slug that is reserved for another workspace. */
export async function refuseReserved(
  trx: Transaction,
  workspace: { id: string; slug: string },
  now: Date,
  settings: QuarantineSettings,
): Promise<void> {
  const until = await reservedUntil(trx, workspace, now, settings);
  if (until) throw Problem.badRequest(`slug: is reserved until ${until.toISOString()} for the workspace that released it`);
}
