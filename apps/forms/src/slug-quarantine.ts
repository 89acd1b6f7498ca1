import { Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Deps } from './deps';
import type { FormRow } from './rows';
import * as vacated from './vacated-slugs.queries';

const dayMs = 24 * 60 * 60 * 1_000;
/** A statement removes at most as many rows, so that none of them holds locks for long. */
const atOnce = 1_000;

type Settings = Pick<Deps['settings'], 'SLUG_QUARANTINE_DAYS'>;

/**
 * Reserves the slug that a form has given up, and refuses one that another form has given up lately.
 *
 * Call it once the form has its new slug, in the same transaction: the unique index has made this transaction wait for one that was giving
 * the slug up, so the statement here sees what that one noted.
 * @throws Problem `bad_request` for a slug that is reserved.
 */
export async function exchangeSlug(trx: Transaction, before: FormRow, slug: string | null, now: Date, { SLUG_QUARANTINE_DAYS: days }: Settings): Promise<void> {
  if (slug === before.slug) return;
  const { id, instance_id } = before;
  if (before.slug !== null) await vacated.insertVacated(trx, { instance_id, slug: before.slug, form_id: id, vacated_at: now });
  if (slug === null) return;

  const vacatedAt = await vacated.vacatedByAnother(trx, { id, instance_id, slug }, new Date(now.getTime() - days * dayMs));
  if (!vacatedAt) return;
  const until = new Date(vacatedAt.getTime() + days * dayMs);
  throw Problem.badRequest(`slug: is reserved until ${until.toISOString()} for the form that released it`);
}

/** Removes what is reserved no longer. Several processes may do it at once. @returns how many. */
export async function removeOldVacated({ db, clock, settings }: { settings: Settings } & Pick<Deps, 'db' | 'clock'>, stopping?: AbortSignal): Promise<number> {
  const until = new Date(clock.now().getTime() - settings.SLUG_QUARANTINE_DAYS * dayMs);
  let removed = 0;
  // Until one finds nothing, not until one is short: two processes that share what there is are both short, and more may be left.
  for (let batch = atOnce; batch > 0 && stopping?.aborted !== true; removed += batch) batch = await vacated.deleteVacated(db, until, atOnce);
  return removed;
}
