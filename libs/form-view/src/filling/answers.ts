import {
  answerFormOf,
  isComputed,
  isField,
  isFile,
  isRepeat,
  optionsInOrder,
  visibility,
  type Field,
  type FormItem,
} from '@sheaf/contracts';
import { calculated } from '@sheaf/formulas';
import { answerInParts } from '../answers/answer-in-parts';
import { keyInItem } from './item-keys';
import { isEmptyItem, itemsEntered } from './repeats';
import type { FileIds, Read, ReadItem, Values } from './values';

/**
 * Reads the answers in display order, because each may show or hide what follows, and calculates with those before it.
 * @param today the day in the time zone of the form
 */
export function readAnswers(items: readonly FormItem[], values: Values, files: FileIds, language: string, today: () => string): Read {
  const isShown = visibility();
  const answers: Record<string, unknown> = {};
  const inItems = new Map<string, readonly ReadItem[]>();
  const answerOf = (field: Field, known: Record<string, unknown>, key = field.key): unknown =>
    isComputed(field)
      ? calculated(items, field, { answers: known, today })
      : answerIn(field, values.get(key) ?? [], files.get(key) ?? [], language);

  const readItem = ({ key, fields = [] }: Field, at: number): ReadItem => {
    // In an item, conditions and formulas know the answers to what stands before it, and to its own questions.
    const known = { ...answers };
    const inItem: Record<string, unknown> = {};
    const shown = fields.map((field) => {
      const here = isShown(field, known);
      const answer = here ? answerOf(field, known, keyInItem(key, at, field.key)) : undefined;
      if (answer !== undefined) inItem[field.key] = known[field.key] = answer;
      return here;
    });
    return { answers: inItem, shown };
  };
  const readItems = (repeat: Field): unknown => {
    const all = Array.from({ length: itemsEntered(repeat, values) }, (_, at) => readItem(repeat, at));
    inItems.set(repeat.key, all);
    const answered = all.flatMap((item) => (isEmptyItem(repeat, item.answers) ? [] : [item.answers]));
    return answered.length > 0 ? answered : undefined;
  };

  const shown = items.map((item) => {
    const here = isShown(item, answers);
    if (here && isField(item)) {
      const answer = isRepeat(item) ? readItems(item) : answerOf(item, answers);
      if (answer !== undefined) answers[item.key] = answer;
    }
    return here;
  });
  return { answers, shown, inItems };
}

const answerIn = (field: Field, values: readonly string[], files: readonly string[], language: string): unknown =>
  isFile(field) ? filesIn(field, files) : optionsInOrder(field, answerInParts(answerFormOf(field), values, language, files.at(-1)));

function filesIn({ multiple }: Field, files: readonly string[]): string | readonly string[] | undefined {
  if (files.length === 0) return undefined;
  return multiple === true ? files : files.at(-1);
}
