import { isRepeat, withOthers, withoutOthers, type Field, type FormItem, type InnerField, type Payment } from '@sheaf/contracts';

/** An item with a name of its own, which stays the same while its key, label and place change. */
export interface Entry {
  id: string;
  item: FormItem;
  /** Whether the key follows the label, because nobody has set it and no version has it. */
  isKeyDerived: boolean;
  /** The id of the repeat that it is a field of. */
  in?: string;
}

/** The parts of a draft. */
export interface Contents {
  /** In their order; the fields of a repeat stand directly behind it, and its item has none. */
  entries: readonly Entry[];
  payment: Payment | undefined;
}

/** A draft as the API returns it. */
export interface DraftContent {
  fields: readonly unknown[];
  payment?: Payment | undefined;
}

export const isField = (item: FormItem): item is Field => 'key' in item;

export const isPrice = (content: FormItem | Payment): content is Payment => !('type' in content);

/** The fields that are answered once, and so without those of repeats. */
export const fieldsIn = (entries: readonly Entry[]): Field[] =>
  entries.flatMap(({ item, in: repeat }) => (isField(item) && repeat === undefined ? [item] : []));

/** The fields that have answers, with those for the texts of *Other*: conditions may ask for them, and their keys are taken. */
export const answeredIn = (entries: readonly Entry[]): Field[] => withOthers(entries.map(({ item }) => item)).filter(isField);

export const keyOf = (item: FormItem): string | undefined => (isField(item) ? item.key : undefined);

/** The fields that an item may ask about: those before it, and within a repeat only those of the same item. */
export function earlierFor({ id, in: repeat }: Entry, entries: readonly Entry[]): Field[] {
  const before = entries.slice(
    0,
    entries.findIndex((each) => each.id === id),
  );
  const known = before.flatMap(({ in: of, ...each }) =>
    each.id === repeat ? [] : [of === undefined || of === repeat ? each : { ...each, in: of }],
  );
  return withOthers(itemsOf(known)).filter(isField);
}

/** The entries with the fields of each repeat directly behind it. One whose repeat is gone stands on its own. */
export function arranged(entries: readonly Entry[]): readonly Entry[] {
  if (entries.every((entry) => entry.in === undefined)) return entries;
  const repeats = new Set(entries.flatMap(({ id, item }) => (isField(item) && isRepeat(item) ? [id] : [])));
  const inner = new Map([...repeats].map((id): [string, Entry[]] => [id, []]));
  for (const entry of entries) if (entry.in !== undefined) inner.get(entry.in)?.push(entry);
  return entries.flatMap((entry) => {
    if (entry.in !== undefined && repeats.has(entry.in)) return [];
    const { in: _, ...own } = entry;
    return [entry.in === undefined ? entry : own, ...(inner.get(entry.id) ?? [])];
  });
}

/** The contents of a draft that is opened. The names are the same each time, so that an address can have one. */
export function contentsOf({ fields, payment }: DraftContent): Contents {
  const taken = new Set<string>();
  const idOf = (item: FormItem, place: string): string => {
    const key = keyOf(item);
    const id = key !== undefined && !taken.has(key) ? key : `${item.type}-${place}`;
    taken.add(id);
    return id;
  };
  const entries = withoutOthers(fields as readonly FormItem[]).flatMap((item, index): Entry[] => {
    const id = idOf(item, String(index + 1));
    if (!isField(item) || !isRepeat(item)) return [{ id, item, isKeyDerived: false }];
    const { fields: inner = [], ...repeat } = item;
    return [
      { id, item: repeat, isKeyDerived: false },
      ...withoutOthers(inner).map((each, at) => ({ id: idOf(each, `${index + 1}-${at + 1}`), item: each, isKeyDerived: false, in: id })),
    ];
  });
  return { entries, payment };
}

/** The items as the API takes them: a repeat has its fields within it. */
export function itemsOf(entries: readonly Entry[]): FormItem[] {
  return entries.flatMap(({ id, item, in: repeat }) => {
    if (repeat !== undefined) return [];
    if (!isField(item) || !isRepeat(item)) return [item];
    return [{ ...item, fields: entries.flatMap((each) => (each.in === id ? [each.item as InnerField] : [])) }];
  });
}

/** The contents as the API takes them. */
export const draftOf = ({ entries, payment }: Contents): { fields: FormItem[]; payment?: Payment } => ({
  fields: itemsOf(entries),
  ...(payment === undefined ? {} : { payment }),
});

/** Whether two values say the same: `required: false` is the same as its absence, and the server trims labels, options, messages and titles. */
export const isSame = (one: unknown, other: unknown): boolean => one === other || written(one) === written(other);

export const hasSameContent = (one: Contents, other: Contents): boolean =>
  one === other || (isSame(one.payment, other.payment) && isSame(draftOf(one).fields, draftOf(other).fields));

const trimmed: ReadonlySet<string> = new Set(['label', 'value', 'message', 'title']);

/** Own messages, and the translations of options, by their names. */
const groups: ReadonlySet<string> = new Set(['messages', 'options', 'rows', 'columns']);

const written = (value: unknown): string | undefined =>
  JSON.stringify(value, (name, part: unknown) => {
    if (name === 'required' && part === false) return undefined;
    if (trimmed.has(name) && typeof part === 'string') return part.trim();
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const parts = Object.entries(part as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
    if (!groups.has(name)) return Object.fromEntries(parts);
    return Object.fromEntries(parts.map(([each, text]) => [each, typeof text === 'string' ? text.trim() : text]));
  });
