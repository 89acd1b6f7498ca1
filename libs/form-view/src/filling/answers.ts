import { answerFormOf, isComputed, isField, isFile, optionsInOrder, visibility, type Field, type FormItem } from '@sheaf/contracts';
import { calculated } from '@sheaf/formulas';
import { answerInParts } from '../answers/answer-in-parts';

/** The values of a page's controls by the key of the field: one text for each control that has a value. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** The ids of uploaded files, by the key of the field. */
export type FileIds = ReadonlyMap<string, readonly string[]>;

export interface Read {
  /** The answers to the questions that are shown. */
  answers: Record<string, unknown>;
  /** For each item of the form, whether it is shown. */
  shown: readonly boolean[];
}

/**
 * Reads the answers in display order, because each may show or hide what follows, and calculates with those before it.
 * @param today the day in the time zone of the form
 */
export function readAnswers(items: readonly FormItem[], values: Values, files: FileIds, language: string, today: () => string): Read {
  const isShown = visibility();
  const answers: Record<string, unknown> = {};
  const shown = items.map((item) => {
    const here = isShown(item, answers);
    if (here && isField(item)) {
      const answer = isComputed(item)
        ? calculated(items, item, { answers, today })
        : answerIn(item, values.get(item.key) ?? [], files.get(item.key) ?? [], language);
      if (answer !== undefined) answers[item.key] = answer;
    }
    return here;
  });
  return { answers, shown };
}

const answerIn = (field: Field, values: readonly string[], files: readonly string[], language: string): unknown =>
  isFile(field) ? filesIn(field, files) : optionsInOrder(field, answerInParts(answerFormOf(field), values, language, files.at(-1)));

function filesIn({ multiple }: Field, files: readonly string[]): string | readonly string[] | undefined {
  if (files.length === 0) return undefined;
  return multiple === true ? files : files.at(-1);
}

/** An answer, such as the default, as the values of a field's controls. */
export function valuesOf(answer: Field['default'], write: (number: number) => string): string[] {
  if (answer === undefined) return [];
  if (Array.isArray(answer)) return answer;
  return [typeof answer === 'number' ? write(answer) : String(answer)];
}
