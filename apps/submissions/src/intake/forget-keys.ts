import type { Deps } from '../deps';
import { forgetKeys } from './keys.queries';

const batchSize = 1_000;
const dayMs = 86_400_000;

/** Deletes idempotency keys older than `days`, in batches. Several processes may run it at once. @returns how many */
export async function forgetOldKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>, days: number): Promise<number> {
  const before = new Date(clock.now().getTime() - days * dayMs);
  let forgotten = 0;
  for (let batch = batchSize; batch === batchSize; forgotten += batch) batch = await forgetKeys(db, before, batchSize);
  return forgotten;
}
