import { languageTag, maxLanguages } from '@sheaf/contracts';
import type { Report } from './report';
import { languageOf, type Entry, type Table } from './table';

/** The languages of an XLSForm: the author's own, and others with their tags. */
export interface Languages {
  /** As written in the columns; undefined if the author's texts are in columns without a language. */
  own: string | undefined;
  ownTag: string | undefined;
  /** Tag by the language as written in the columns. */
  others: ReadonlyMap<string, string>;
}

/** A text in the author's language, and its translations by tag. */
export interface Text {
  own: string;
  translations: Readonly<Record<string, string>>;
}

const tag = languageTag();

/** The language tag in `English (en)`, `pt-BR` or `Português (pt_BR)`, or of a language that is only named, such as `French`. */
function tagOf(language: string): string | undefined {
  const [, code = language] = /\(([^()]+)\)$/.exec(language.trim()) ?? [];
  const [base = '', ...rest] = code.trim().split(/[-_]/);
  const written = [base.toLowerCase(), ...rest.map((part) => (part.length === 4 ? titled(part) : part.toUpperCase()))].join('-');
  return tag.safeParse(written).data ?? tagsByName().get(nameIn(language));
}

const titled = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase();

/** The name in `English (en)`, for comparing. */
const nameIn = (language: string): string => (language.split('(', 1)[0] ?? '').trim().toLowerCase();

let named: ReadonlyMap<string, string> | undefined;

/** The tags of languages by their names in English and in themselves, in lower case. */
function tagsByName(): ReadonlyMap<string, string> {
  if (named) return named;
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
  const inEnglish = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const names = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const english = inEnglish.of(code);
    if (english === undefined || !tag.safeParse(code).success) continue;
    const itself = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code);
    for (const name of [english, itself ?? english]) if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), code);
  }
  return (named = names);
}

/** @param wanted the default language that the sheet `settings` names */
export function languagesOf(tables: readonly Table[], wanted: string, report: Report): Languages {
  const written = [...new Set(tables.flatMap(({ columns }) => columns.flatMap((column) => languageOf(column) ?? [])))];
  const hasPlain = tables.some(({ columns }) => columns.includes('label'));
  const wantedTag = wanted === '' ? undefined : tagOf(wanted);
  const named =
    written.find((language) => language === wanted) ??
    written.find((language) => wanted !== '' && nameIn(language) === nameIn(wanted)) ??
    written.find((language) => wantedTag !== undefined && tagOf(language) === wantedTag);
  if (wanted !== '' && named === undefined && !hasPlain && written.length > 0)
    report.warn('settings', 1, `default_language names "${wanted.slice(0, 64)}", but no column has texts in it`);
  const own = named ?? (hasPlain ? undefined : written[0]);
  const others = new Map<string, string>();
  const ownTag = own === undefined ? (wantedTag ?? plainTag(written, report)) : tagOf(own);
  for (const language of written) {
    if (language === own) continue;
    const tag = tagOf(language);
    if (tag === undefined || tag === ownTag || [...others.values()].includes(tag))
      report.warn('survey', 1, `the language "${language.slice(0, 64)}" is not taken over: it needs its own tag, such as English (en)`);
    else if (others.size + 1 >= maxLanguages)
      report.warn('survey', 1, `the language "${language.slice(0, 64)}" is not taken over: a form has at most ${maxLanguages}`);
    else others.set(language, tag);
  }
  return { own, ownTag, others };
}

/** The language of columns without one, beside others: most authors leave out English. */
function plainTag(written: readonly string[], report: Report): string | undefined {
  if (written.length === 0 || written.some((language) => tagOf(language) === 'en')) return undefined;
  report.warn('survey', 1, 'the texts in columns without a language are taken for English (en); name their language in default_language');
  return 'en';
}

/** The text in a column such as `label` and in its translations. */
export function textOf(
  { get }: Entry,
  column: 'label' | 'hint' | 'constraint_message' | 'required_message',
  { own, others }: Languages,
): Text {
  const translations = [...others].flatMap(([language, tag]) => {
    const text = get(`${column}::${language}`);
    return text === '' ? [] : [[tag, text] as const];
  });
  const ownText = own === undefined ? get(column) : get(`${column}::${own}`, column);
  return { own: ownText, translations: Object.fromEntries(translations) };
}

/** The text, or a translation where the author has none in the form's own language: people should read some of it. */
export const someOf = ({ own, translations }: Text): string => own || (Object.values(translations)[0] ?? '');

const usualOther = 'Other';

/** The word for the option of whoever finds nothing else. In other languages, the author has to write it. */
const other: Readonly<Record<string, string>> = {
  ...{ en: usualOther, ar: 'أخرى', de: 'Anderes', es: 'Otro', fr: 'Autre', he: 'אחר', it: 'Altro', ja: 'その他', nl: 'Anders' },
  ...{ pl: 'Inne', pt: 'Outro', tr: 'Diğer', uk: 'Інше', zh: '其他' },
};

const otherIn = (tag: string | undefined): string | undefined => other[(tag ?? 'en').split('-', 1)[0] ?? ''];

/** The label of an option *Other*: as its list has it, or else in as many languages as are known here. */
export function otherTextOf(written: Text | undefined, { ownTag, others }: Languages): Text {
  if (written && written.own !== '') return written;
  const known = [...others.values()].flatMap((tag) => {
    const word = otherIn(tag);
    return word === undefined ? [] : [[tag, word] as const];
  });
  return { own: otherIn(ownTag) ?? usualOther, translations: { ...Object.fromEntries(known), ...written?.translations } };
}

/** Names the languages in which a text is missing that it has in another one. */
export function warnOfMissing(sheet: string, row: number, { own, translations }: Text, languages: Languages, report: Report): void {
  if (own === '' && Object.keys(translations).length === 0) return;
  if (own === '')
    report.warn(sheet, row, `has no label in ${languages.own?.slice(0, 64) ?? 'the columns without a language'}, the form's own language`);
  for (const [language, tag] of languages.others)
    if (translations[tag] === undefined) report.warn(sheet, row, `has no label in ${language.slice(0, 64)}`);
}
