import type { Deps } from '../deps';
import * as saved from './saved.queries';

const batchSize = 1_000;

/** Deletes expired answers in batches, form by form. Several processes may run it at once. @returns how many */
export async function deleteExpired({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  let deleted = 0;
  for (let form = await saved.formWithExpired(db, now); form !== undefined; form = await saved.formWithExpired(db, now)) {
    const formId = form;
    deleted += await db.transaction(async (trx) => {
      await saved.lockBytes(trx, formId);
      return saved.eraseExpired(trx, formId, now, batchSize);
    });
  }
  return deleted;
}
