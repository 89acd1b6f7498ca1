import type { AnswerKind } from '@sheaf/contracts';
import { answerOf } from '../answers/answer-of';

/** The answer to a question as the server would read it. Of files, it has one text for each, as their ids are not known here, and of a matrix one for each cell. */
export function answerIn(entered: FormData, { dataset }: HTMLElement, language: string): unknown {
  const { key = '', answer, trim, parts } = dataset;
  const values = valuesIn(entered, `a.${key}`);
  if (parts) {
    const given = (JSON.parse(parts) as string[]).map((name, at) => [name, values[at]]).filter(([, value]) => value);
    return given[0] && Object.fromEntries(given);
  }
  const files = [...entered.getAll(`kept.${key}`).map(String), ...filesIn(entered, key)];
  // A picture counts more than a name.
  if (files[0] && dataset.drawn) return dataset.drawn;
  if (answer !== 'file') return answerOf({ kind: answer as AnswerKind, trim: trim !== 'false' }, values, language);
  return files.length > 0 ? files : undefined;
}

/** Each row of a matrix has a name of its own that begins with that of the question. */
const valuesIn = (entered: FormData, name: string): string[] =>
  [...entered].flatMap(([each, value]) => (typeof value === 'string' && `${each}.`.startsWith(`${name}.`) ? value : []));

/** The names of the files that were just chosen. */
export const filesIn = (entered: FormData, key: string): string[] =>
  entered.getAll(`file.${key}`).flatMap((file) => (file instanceof File && file.name !== '' ? [file.name] : []));
