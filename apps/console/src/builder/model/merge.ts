import { identityOf, mainTextOf, type FormItem, type Payment } from '@sheaf/contracts';
import { arranged, contentsOf, isField, isPrice, isSame, type Contents, type DraftContent, type Entry } from './contents';

/** Something that two people have changed differently. The id of the payment's is `payment`. */
export interface Conflict {
  id: string;
  /** Undefined if that side removed it, or never had it. */
  base: FormItem | Payment | undefined;
  mine: FormItem | Payment | undefined;
  theirs: FormItem | Payment | undefined;
  /** The parts that differ; empty if one side removed it. */
  parts: readonly string[];
}

/** The change of somebody else to an item, and the item as it is now. */
export interface TheirChange {
  id: string;
  kind: 'added' | 'changed' | 'removed';
  label: string;
}

export interface Merge {
  /** With the own side of each conflict. */
  contents: Contents;
  conflicts: readonly Conflict[];
  theirChanges: readonly TheirChange[];
  /** The contents with the sides that the person has chosen. */
  resolved: (chosen: Readonly<Record<string, 'mine' | 'theirs'>>) => Contents;
}

export const paymentId = 'payment';

/** Merges two contents that came from the same one. A part that only one side has changed is taken from it. */
export function merge(base: Contents, mine: Contents, theirs: Contents): Merge {
  const [inBase, inMine, inTheirs] = [byId(base), byId(mine), byId(theirs)];
  const ids = mergedOrder(idsOf(base), idsOf(mine), idsOf(theirs));
  const outcomes = new Map(ids.map((id) => [id, outcomeOf(inBase.get(id)?.item, inMine.get(id)?.item, inTheirs.get(id)?.item)]));
  const payment = outcomeOf(base.payment, mine.payment, theirs.payment);

  const conflicts = [...outcomes, [paymentId, payment] as const].flatMap(([id, { conflict }]) => (conflict ? [{ id, ...conflict }] : []));
  const resolved: Merge['resolved'] = (chosen) => {
    const side = <Value>(id: string, { mine: own, theirs: other }: Outcome<Value>) => (chosen[id] === 'theirs' ? other : own);
    const entries = [...outcomes].flatMap(([id, outcome]): Entry[] => {
      const item = side(id, outcome);
      if (!item) return [];
      const known = inMine.get(id);
      const repeat = (inTheirs.get(id) ?? known)?.in;
      if (known && known.in === repeat && isSame(known.item, item)) return [known];
      const isKeyDerived = known?.isKeyDerived === true && isField(item) && isField(known.item) && known.item.key === item.key;
      return [{ id, item, isKeyDerived, ...(repeat === undefined ? {} : { in: repeat }) }];
    });
    return { entries: arranged(entries), payment: side(paymentId, payment) };
  };
  return { contents: resolved({}), conflicts, theirChanges: changesOf(ids, inBase, inTheirs), resolved };
}

interface Outcome<Value> {
  /** The merged value with the own side of what conflicts. */
  mine: Value | undefined;
  theirs: Value | undefined;
  conflict?: Pick<Conflict, 'base' | 'mine' | 'theirs' | 'parts'>;
}

function outcomeOf<Value extends FormItem | Payment>(
  base: Value | undefined,
  mine: Value | undefined,
  theirs: Value | undefined,
): Outcome<Value> {
  const both = (value: Value | undefined) => ({ mine: value, theirs: value });
  if (isSame(mine, theirs) || isSame(base, theirs)) return both(mine);
  if (isSame(base, mine)) return both(theirs);
  if (!mine || !theirs) return { mine, theirs, conflict: { base, mine, theirs, parts: [] } };
  return partsMerged(base, mine, theirs);
}

type Parts = Readonly<Record<string, unknown>>;

/** The options and bounds of a field depend on its type, the currency of a price on its amount: these are not merged part by part. */
function partsMerged<Value extends FormItem | Payment>(base: Value | undefined, mine: Value, theirs: Value): Outcome<Value> {
  const [was, own, other] = [base ?? {}, mine, theirs] as unknown as readonly [Parts, Parts, Parts];
  const names = [...new Set([...Object.keys(was), ...Object.keys(own), ...Object.keys(other)])];
  const differing = names.filter((name) => !isSame(own[name], other[name]));
  if (isPrice(mine) || own.type !== other.type) return { mine, theirs, conflict: { base, mine, theirs, parts: differing } };

  const contested = differing.filter((name) => !isSame(was[name], own[name]) && !isSame(was[name], other[name]));
  const merged = (wins: Parts) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = contested.includes(name) ? wins[name] : isSame(was[name], own[name]) ? other[name] : own[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ) as unknown as Value;
  const sides = { mine: merged(own), theirs: merged(other) };
  return contested.length === 0 ? sides : { ...sides, conflict: { base, mine, theirs, parts: contested } };
}

const idsOf = ({ entries }: Contents): string[] => entries.map(({ id }) => id);
const byId = ({ entries }: Contents): ReadonlyMap<string, Entry> => new Map(entries.map((entry) => [entry.id, entry]));

/** All ids of both sides: in the order of the side that has moved some, and each other one after the one that it followed on its side. */
export function mergedOrder(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const [inMine, inTheirs] = [new Set(mine), new Set(theirs)];
  const isCommon = (id: string) => inMine.has(id) && inTheirs.has(id);
  const hasMoved = !isSame(base.filter(isCommon), mine.filter((id) => base.includes(id)).filter(isCommon));
  const [leading, following] = hasMoved ? [mine, theirs] : [theirs, mine];
  const order = [...leading];
  const placed = new Set(order);
  following.forEach((id, index) => {
    if (placed.has(id)) return;
    order.splice(index === 0 ? 0 : order.indexOf(following[index - 1] ?? '') + 1, 0, id);
    placed.add(id);
  });
  return order;
}

const textIn = (item: FormItem | undefined): string => (item ? mainTextOf(item) : '');

function changesOf(ids: readonly string[], base: ReadonlyMap<string, Entry>, theirs: ReadonlyMap<string, Entry>): TheirChange[] {
  const all = [...ids, ...[...base.keys()].filter((id) => !theirs.has(id) && !ids.includes(id))];
  return all.flatMap((id): TheirChange[] => {
    const [was, is] = [base.get(id)?.item, theirs.get(id)?.item];
    if (isSame(was, is)) return [];
    return [{ id, kind: was ? (is ? 'changed' : 'removed') : 'added', label: textIn(is ?? was) }];
  });
}

/**
 * Gives the items of a draft that somebody else has saved the ids that they have here. An item without key and name that
 * has another text is the same by its place among those of its type.
 */
export function identified(draft: DraftContent, base: Contents, mine: Contents): Contents {
  const { entries: arrived, payment } = contentsOf(draft);
  const found = new Map<number, Entry>();
  const taken = new Set<string>();
  const pair = (entries: readonly Entry[], nameOf: (item: FormItem) => string | undefined) => {
    const waiting = new Map<string | undefined, Entry[]>();
    for (const entry of entries)
      if (!taken.has(entry.id)) waiting.set(nameOf(entry.item), [...(waiting.get(nameOf(entry.item)) ?? []), entry]);
    arrived.forEach(({ item }, index) => {
      const name = nameOf(item);
      const entry = name === undefined || found.has(index) ? undefined : waiting.get(name)?.shift();
      if (!entry) return;
      found.set(index, entry);
      taken.add(entry.id);
    });
  };
  const byType = (item: FormItem) => (isField(item) ? undefined : item.type);
  const known = new Set(idsOf(base));
  pair(base.entries, identityOf);
  pair(base.entries, byType);
  pair(
    mine.entries.filter(({ id }) => !known.has(id)),
    identityOf,
  );

  const unused = freshIds(new Set([...known, ...idsOf(mine), ...taken]));
  const ids = new Map(arrived.map(({ id, item }, index) => [id, found.get(index)?.id ?? unused(isField(item) ? item.key : item.type)]));
  const entries = arrived.map(({ id: own, item, in: of }, index): Entry => {
    const entry = found.get(index);
    const [id = own, repeat] = [ids.get(own), of === undefined ? undefined : ids.get(of)];
    if (entry && entry.in === repeat && isSame(entry.item, item)) return entry;
    return { id, item, isKeyDerived: entry?.isKeyDerived ?? false, ...(repeat === undefined ? {} : { in: repeat }) };
  });
  return { entries, payment };
}

const freshIds = (taken: Set<string>) => (wanted: string) => {
  let id = wanted;
  for (let number = 2; taken.has(id); number++) id = `${wanted}-${number}`;
  taken.add(id);
  return id;
};
