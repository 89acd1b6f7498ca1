import type { Database } from '@sheaf/postgres';
import { endOfChanges, fromChanges, type ChangePlace, type ChangeSlice, type Source as ChangeSource } from './changes.queries';
import type { Filter } from './filter';
import { countTerms, endOfList, firstWalk, fromEntries, fromList, fromRange, walkBudget } from './find.queries';
import { hasOtherFacts, needsEntry } from './find-clauses';
import { fromIndex } from './indexed.queries';
import { fromIds } from './named.queries';
import { readsAnswers, withAnswers } from './phrases';
import type { Hit, Place, Slice } from './slice';

/** With so many of them among the first entries, a term is expected in each of the blocks. */
const fewAreCommon = 3;

/** With so many, the page is expected among the entries of `commonWalk`. */
const manyAreCommon = 8;
const commonWalk = 1_024;

/** A page of what was sought. */
export interface Found<P extends Place = Place> {
  places: P[];
  /** The place at which the next page starts. Also if this one has fewer than the limit, because a request may read only so much. */
  next: P | undefined;
}

/** A list that is read up to a budget. */
interface Source<P extends Place> {
  read: (slice: Slice<P>) => Promise<P[]>;
  /** The place of the last row that `read` may read; undefined if that is all. */
  end: (slice: Slice<P>) => Promise<P | undefined>;
}

/** A page with what the index cannot tell: submissions that were named, phrases and parts of texts. @param find asks the index */
export async function placesOf<N>(
  db: Database,
  filter: Filter,
  find: () => Promise<{ places: Place[]; next: N | undefined }>,
): Promise<{ places: Place[]; next: N | undefined }> {
  const { places, next } = filter.ids ? { places: await fromIds(db, filter), next: undefined } : await find();
  return { places: await withAnswers(db, filter, places), next };
}

/** The submissions whose answers a request may still read, and about the most characters of them, but for the first few submissions. */
export interface Allowance {
  submissions: number;
  characters: number;
}

export const allowanceOfRequest = (): Allowance => ({ submissions: 8_192, characters: 16_777_216 });
export const isUsedUp = ({ submissions, characters }: Allowance): boolean => submissions <= 0 || characters <= 0;

/** At first, it reads so many times what the page needs: enough for what every fourth submission has. */
const firstShare = 4;
const mostAtOnce = 2_048;

interface Page<N> {
  limit: number;
  after: N | undefined;
  /** All that is read is taken from it. */
  allowance?: Allowance;
  /** The submissions that are read at first; by default some times the limit. */
  atFirst?: number;
  /** Whether to stop before more is read than at first. */
  isOver?: () => boolean;
}

/** A page of a list of which the answers decide, read on until it is full, or the request has read as much as it may. */
export async function readOn<N extends object>(
  db: Database,
  filter: Filter,
  { limit, after, allowance = allowanceOfRequest(), atFirst = firstShare * limit, isOver = () => false }: Page<N>,
  find: (limit: number, after: N | undefined) => Promise<{ places: (Place & N)[]; next: N | undefined }>,
): Promise<{ places: Place[]; next: N | undefined }> {
  if (filter.ids || !readsAnswers(filter)) return placesOf(db, filter, () => find(limit, after));
  const found: (Place & N)[] = [];
  let from = after;
  let atOnce = Math.min(atFirst, mostAtOnce);
  let characters = 0;
  const onRead = (length: number) => {
    characters += length;
    allowance.characters -= length;
  };
  let read = 0;
  do {
    const { places, next } = await find(atOnce, from);
    allowance.submissions -= atOnce;
    found.push(...(await withAnswers(db, filter, places, onRead)));
    if (found.length > limit) return { places: found.slice(0, limit), next: found[limit - 1] };
    if (next === undefined) return { places: found, next };
    from = next;
    if (found.length === limit) break;
    read += atOnce;
    const isWithin = Math.floor((allowance.characters * read) / Math.max(characters, 1));
    atOnce = Math.max(1, Math.min(2 * atOnce, mostAtOnce, isWithin));
  } while (!isUsedUp(allowance) && !isOver());
  return { places: found, next: from };
}

/** Submissions in the order of their arrival. @param onMissingBlocks called if the form may need blocks, or more of them */
export async function inTime(db: Database, filter: Filter, slice: Slice, onMissingBlocks: () => void): Promise<Found> {
  const { statuses, assignee, isUnassigned = false, terms, indexed, ranges } = filter;
  if (!needsEntry(filter)) {
    // Otherwise an index has exactly what is sought, so nothing but the page is read.
    const isFiltered = isUnassigned || (statuses !== undefined && assignee !== undefined) || hasOtherFacts(filter);
    return pageFrom(slice, {
      read: (wanted) => fromList(db, filter, wanted),
      end: async (wanted) => (isFiltered ? endOfList(db, filter, wanted) : undefined),
    });
  }
  const wanted = { ...slice, limit: slice.limit + 1 };
  if (terms === undefined && ranges.length === 0) return upTo(await fromEntries(db, filter, wanted, walkBudget), slice.limit);

  // The next few hundred entries have a page of what many submissions have, however many submissions there are.
  const near = upTo(await fromEntries(db, filter, wanted, firstWalk), slice.limit);
  if (near.places.length === slice.limit || !near.next) return near;
  const further = { ...wanted, after: near.next, limit: wanted.limit - near.places.length };
  const limit = slice.limit - near.places.length;
  const beyond = async (): Promise<Found> => {
    if (indexed.length > 0) {
      onMissingBlocks();
      if (indexed.some(({ isOpen }) => isOpen)) return byBeginnings(db, filter, further, near.places.length);
      return upTo(await fromIndex(db, filter, further, near.places.length >= fewAreCommon), limit);
    }
    const few = ranges.length === 0 ? undefined : await fromRange(db, filter, further);
    return few ? cut(few, limit) : upTo(await fromEntries(db, filter, further, walkBudget), limit);
  };
  const { places, next } = await beyond();
  return { places: [...near.places, ...places], next };
}

/** The index looks up all words with a beginning, however soon the page is full: so it is not asked for what many submissions have. */
async function byBeginnings(db: Database, filter: Filter, further: Slice, found: number): Promise<Found> {
  const limit = further.limit - 1;
  const isCommon = found >= fewAreCommon;
  const rare = filter.indexed.length > 1 ? { ...filter, indexed: await rarest(db, filter, further) } : filter;
  if (found < manyAreCommon) return upTo(await fromIndex(db, rare, further, isCommon), limit);
  const walked = upTo(await fromEntries(db, filter, further, commonWalk), limit);
  if (walked.places.length === limit || !walked.next) return walked;
  const rest = { ...further, after: walked.next, limit: further.limit - walked.places.length };
  const { places, next } = upTo(await fromIndex(db, rare, rest, isCommon), rest.limit - 1);
  return { places: [...walked.places, ...places], next };
}

/** The terms that fewer than a quarter of the next entries have, if there are any: the others would cost more than they spare. */
async function rarest(db: Database, filter: Filter, slice: Slice): Promise<Filter['indexed']> {
  const counts = await countTerms(db, filter, slice);
  const rare = filter.indexed.filter((_, index) => (counts[index] ?? 0) < firstWalk / 4);
  return rare.length > 0 ? rare : filter.indexed;
}

/** A page of the submissions found, up to the last entry that the request may read. */
function upTo(hits: readonly Hit[], limit: number): Found {
  const end = hits.findIndex(({ isEnd }) => isEnd);
  const found = (end === -1 ? hits : hits.slice(0, end + 1)).filter(({ isFound }) => isFound);
  const page = cut(found.map(placeOf), limit);
  const last = hits[end];
  return page.next || !last ? page : { places: page.places, next: placeOf(last) };
}

const placeOf = ({ created, id }: Hit): Place => ({ created, id });

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

/** A page of a list, and where the next one begins. */
export async function pageFrom<P extends Place>(slice: Slice<P>, { read, end }: Source<P>): Promise<Found<P>> {
  const places = await read({ ...slice, limit: slice.limit + 1 });
  const next = places.length > slice.limit ? undefined : await end(slice);
  return next ? { places, next } : cut(places, slice.limit);
}

/** @param places one more than the limit, if there are as many */
const cut = <P extends Place>(places: readonly P[], limit: number): Found<P> => ({
  places: places.slice(0, limit),
  next: places.length > limit ? places[limit - 1] : undefined,
});
