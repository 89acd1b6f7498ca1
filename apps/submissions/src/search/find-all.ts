import { Problem, type Client } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { askIndex, filterFor, type Conditions } from './conditions';
import type { Filter } from './filter';
import { inOrderOfChange, inTime, placesOf, type Found } from './find-places';
import type { Place } from './slice';

const pageSize = 500;

/**
 * All submissions that meet the conditions, a page of ids at a time: newest first, or in the order of their changes if only those since a time
 * are wanted.
 * @throws Problem `bad_request` that names the parameter, `unavailable` while the index does not have every submission, as some would be
 * missing without anybody noticing.
 */
export async function findAll(deps: Deps, asked: Asked<Client>, conditions: Conditions): Promise<() => AsyncGenerator<string[]>> {
  const { db, searchBlocks } = deps;
  const filter = await filterFor(deps, asked, conditions);
  const check = async () => {
    if ((await askIndex(db, conditions, filter)) === false)
      throw Problem.unavailable('the search index does not have every submission yet');
  };
  await check();
  return () => idsOf(db, filter, { check, onMissingBlocks: () => searchBlocks.request(conditions.formId) });
}

/** `check` throws if the index has lost submissions since, because searching was switched off. */
async function* idsOf(
  db: Database,
  filter: Filter,
  { check, onMissingBlocks }: { check: () => Promise<void>; onMissingBlocks: () => void },
): AsyncGenerator<string[]> {
  let after: Place | undefined;
  do {
    const { places, next }: Found = await placesOf(db, filter, () =>
      filter.changedSince === undefined
        ? inTime(db, filter, { direction: 'desc', limit: pageSize, after }, onMissingBlocks)
        : inOrderOfChange(db, filter, { direction: 'asc', limit: pageSize, after }),
    );
    await check();
    if (places.length > 0) yield places.map(({ id }) => id);
    after = next;
  } while (after);
}
