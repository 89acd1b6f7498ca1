import DataLoader from 'dataloader';
import type { Database } from './statement';

const maxKeys = 500;

/**
 * Makes a look-up by key that combines all calls in one turn of the event loop into one statement: for a single row, the round trip to the
 * database costs more than the query. Nothing is cached.
 * @param find must return its results in the order of the keys; keys may repeat.
 */
export function batchedLookUp<Key, Found>(
  find: (db: Database, keys: readonly Key[]) => Promise<readonly Found[]>,
): (db: Database, key: Key) => Promise<Found> {
  const loaders = new WeakMap<Database, DataLoader<Key, Found>>();
  return (db, key) => {
    let loader = loaders.get(db);
    if (!loader) {
      loader = new DataLoader((keys: readonly Key[]) => find(db, keys), {
        cache: false,
        maxBatchSize: maxKeys,
        batchScheduleFn: (run) => setImmediate(run),
      });
      loaders.set(db, loader);
    }
    return loader.load(key);
  };
}
