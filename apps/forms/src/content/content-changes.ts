import { isDeepStrictEqual } from 'node:util';
import {
  answerKindOf,
  countriesOf,
  identityOf,
  isField,
  type ContentChanges,
  type Field,
  type FormItem,
  type ItemChange,
  type Payment,
} from '@sheaf/contracts';

/** The content of a version that respondents see. */
export interface Content {
  fields: readonly FormItem[];
  payment?: Payment | undefined;
}

/** An item with its position in its content, starting at 1. */
interface Placed {
  item: FormItem;
  position: number;
}

/** An item of both contents. */
interface Pair {
  from: Placed;
  to: Placed;
}

/** The differences between two contents: items in the order of the later one, then those that it no longer has. */
export function contentChanges(from: Content, to: Content): ContentChanges {
  const { pairs, removed, added } = paired(placed(from.fields), placed(to.fields));
  const kept = inOrder(pairs);
  const changes = [
    ...added.map((item) => ({ position: item.position, changes: [addition(item)] })),
    ...pairs.map((pair) => ({ position: pair.to.position, changes: pairChanges(pair, !kept.has(pair)) })),
  ]
    .sort((a, b) => a.position - b.position)
    .flatMap((at) => at.changes);
  const payment = isDeepStrictEqual(from.payment, to.payment) ? {} : { payment: { from: from.payment, to: to.payment } };
  return { changes: [...changes, ...removed.map(removal)], ...payment };
}

/** The keys of fields whose collected answers the later content does not ask for, or asks for with another type. */
export const affectedKeys = ({ changes }: ContentChanges): string[] =>
  changes.flatMap(({ kind, key }) => (key !== undefined && (kind === 'removed' || kind === 'retyped') ? [key] : []));

/** The values of options that a field no longer has, and of the rows and columns of a matrix. With another type, its earlier answers differ altogether. */
export function removedOptions(from: Field, to: Field): string[] {
  if (from.type !== to.type) return [];
  const later = choicesOf(to);
  return choicesOf(from).flatMap((values, list) => {
    const kept = new Set(later[list]);
    return values.filter((value) => !kept.has(value));
  });
}

/** Each list of values of which answers have some. */
const choicesOf = (field: Field): readonly (readonly string[])[] =>
  answerKindOf(field) === 'country'
    ? [countriesOf(field)]
    : [field.options, field.rows, field.columns].map((choices = []) => choices.map(({ value }) => value));

/** The removed options of each field that has any. */
export const affectedOptions = ({ changes }: ContentChanges): { key: string; options: string[] }[] =>
  changes.flatMap(({ kind, from, to }) => {
    if (kind !== 'changed' || !from || !to || !isField(from) || !isField(to)) return [];
    const options = removedOptions(from, to);
    return options.length > 0 ? [{ key: to.key, options }] : [];
  });

const placed = (items: readonly FormItem[]): Placed[] => items.map((item, index) => ({ item, position: index + 1 }));

const keyOf = (item: FormItem) => (isField(item) ? { key: item.key } : {});
const addition = ({ item, position }: Placed): ItemChange => ({ kind: 'added', ...keyOf(item), to: item, to_position: position });
const removal = ({ item, position }: Placed): ItemChange => ({ kind: 'removed', ...keyOf(item), from: item, from_position: position });

function pairChanges({ from, to }: Pair, isMoved: boolean): ItemChange[] {
  const sides = { ...keyOf(to.item), from: from.item, to: to.item, from_position: from.position, to_position: to.position };
  const properties = changedProperties(from.item, to.item);
  const kind = properties.includes('type') ? ('retyped' as const) : ('changed' as const);
  return [
    ...(properties.length > 0 ? [{ kind, ...sides, changed_properties: properties }] : []),
    ...(isMoved ? [{ kind: 'moved' as const, ...sides }] : []),
  ];
}

function changedProperties(from: FormItem, to: FormItem): string[] {
  const [before, after] = [from, to] as readonly Partial<Record<string, unknown>>[];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((name) => !isDeepStrictEqual(before?.[name], after?.[name]));
}

/** Items without key and name that have another text are paired by their order among their type. */
function paired(from: readonly Placed[], to: readonly Placed[]): { pairs: Pair[]; removed: Placed[]; added: Placed[] } {
  const exact = pairedBy(identityOf, from, to);
  const relabelled = pairedBy((item) => (isField(item) ? `key ${item.key}` : item.type), exact.removed, exact.added);
  return { ...relabelled, pairs: [...exact.pairs, ...relabelled.pairs] };
}

function pairedBy(nameOf: (item: FormItem) => string, from: readonly Placed[], to: readonly Placed[]) {
  const waiting = new Map<string, Placed[]>();
  for (const item of from) waiting.set(nameOf(item.item), [...(waiting.get(nameOf(item.item)) ?? []), item]);
  const pairs: Pair[] = [];
  const added: Placed[] = [];
  for (const item of to) {
    const match = waiting.get(nameOf(item.item))?.shift();
    if (match) pairs.push({ from: match, to: item });
    else added.push(item);
  }
  const removed = [...waiting.values()].flat().sort((a, b) => a.position - b.position);
  return { pairs, removed, added };
}

/** A series of items that are in the same order in both contents, from its last one. */
interface Series {
  pair: Pair;
  length: number;
  before: Series | undefined;
}

/** The longest series, so that as few items as possible count as moved. A form has at most 500. */
function inOrder(pairs: readonly Pair[]): ReadonlySet<Pair> {
  const found: Series[] = [];
  let longest: Series | undefined;
  for (const pair of [...pairs].sort((a, b) => a.from.position - b.from.position)) {
    let before: Series | undefined;
    for (const series of found) if (series.pair.to.position < pair.to.position && series.length > (before?.length ?? 0)) before = series;
    const series = { pair, before, length: (before?.length ?? 0) + 1 };
    found.push(series);
    if (series.length > (longest?.length ?? 0)) longest = series;
  }
  const kept = new Set<Pair>();
  for (let series = longest; series; series = series.before) kept.add(series.pair);
  return kept;
}
