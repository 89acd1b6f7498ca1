import { FieldList, fieldsOf, fileIdsIn, hasFiles, pipedKeys, type Answers, type FormItem } from '@sheaf/contracts';
import { pipedAnswers, type Piped, type Read, type ShownAnswer } from '@sheaf/form-view';
import { z } from 'zod';
import type { Entered } from './entered';
import { authorLanguageOf, type FormVisit } from './visit';

type Reader = Pick<FormVisit, 'form' | 'language'>;

const localeOf = ({ form, language }: Reader) => ({ language, authorLanguage: authorLanguageOf(form) });

const keysIn = (items: readonly FormItem[]): Set<string> => new Set(items.flatMap((item) => [...pipedKeys(item)]));

/** The answers that the texts of these items show, as they are entered so far. */
export const pipedIn = (
  visit: Reader,
  items: readonly FormItem[],
  { files }: Pick<Entered, 'files'>,
  { answers }: Pick<Read, 'answers'>,
): Piped =>
  pipedAnswers(
    keysIn(items),
    visit.form.items,
    { answers, fileNames: new Map([...files].map(([key, kept]) => [key, kept.map(({ name }) => name)])) },
    localeOf(visit),
  );

/** The answers that the labels of these answers show, as far as they are among them. */
export const pipedAmong = (visit: Reader, shown: readonly ShownAnswer[]): Piped => {
  const fields = shown.map(({ field }) => field);
  const answers = Object.fromEntries(shown.flatMap(({ field, answer }) => (answer === undefined ? [] : [[field.key, answer]])));
  const fileNames = new Map(shown.map(({ field, fileNames: names }) => [field.key, names]));
  return pipedAnswers(keysIn(fields), fields, { answers, fileNames }, localeOf(visit));
};

interface Sent {
  data?: Buffer;
  fields?: Buffer;
  file_names: Readonly<Record<string, string>>;
  piped?: Buffer;
}

const InTexts = z.object({ data: z.record(z.string(), z.unknown()), fields: FieldList, file_names: z.record(z.string(), z.string()) });

/** The answers that the texts of a receipt show: those of the ending or the thank-you, and the labels of the answers on it. */
export function pipedOnReceipt(visit: Reader, { data, fields, file_names: names, piped }: Sent): Piped {
  const inTexts = piped && InTexts.parse(JSON.parse(piped.toString()));
  const items = fields && FieldList.parse(JSON.parse(fields.toString()));
  return {
    ...(items && data && sentAnswers(visit, keysIn(items), items, { answers: JSON.parse(data.toString()) as Answers, names })),
    ...(inTexts &&
      sentAnswers(visit, new Set(fieldsOf(inTexts.fields).map(({ key }) => key)), inTexts.fields, {
        answers: inTexts.data,
        names: inTexts.file_names,
      })),
  };
}

/** A file is named by its id, as the answer does, should its name not be known. */
function sentAnswers(
  visit: Reader,
  keys: ReadonlySet<string>,
  items: readonly FormItem[],
  { answers, names }: { answers: Answers; names: Readonly<Record<string, string>> },
): Piped {
  const fileNames = new Map(
    fieldsOf(items).flatMap((field) => {
      const ids = hasFiles(field) && Object.hasOwn(answers, field.key) ? fileIdsIn(answers[field.key]) : [];
      return ids.length === 0 ? [] : [[field.key, ids.map((id) => names[id] ?? id)] as const];
    }),
  );
  return pipedAnswers(keys, items, { answers, fileNames }, localeOf(visit));
}
