import { withOthers, withoutOthers, type Field, type FormItem, type Payment } from '@sheaf/contracts';

/** An item with a name of its own, which stays the same while its key, label and place change. */
export interface Entry {
  id: string;
  item: FormItem;
  /** Whether the key follows the label, because nobody has set it and no version has it. */
  isKeyDerived: boolean;
}

/** The parts of a draft. */
export interface Contents {
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

export const fieldsIn = (entries: readonly Entry[]): Field[] => entries.flatMap(({ item }) => (isField(item) ? [item] : []));

/** The fields that have answers, with those for the texts of *Other*: conditions may ask for them, and their keys are taken. */
export const answeredIn = (entries: readonly Entry[]): Field[] => withOthers(entries.map(({ item }) => item)).filter(isField);

export const keyOf = (item: FormItem): string | undefined => (isField(item) ? item.key : undefined);

/** The contents of a draft that is opened. The names are the same each time, so that an address can have one. */
export function contentsOf({ fields, payment }: DraftContent): Contents {
  const taken = new Set<string>();
  const entries = withoutOthers(fields as readonly FormItem[]).map((item, index): Entry => {
    const key = keyOf(item);
    const id = key !== undefined && !taken.has(key) ? key : `${item.type}-${index + 1}`;
    taken.add(id);
    return { id, item, isKeyDerived: false };
  });
  return { entries, payment };
}

/** The contents as the API takes them. */
export const draftOf = ({ entries, payment }: Contents): { fields: FormItem[]; payment?: Payment } => ({
  fields: entries.map(({ item }) => item),
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
