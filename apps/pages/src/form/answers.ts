import { isField, visibility, type Field, type FormItem } from '@sheaf/contracts';
import { readNumber } from './read-number';

/** What the controls of a page hold, by the key of the field: one text for each control that has a value. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** The ids of uploaded files, by the key of the field. */
export type FileIds = ReadonlyMap<string, readonly string[]>;

export interface Read {
  /** The answers to the questions that are shown. */
  answers: Record<string, unknown>;
  /** For each item of the form, whether it is shown. */
  shown: readonly boolean[];
}

/** Reads the answers in display order, because each may show or hide what follows. */
export function readAnswers(items: readonly FormItem[], values: Values, files: FileIds, language: string): Read {
  const isShown = visibility();
  const answers: Record<string, unknown> = {};
  const shown = items.map((item) => {
    const here = isShown(item, answers);
    if (here && isField(item)) {
      const answer = answerOf(item, values.get(item.key) ?? [], files.get(item.key) ?? [], language);
      if (answer !== undefined) answers[item.key] = answer;
    }
    return here;
  });
  return { answers, shown };
}

/**
 * The answer in the controls of a field, as `/public/v1` expects it; undefined if there is none. What cannot be read stays as it was
 * typed: intake refuses it and says why.
 */
function answerOf(field: Field, values: readonly string[], files: readonly string[], language: string): unknown {
  const [value = ''] = values;
  const plain = value.trim();
  switch (field.type) {
    case 'file':
      if (files.length === 0) return undefined;
      return field.multiple === true ? files : files.at(-1);
    case 'multi_select': {
      const chosen = values.filter((each) => each !== '');
      return chosen.length === 0 ? undefined : chosen;
    }
    case 'boolean':
      return plain === 'true' ? true : plain === 'false' ? false : plain === '' ? undefined : plain;
    case 'number':
    case 'integer':
    case 'rating':
      return plain === '' ? undefined : (readNumber(plain, language) ?? plain);
    case 'email':
    case 'url':
    case 'phone':
    case 'date':
    case 'time':
    case 'datetime':
      return plain === '' ? undefined : plain;
    case 'short_text':
    case 'long_text':
    case 'select':
    case 'hidden':
      return value === '' ? undefined : value;
  }
}

/** What the controls of a field hold for an answer, such as its default. */
export function valuesOf(answer: Field['default'], write: (number: number) => string): string[] {
  if (answer === undefined) return [];
  if (Array.isArray(answer)) return answer;
  return [typeof answer === 'number' ? write(answer) : String(answer)];
}
