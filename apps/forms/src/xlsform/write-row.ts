import { pipesIn, readPipes, type FormItem, type FormSettings } from '@sheaf/contracts';
import type { PlainSheet } from '@sheaf/workbook';
import { referencesTo, type Names } from './write-expressions';

/** The cells of a row by their columns; a text in another language is under `label::Deutsch (de)`. An empty one stays out. */
export type Row = Readonly<Record<string, string>>;

/** The languages that a file has: columns without a language are those of a form that does not say in which one it was written. */
export interface WrittenLanguages {
  own: string | undefined;
  others: readonly string[];
  /** The name by which columns and settings call it, such as `German (de)`. */
  nameOf: (tag: string) => string;
}

type Settings = Pick<FormSettings, 'languages' | 'default_language'>;

export function writtenLanguages(
  { languages, default_language: own = languages?.[0] }: Settings,
  items: readonly FormItem[],
): WrittenLanguages {
  const translated = items.flatMap((item) => Object.keys(item.translations ?? {}));
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  return {
    own,
    others: [...new Set(languages ?? translated)].filter((tag) => tag !== own),
    nameOf: (tag) => `${names.of(tag) ?? tag} (${tag})`,
  };
}

/** The column of the form's own language. */
export const ownColumn = (column: string, { own, others, nameOf }: WrittenLanguages): string =>
  own === undefined || others.length === 0 ? column : `${column}::${nameOf(own)}`;

/** The texts in a column and in its translations. */
export const textCells = (
  column: string,
  own: string | undefined,
  translated: (tag: string) => string | undefined,
  languages: WrittenLanguages,
): Row => ({
  [ownColumn(column, languages)]: own ?? '',
  ...Object.fromEntries(languages.others.map((tag) => [`${column}::${languages.nameOf(tag)}`, translated(tag) ?? ''])),
});

type Texts = Readonly<Record<string, unknown>>;

const textIn = (texts: Texts | undefined, part: string): string | undefined => {
  const text = texts?.[part];
  return typeof text === 'string' ? text : undefined;
};

/** The texts of a part such as `help`. */
export const textsOf = (
  item: FormItem,
  part: string,
  column: string,
  { languages, names }: { languages: WrittenLanguages; names: Names },
): Row =>
  textCells(
    column,
    withReferences(textIn(item, part), names),
    (tag) => withReferences(textIn(item.translations?.[tag], part), names),
    languages,
  );

/** An answer within a text is a reference to its question. A text that only looks like one would be taken for one. */
const withReferences = (text: string | undefined, names: Names): string | undefined =>
  text &&
  readPipes(text)
    .map((each) => (typeof each === 'string' ? each.replaceAll('${', '$ {') : referencesTo(each.key, names)))
    .join('');

/** Whether a text has words for a missing answer, which a reference cannot have. */
export const hasFallback = (item: FormItem): boolean =>
  [item, ...Object.values<Texts>(item.translations ?? {})].some((texts: Texts) =>
    ['label', 'help'].some((part) => pipesIn(textIn(texts, part) ?? '').some(({ fallback }) => fallback !== '')),
  );

/** The order in which authors know the columns. */
const order = [
  ...['list_name', 'type', 'name', 'label', 'hint', 'required', 'required_message', 'relevant', 'constraint', 'constraint_message'],
  ...['calculation', 'read_only', 'default', 'appearance', 'parameters', 'choice_filter', 'repeat_count'],
];

/** A sheet of the rows. `always`: columns that it has without content, too. */
export function sheetOf(name: string, rows: readonly Row[], always: readonly string[]): PlainSheet {
  const used = new Set(rows.flatMap((row) => Object.keys(row).filter((column) => row[column] !== '')));
  const place = (column: string) => {
    const at = order.indexOf(column.split('::', 1)[0] ?? '');
    return at === -1 ? order.length : at;
  };
  const columns = [...new Set([...always, ...used])].toSorted((a, b) => place(a) - place(b));
  return { name, columns, rows };
}
