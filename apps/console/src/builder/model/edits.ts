import {
  conditionsOf,
  isCheck,
  isEnding,
  hasSetting,
  keysIn,
  offeredOptionsOf,
  otherKey,
  pipedKeys,
  withComparisons,
  withConditionsAs,
  withPipesRenamed,
  type Condition,
  type Field,
  type FormCheck,
  type FormEnding,
  type FormItem,
  type Payment,
} from '@sheaf/contracts';
import { withNames } from '@sheaf/formulas';
import { answeredIn, arranged, isField, type Contents, type Entry } from './contents';
import { keyFrom } from './keys';
import { retyped } from './kinds';
import { keepIdentities } from './same-option';

export type Options = NonNullable<Field['options']>;

/** The lists of a field from which respondents choose: of a matrix, its rows and columns. */
export type ChoicePart = 'options' | 'rows' | 'columns';

/** Parts of an item that are set; `undefined` takes one away. */
export type ChangedParts = Partial<Field> &
  Partial<Pick<FormCheck, 'if' | 'message' | 'at'>> &
  Partial<Pick<FormEnding, 'name' | 'title' | 'text' | 'redirect_url'>>;

/** A change that a person makes. */
export type Edit =
  /** A repeat is added with its fields. */
  | { do: 'add'; entries: readonly Entry[]; at: number }
  | { do: 'change'; id: string; to: ChangedParts }
  | { do: 'key'; id: string; key: string }
  /** @param endsTyping whether it belongs to what was typed before, and is undone together with it */
  | { do: 'options'; id: string; part?: ChoicePart; options: Options; endsTyping?: boolean }
  | { do: 'retype'; id: string; type: Field['type'] }
  | { do: 'move'; ids: readonly string[]; at: number }
  | { do: 'duplicate'; id: string; as: string }
  | { do: 'remove'; id: string }
  | { do: 'price'; payment: Payment | undefined }
  | { do: 'items'; items: ReadonlyMap<string, FormItem> };

export function edited(contents: Contents, edit: Edit): Contents {
  switch (edit.do) {
    case 'add':
      return inserted(contents, edit.at, edit.entries);
    case 'change':
      return changed(contents, edit.id, edit.to);
    case 'key':
      return withNewKey(contents, edit.id, edit.key, false);
    case 'options':
      return withOptions(contents, edit.id, edit);
    case 'retype':
      return withItem(contents, edit.id, (item) => (isField(item) ? retyped(item, edit.type) : item));
    case 'move':
      return moved(contents, edit.ids, edit.at);
    case 'duplicate':
      return duplicated(contents, edit.id, edit.as);
    case 'remove':
      return withEntries(
        contents,
        contents.entries.filter((entry) => entry.id !== edit.id && entry.in !== edit.id),
      );
    case 'price':
      return { ...contents, payment: edit.payment };
    case 'items':
      return withEntries(
        contents,
        contents.entries.map((entry) => {
          const item = edit.items.get(entry.id);
          return item ? { ...entry, item } : entry;
        }),
      );
  }
}

/** Edits of the same kind on the same thing in quick succession are undone together. */
export function subjectOf(edit: Edit): string | undefined {
  if (edit.do === 'change') return `${edit.id} ${Object.keys(edit.to).join(' ')}`;
  if (edit.do === 'key') return `${edit.id} ${edit.do}`;
  if (edit.do === 'options') return `${edit.id} ${edit.part ?? 'options'}`;
  return edit.do === 'price' ? 'price' : undefined;
}

const withEntries = (contents: Contents, entries: readonly Entry[]): Contents => ({ ...contents, entries });

/** A key that follows a label is made as each of them is added. */
const inserted = (contents: Contents, at: number, added: readonly Entry[]): Contents => {
  const all = added.reduce(
    (before, entry, index) => withEntries(before, before.entries.toSpliced(at + index, 0, withKey(before, entry))),
    contents,
  );
  return withEntries(all, arranged(all.entries));
};

const withItem = (contents: Contents, id: string, change: (item: FormItem) => FormItem): Contents =>
  withEntries(
    contents,
    contents.entries.map((entry) => (entry.id === id ? { ...entry, item: change(entry.item) } : entry)),
  );

const withEntry = (contents: Contents, entry: Entry): Contents =>
  withEntries(
    contents,
    contents.entries.map((each) => (each.id === entry.id ? entry : each)),
  );

/** The keys that the other items take. */
export const keysBeside = ({ entries }: Contents, except: string): Set<string> =>
  new Set(answeredIn(entries.filter(({ id }) => id !== except)).map(({ key }) => key));

const nameOfEnding = ({ entries }: Contents, except: string, title: string): string =>
  keyFrom(title, new Set(entries.flatMap(({ id, item }) => (isEnding(item) && id !== except ? [item.name] : []))), 'ending');

function withKey(contents: Contents, entry: Entry): Entry {
  const { item } = entry;
  if (isEnding(item) && entry.isKeyDerived) return { ...entry, item: { ...item, name: nameOfEnding(contents, entry.id, item.title) } };
  if (!isField(item) || !entry.isKeyDerived) return entry;
  return { ...entry, item: { ...item, key: keyFrom(item.label, keysBeside(contents, entry.id), item.type) } };
}

/** Sets parts of an item; `undefined` takes one away. A key or name that nobody has set follows. */
function changed(contents: Contents, id: string, to: ChangedParts): Contents {
  const next = withItem(contents, id, (item) => {
    const whole = { ...item, ...to } as FormItem;
    // The option *Other* has gone.
    const rest =
      'other' in to && to.other === undefined && isField(whole)
        ? followed(whole, 'options', { values: valuesOf(whole, 'options'), now: (value) => value })
        : {};
    const parts = Object.entries<unknown>({ ...whole, ...rest }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(parts) as FormItem;
  });
  const entry = next.entries.find((each) => each.id === id);
  if (entry && isEnding(entry.item)) {
    if (to.name !== undefined) return withEntry(next, { ...entry, isKeyDerived: false });
    return to.title === undefined ? next : withEntry(next, withKey(next, entry));
  }
  if (to.label === undefined || !entry?.isKeyDerived || !isField(entry.item)) return next;
  return withNewKey(next, id, keyFrom(to.label, keysBeside(next, id), entry.item.type), true);
}

/**
 * Gives a field another key, also in the conditions and formulas that ask for it or for its text of *Other*, the checks at them, the texts that
 * show the answers, and the price; not if another field has it, for they would then be about that one.
 */
function withNewKey(contents: Contents, id: string, key: string, isKeyDerived: boolean): Contents {
  const old = contents.entries.find((entry) => entry.id === id);
  if (!old) return contents;
  const beside = keysBeside(contents, id);
  const renamed = new Map(isField(old.item) ? namesChanged(old.item, key).filter((pair) => pair.every((each) => !beside.has(each))) : []);
  const { payment } = contents;
  const amountFrom = payment?.amount_from === undefined ? undefined : renamed.get(payment.amount_from);
  return withEntries(
    payment && amountFrom !== undefined ? { ...contents, payment: { ...payment, amount_from: amountFrom } } : contents,
    contents.entries.map((entry) => {
      if (entry.id === id) return { ...entry, isKeyDerived, item: { ...entry.item, key } as FormItem };
      const item = renamedIn(entry.item, renamed);
      return item === entry.item ? entry : { ...entry, item };
    }),
  );
}

/** The names of a field and of its text of *Other*, each with the one that it has with another key. */
const namesChanged = (field: Field, key: string): [string, string][] => [
  [field.key, key],
  ...(field.other ? [[otherKey(field.key), otherKey(key)] as [string, string]] : []),
];

/** The item with other keys in its conditions, formula and texts. */
function renamedIn(item: FormItem, renamed: ReadonlyMap<string, string>): FormItem {
  const calculated = withFormulaNames(item, renamed);
  if (![...renamed.keys()].some((each) => dependsOn(calculated, each))) return calculated;
  const next = withPipesRenamed(
    withConditionsAs(calculated, (condition) => withKeysIn(condition, renamed)),
    renamed,
  );
  return isCheck(next) ? { ...next, at: renamed.get(next.at) ?? next.at } : next;
}

function withFormulaNames(item: FormItem, renamed: ReadonlyMap<string, string>): FormItem {
  if (!isField(item) || item.formula === undefined) return item;
  const formula = withNames(item.formula, (key) => renamed.get(key) ?? key);
  return formula === item.formula ? item : { ...item, formula };
}

const dependsOn = (item: FormItem, key: string): boolean =>
  conditionsOf(item).some(([, condition]) => keysIn(condition).has(key)) || (isCheck(item) && item.at === key) || pipedKeys(item).has(key);

/** The condition with other keys in place of some, wherever in it they are. */
const withKeysIn = (condition: Condition, renamed: ReadonlyMap<string, string>): Condition =>
  withComparisons(condition, (comparison) => {
    const now = (key: string) => renamed.get(key) ?? key;
    const parts = Object.entries(comparison).map(([name, value]: [string, unknown]) => [
      name,
      name === 'key' ? now(comparison.key) : isKey(value) ? { key: now(value.key) } : value,
    ]);
    return Object.fromEntries(parts) as Condition;
  });

const isKey = (value: unknown): value is { key: string } => typeof value === 'object' && value !== null && 'key' in value;

/** The condition with the values of its comparisons of one field as the function makes them. */
const withValuesIn = (condition: Condition, key: string, now: <Value>(value: Value) => Value): Condition =>
  withComparisons(condition, (comparison) => {
    if (comparison.key !== key) return comparison;
    const parts = Object.entries(comparison).map(([name, value]: [string, unknown]) => [
      name,
      name === 'key' ? value : Array.isArray(value) ? value.map(now) : now(value),
    ]);
    return Object.fromEntries(parts) as Condition;
  });

/**
 * Moves items among those beside them: a repeat takes its fields along, and they stay within it.
 * @param at where the first of them shall stand among all others
 */
function moved(contents: Contents, ids: readonly string[], at: number): Contents {
  const chosen = new Set(ids);
  const before = contents.entries.slice(0, at).filter(({ id }) => !chosen.has(id));
  const after = contents.entries.slice(at).filter(({ id }) => !chosen.has(id));
  return withEntries(contents, arranged([...before, ...contents.entries.filter(({ id }) => chosen.has(id)), ...after]));
}

/** The copy of a repeat has a copy of each of its fields, which name each other. */
function duplicated(contents: Contents, id: string, as: string): Contents {
  const index = contents.entries.findIndex((entry) => entry.id === id);
  const entry = contents.entries[index];
  if (!entry) return contents;
  const copied = [entry, ...contents.entries.filter((each) => each.in === id)];
  const copies = copied.map((each, at): Entry => {
    const copy = { ...each, id: at === 0 ? as : `${as}-${at}`, item: structuredClone(each.item), isKeyDerived: true };
    return each.in === id ? { ...copy, in: as } : copy;
  });
  const all = inserted(contents, index + 1, copies);
  const added = new Map(all.entries.map((each) => [each.id, each]));
  const inner = copies.slice(1).flatMap((copy) => added.get(copy.id) ?? []);
  const renamed = new Map(
    inner.flatMap(({ item: now }, at) => {
      const was = copied[at + 1]?.item;
      return was && isField(was) && isField(now) ? namesChanged(was, now.key) : [];
    }),
  );
  return withEntries(
    all,
    all.entries.map((each) => (each.in === as ? { ...each, item: renamedIn(each.item, renamed) } : each)),
  );
}

/**
 * Sets the options of a field. A value that has changed in its place also changes in translations, in the default, and in conditions on it; not
 * into the value of another option, for they would then be about that one.
 */
function withOptions(contents: Contents, id: string, { part = 'options', options }: Edit & { do: 'options' }): Contents {
  const field = contents.entries.find((entry) => entry.id === id)?.item;
  if (!field || !isField(field) || !hasSetting(field, part)) return contents;
  const before = field[part] ?? [];
  keepIdentities(before, options);
  const isInPlace = before.length === options.length;
  const values = valuesOf({ ...field, [part]: options }, part);
  const renamed = new Map(
    before.flatMap(({ value }, at) => {
      const next = options[at]?.value ?? value;
      const isAlone = options.every((option, other) => other === at || option.value !== next);
      return isInPlace && !values.has(value) && isAlone ? [[value, next]] : [];
    }),
  );
  const now = <Value>(value: Value) => (typeof value === 'string' ? ((renamed.get(value) ?? value) as Value) : value);
  return withEntries(
    contents,
    contents.entries.map((entry) => {
      if (entry.id === id) return { ...entry, item: { ...field, ...followed(field, part, { values, now }), [part]: options } };
      if (renamed.size === 0 || !dependsOn(entry.item, field.key)) return entry;
      return { ...entry, item: withConditionsAs(entry.item, (condition) => withValuesIn(condition, field.key, now)) };
    }),
  );
}

const valuesOf = (field: Field, part: ChoicePart): Set<string> =>
  new Set(((part === 'options' ? offeredOptionsOf(field) : field[part]) ?? []).map(({ value }) => value));

/** The default and the translations of a field, without values that are no options any more. */
function followed(
  field: Field,
  part: ChoicePart,
  { values, now }: { values: ReadonlySet<string>; now: <Value>(value: Value) => Value },
): Partial<Field> {
  const { default: given, translations } = field;
  const kept = Array.isArray(given) ? given.map(now).filter((value) => values.has(value)) : now(given);
  return {
    ...(given === undefined ? {} : { default: typeof kept === 'string' && !values.has(kept) ? undefined : kept }),
    ...(translations && {
      translations: Object.fromEntries(
        Object.entries(translations).map(([language, { [part]: before = {}, ...texts }]) => {
          const labels = Object.entries(before).flatMap(([value, label]) => (values.has(now(value)) ? [[now(value), label]] : []));
          return [language, { ...texts, ...(labels.length > 0 ? { [part]: Object.fromEntries(labels) as Record<string, string> } : {}) }];
        }),
      ),
    }),
  };
}
