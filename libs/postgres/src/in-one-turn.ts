import DataLoader from 'dataloader';
import type { Database } from './statement';

const atMost = 500;

/**
 * A look-up of one thing that finds all that is asked for in one turn of the event loop with one statement: for a single row the way to
 * the database and back costs more than the row. Nothing is remembered.
 * @param find gives what it found in the order of the keys, which may come more than once.
 */
export function inOneTurn<Key, Found>(find: (db: Database, keys: readonly Key[]) => Promise<readonly Found[]>): (db: Database, key: Key) => Promise<Found> {
  const loaders = new WeakMap<Database, DataLoader<Key, Found>>();
  return (db, key) => {
    let loader = loaders.get(db);
    if (!loader) {
      loader = new DataLoader((keys: readonly Key[]) => find(db, keys), { cache: false, maxBatchSize: atMost, batchScheduleFn: (run) => setImmediate(run) });
      loaders.set(db, loader);
    }
    return loader.load(key);
  };
}
