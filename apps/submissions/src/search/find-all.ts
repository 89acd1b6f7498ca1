import { Problem, type Client } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { askIndex, filterFor, type Conditions } from './conditions';
import type { Filter } from './filter';
import { inOrderOfChange, inTime, placesOf, type Found } from './find-places';
import type { Place } from './slice';

const pageSize = 500;

/** @throws Problem `unavailable` while the index does not have every submission, as some would be missing without anybody noticing. */
async function demandIndex(db: Database, conditions: Conditions, filter: Filter): Promise<void> {
  if ((await askIndex(db, conditions, filter)) === false) throw Problem.unavailable('the search index does not have every submission yet');
}

/** The filter that the conditions stand for. @throws Problem `bad_request` that names the parameter, `unavailable` as `demandIndex` */
export async function filterOfAll(
  deps: Pick<Deps, 'db' | 'forms' | 'clock'>,
  asked: Asked<Client>,
  conditions: Conditions,
): Promise<Filter> {
  const filter = await filterFor(deps, asked, conditions);
  await demandIndex(deps.db, conditions, filter);
  return filter;
}

/**
 * All submissions that meet the conditions, a page of ids at a time: newest first, or in the order of their changes if only those since a time
 * are wanted. @throws Problem as `demandIndex`, also in the middle, if the index has lost submissions since, because searching was switched off
 */
export const findAll = (
  { db, searchBlocks }: Pick<Deps, 'db' | 'searchBlocks'>,
  conditions: Conditions,
  filter: Filter,
): AsyncGenerator<string[]> =>
  idsOf(db, filter, {
    check: () => demandIndex(db, conditions, filter),
    onMissingBlocks: () => searchBlocks.request(conditions.formId),
  });

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
