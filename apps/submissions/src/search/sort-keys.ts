import { Problem } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { lockIndex, tryLockIndex } from './index.queries';
import { addKeys, keepColumn, mostColumns, preparedOf, waitingColumn, type Prepared, type SortColumn } from './sort-keys.queries';

/** Keys that one transaction adds: nothing is indexed meanwhile, for some 50 milliseconds. */
const keysAtOnce = 2_000;
/** Keys that a request adds itself, so that a form with as many submissions is sorted at once. */
const keysOfRequest = 10_000;

/**
 * Whether a form can be sorted by a column. The first time, a request begins to prepare that; what it leaves, the background and the next
 * requests do.
 * @throws Problem `bad_request` if the form has as many columns as it may
 */
export async function prepareColumn(db: Database, formId: string, column: SortColumn, budget = keysOfRequest): Promise<Prepared> {
  let prepared = await preparedOf(db, formId, column);
  if (prepared?.isReady) return prepared;
  for (let added = 0; added < budget; added += keysAtOnce) {
    const isMore = await db.transaction(async (trx) => {
      await lockIndex(trx);
      await keepColumn(trx, formId, column);
      return addKeys(trx, { formId, key: column.key }, Math.min(keysAtOnce, budget - added));
    });
    if (!isMore) break;
  }
  prepared = await preparedOf(db, formId, column);
  if (prepared) return prepared;
  throw Problem.badRequest(`sort: a form can be sorted by the texts and files of at most ${mostColumns} fields`);
}

/** Goes on with a column that somebody has begun. @returns whether there may be more to do */
export const prepareNext = (db: Database): Promise<boolean> =>
  db.transaction(async (trx) => {
    if (!(await tryLockIndex(trx))) return false;
    const column = await waitingColumn(trx);
    if (column === undefined) return false;
    await addKeys(trx, column, keysAtOnce);
    return true;
  });
