import { Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Deps } from '../deps';
import type { FormRow } from '../rows';
import * as vacated from './vacated-slugs.queries';

const dayMs = 24 * 60 * 60 * 1_000;
/** Rows per statement, so that no statement holds locks for long. */
const batchSize = 1_000;

type Settings = Pick<Deps['settings'], 'SLUG_QUARANTINE_DAYS'>;

/**
 * Reserves the slug that a form releases, and refuses a new slug that is reserved for another form.
 *
 * Call this once the form has its new slug, in the same transaction: the unique index has made this transaction wait for one that was
 * releasing the slug, so the statement here sees what that transaction recorded.
 * @throws Problem `bad_request` for a slug that is reserved.
 */
export async function exchangeSlug(
  trx: Transaction,
  before: FormRow,
  slug: string | null,
  now: Date,
  { SLUG_QUARANTINE_DAYS: days }: Settings,
): Promise<void> {
  if (slug === before.slug) return;
  const { id, instance_id } = before;
  if (before.slug !== null) await vacated.insertVacated(trx, { instance_id, slug: before.slug, form_id: id, vacated_at: now });
  if (slug === null) return;

  const vacatedAt = await vacated.vacatedByAnother(trx, { id, instance_id, slug }, new Date(now.getTime() - days * dayMs));
  if (!vacatedAt) return;
  const until = new Date(vacatedAt.getTime() + days * dayMs);
  throw Problem.badRequest(`slug: is reserved until ${until.toISOString()} for the form that released it`);
}

/** Removes expired reservations. Several processes may do this at once. @returns the number of removed rows. */
export async function removeOldVacated(
  { db, clock, settings }: { settings: Settings } & Pick<Deps, 'db' | 'clock'>,
  stopping?: AbortSignal,
): Promise<number> {
  const until = new Date(clock.now().getTime() - settings.SLUG_QUARANTINE_DAYS * dayMs);
  let removed = 0;
  // Stops at an empty batch, not at a short one: two processes that share the rows both get short batches while rows are left.
  for (let batch = batchSize; batch > 0 && stopping?.aborted !== true; removed += batch)
    batch = await vacated.deleteVacated(db, until, batchSize);
  return removed;
}
