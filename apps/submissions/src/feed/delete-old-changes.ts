import type { Deps } from '../deps';
import { deleteChanges, formsWithChanges } from './feed.queries';

/** More than the month for which clients may keep a cursor, so that none expires a moment too early. */
const keptDays = 40;
const dayMs = 86_400_000;
const formsAtOnce = 100;
const rowsPerForm = 200;

/** Deletes the changes that are older than any cursor, in steps. Several processes may run it at once. @returns the number of rows */
export async function deleteOldChanges({ db, clock }: Pick<Deps, 'db' | 'clock'>, stopping: AbortSignal): Promise<number> {
  const before = new Date(clock.now().getTime() - keptDays * dayMs);
  let deleted = 0;
  let forms: string[];
  for (let after = '00000000-0000-0000-0000-000000000000'; ; after = forms.at(-1) ?? after) {
    forms = await formsWithChanges(db, after, formsAtOnce);
    for (let rows = -1; rows !== 0 && !stopping.aborted; deleted += rows) rows = await deleteChanges(db, forms, before, rowsPerForm);
    if (forms.length < formsAtOnce || stopping.aborted) return deleted;
  }
}
