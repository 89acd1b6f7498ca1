import {
  isComputed,
  isField,
  isRepeat,
  Look,
  pipedKeys,
  requirement,
  visibility,
  type Field,
  type FormElement,
  type FormItem,
} from '@sheaf/contracts';
import { formulasOf } from '@sheaf/formulas';
import type { KeptFile, RepeatedItem, ShownItem } from '../view';
import { indexInItem, keyInItem } from './item-keys';
import { isInSight, offeredItem } from './offered';
import { pipedAnswers } from './piped';
import { itemBounds, itemsEntered } from './repeats';
import { shuffledItem } from './shuffled';
import type { Placed } from './steps';
import type { Read, ReadItem, Values } from './values';

/** A form as somebody fills it in. */
interface Filling {
  items: readonly FormItem[];
  values: Values;
  files: ReadonlyMap<string, readonly KeptFile[]>;
  read: Read;
  /** Decides the order of options that are shuffled. */
  seed: string;
  /** The values of the options of a field that have no place left. */
  fullOptions: (field: Field) => readonly string[] | undefined;
  language: string;
  authorLanguage: string;
}

/** Items of a form as a page shows them. */
export function shownItems(placed: readonly Placed[], filling: Filling): ShownItem[] {
  const { items: all, values, files, read, seed, fullOptions } = filling;
  const fields = placed.flatMap(({ item }) => (isField(item) ? [item] : []));
  const onPage = new Set(fields.flatMap(({ key, fields: inner = [] }) => [key, ...inner.map((field) => field.key)]));
  const isRequired = requirement();
  const look = new Look();

  const shownAs = (item: Field | FormElement, { index, key, answers, isShown }: Spot): ShownItem => {
    const offered = shuffledItem(
      offeredItem(item, answers, (each) => onPage.has(each), look),
      seed,
    );
    if (!isField(item) || !isField(offered)) return { index, item: offered, isShown, values: [], files: [] };
    return {
      index,
      item: key === undefined ? offered : { ...offered, key },
      isShown,
      isRequired: isRequired(item, answers),
      values: values.get(key ?? item.key) ?? [],
      files: files.get(key ?? item.key) ?? [],
      result: isComputed(item) ? { value: answers[item.key], formula: formulasOf(all).get(item.key) } : undefined,
      full: fullOptions(item),
    };
  };

  const repeatedItem = (repeat: Field, at: number, { index, isShown }: Pick<Placed, 'index'> & Pick<Spot, 'isShown'>): RepeatedItem => {
    const { fields: inner = [] } = repeat;
    const { answers, shown } = read.inItems.get(repeat.key)?.[at] ?? untouchedItem(repeat, read);
    const questions = inner.map((field, question) =>
      shownAs(field, {
        index: indexInItem(index, at, question),
        key: keyInItem(repeat.key, at, field.key),
        answers: { ...read.answers, ...answers },
        isShown: isShown && isInSight(field, question, shown),
      }),
    );
    const keys = new Set(inner.flatMap((field) => [...pipedKeys(field)]));
    return { questions, piped: pipedAnswers(keys, inner, { answers, fileNames: new Map() }, filling) };
  };

  return placed.map(({ item, index }) => {
    const isShown = isInSight(item, index, read.shown);
    const here = shownAs(item, { index, answers: read.answers, isShown });
    if (!isField(item) || !isRepeat(item)) return here;
    const bounds = itemBounds(item, here.isRequired === true);
    const count = Math.max(itemsEntered(item, values), bounds.least);
    const items = Array.from({ length: count }, (_, at) => repeatedItem(item, at, { index, isShown }));
    return { ...here, repeated: { ...bounds, items } };
  });
}

interface Spot extends Pick<ShownItem, 'index' | 'isShown'> {
  /** That of its controls, if it is not its own. */
  key?: string;
  /** The answers that are known here. */
  answers: Read['answers'];
}

/** An item that nobody has entered yet. */
function untouchedItem({ fields = [] }: Field, { answers }: Read): ReadItem {
  const isShown = visibility();
  return { answers: {}, shown: fields.map((field) => isShown(field, answers)) };
}
