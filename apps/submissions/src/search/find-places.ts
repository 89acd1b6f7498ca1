import type { Database } from '@sheaf/postgres';
import { endOfChanges, fromChanges, type ChangePlace, type ChangeSlice, type Source as ChangeSource } from './changes.queries';
import type { Filter } from './filter';
import {
  endOfChunks,
  endOfEntries,
  endOfList,
  endOfNumbers,
  firstWalk,
  fromChunks,
  fromEntries,
  fromList,
  fromNumbers,
  fromRange,
} from './find.queries';
import type { NumberPlace, Place, Slice } from './slice';

/** A page of what was sought. */
export interface Found<P extends Place = Place> {
  places: P[];
  /** Where the next page starts. Also if this one has fewer than the limit, because a request may read only so much. */
  next: P | undefined;
}

/** A list that is read up to a budget. */
interface Source<P extends Place> {
  read: (slice: Slice<P>) => Promise<P[]>;
  /** The place of the last row that `read` may read; undefined if that is all. */
  end: (slice: Slice<P>) => Promise<P | undefined>;
}

/** Submissions in the order of their arrival. @param onMissingChunks called if the form may need chunks, or more of them. */
export async function inTime(db: Database, filter: Filter, slice: Slice, onMissingChunks: () => void): Promise<Found> {
  const { terms, lacking, ranges, statuses, assignee } = filter;
  if (terms === undefined && lacking === undefined && ranges.length === 0) {
    // Otherwise an index has exactly what is sought, so nothing but the page is read.
    const isFiltered = statuses !== undefined && assignee !== undefined;
    return pageFrom(slice, [
      { read: (wanted) => fromList(db, filter, wanted), end: async (wanted) => (isFiltered ? endOfList(db, filter, wanted) : undefined) },
    ]);
  }
  const entries = (which: 'all' | 'loose'): Source<Place> => ({
    read: (wanted) => fromEntries(db, filter, wanted, which),
    end: (wanted) => endOfEntries(db, filter, wanted, which),
  });
  if (terms === undefined) {
    const few = ranges.length === 0 ? undefined : await fromRange(db, filter, { ...slice, limit: slice.limit + 1 });
    return few ? cut(few, slice.limit) : pageFrom(slice, [entries('all')]);
  }
  // Words that many submissions have are among the next few hundred, however many submissions there are.
  const near = await fromEntries(db, filter, { ...slice, limit: slice.limit + 1 }, 'all', firstWalk);
  if (near.length > slice.limit) return cut(near, slice.limit);
  onMissingChunks();
  const chunks: Source<Place> = {
    read: (wanted) => fromChunks(db, filter, wanted),
    end: (wanted) => endOfChunks(db, filter, wanted),
  };
  return pageFrom(slice, slice.direction === 'desc' ? [entries('loose'), chunks] : [chunks, entries('loose')]);
}

/** Submissions in the order of their answers to a field; those without an answer are left out. */
export const inOrderOf = (db: Database, filter: Filter, slice: Slice<NumberPlace>, key: string): Promise<Found<NumberPlace>> =>
  pageFrom(slice, [{ read: (wanted) => fromNumbers(db, filter, wanted, key), end: (wanted) => endOfNumbers(db, filter, wanted, key) }]);

/** Submissions in the order in which they last changed, or arrived if they never changed. */
export async function inOrderOfChange(db: Database, filter: Filter, slice: Slice): Promise<Found> {
  const changed = await readChanges(db, filter, slice, 'changed');
  // The page needs nothing beyond it, and most of that may have changed, and so would be read in vain.
  const until = changed.places[slice.limit] ?? changed.end;
  const unchanged = await readChanges(db, filter, { ...slice, until }, 'unchanged');
  const sign = slice.direction === 'asc' ? 1 : -1;
  const byPlace = (a: ChangePlace, b: ChangePlace) => sign * (a.micros - b.micros || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  // Beyond the place where one list was read no further, the order of both is not known.
  const [end] = [changed.end, unchanged.end].filter((place) => place !== undefined).sort(byPlace);
  const places = [...changed.places, ...unchanged.places].sort(byPlace).filter((place) => end === undefined || byPlace(place, end) <= 0);
  const page = cut<Place>(
    places.map(({ created, id }) => ({ created, id })),
    slice.limit,
  );
  return page.next || !end ? page : { places: page.places, next: { created: end.created, id: end.id } };
}

/** One of the two lists, and its end if there is more to read and the page may need it. */
async function readChanges(
  db: Database,
  filter: Filter,
  slice: ChangeSlice,
  source: ChangeSource,
): Promise<{ places: ChangePlace[]; end: ChangePlace | undefined }> {
  const places = await fromChanges(db, filter, { ...slice, limit: slice.limit + 1 }, source);
  return { places, end: places.length > slice.limit ? undefined : await endOfChanges(db, filter, slice, source) };
}

/** Reads one source after the other until the page is full, or one has more than a request may read. */
async function pageFrom<P extends Place>(slice: Slice<P>, sources: readonly Source<P>[]): Promise<Found<P>> {
  const places: P[] = [];
  for (const { read, end } of sources) {
    places.push(...(await read({ ...slice, limit: slice.limit + 1 - places.length })));
    if (places.length > slice.limit) break;
    const next = await end(slice);
    if (next) return { places, next };
  }
  return cut(places, slice.limit);
}

/** @param places one more than the limit, if there are as many */
const cut = <P extends Place>(places: P[], limit: number): Found<P> => ({
  places: places.slice(0, limit),
  next: places.length > limit ? places[limit - 1] : undefined,
});
