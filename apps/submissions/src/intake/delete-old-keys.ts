import type { Deps } from '../deps';
import { deleteKeys } from './keys.queries';

const batchSize = 1_000;
const dayMs = 86_400_000;

/** Deletes idempotency keys older than `days`, in batches. Several processes may run it at once. @returns how many */
export async function deleteOldKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>, days: number): Promise<number> {
  const before = new Date(clock.now().getTime() - days * dayMs);
  let deleted = 0;
  for (let batch = batchSize; batch === batchSize; deleted += batch) batch = await deleteKeys(db, before, batchSize);
  return deleted;
}
