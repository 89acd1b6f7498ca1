import {
  answerKindOf,
  countriesOf,
  countryCodes,
  countryNames,
  exactNumber,
  folded,
  inEnglish,
  inFrench,
  inGerman,
  inSpanish,
  isNumberLiteral,
  type AnswerKind,
  type DateOrder,
  type Field,
  signatureOf,
} from '@sheaf/contracts';
import { isAmbiguous, readMoment, type Moment } from './moments';

/** The answer that a cell has, to be checked like any other; or why it cannot be read. */
export type Read = { answer: unknown } | { fault: string };
export type Reader = (text: string) => Read;

/** How the texts of a column are to be understood. */
export interface Manner {
  /** Undefined if nothing tells. */
  dateOrder: DateOrder | undefined;
  /** Whether `1.234` may be one thousand and more: the file comes from where decimals have a comma. */
  hasCommas: boolean;
  /** The languages of the form, in which exports name countries. */
  languages: readonly string[];
}

/** Reads the cells of a column that has the answers to a field, or a part of them of the kind. A text that is no answer is passed on as it is, so that the check of the form names the fault. */
export const readerOf = (field: Field, manner: Manner, kind: AnswerKind = answerKindOf(field)): Reader =>
  readers[kind]?.(field, manner) ?? asText;

const asText: Reader = (text) => ({ answer: text });
const aNumber =
  (_: Field, manner: Manner): Reader =>
  (text) =>
    number(text, manner);

const readers: Readonly<Partial<Record<AnswerKind, (field: Field, manner: Manner) => Reader>>> = {
  number: aNumber,
  whole: aNumber,
  boolean: () => (text) => ({ answer: yesOrNo(text) ?? text }),
  date: (_, manner) => dated(manner, ({ day }) => day),
  time: (_, manner) => dated(manner, ({ day, time }) => (day === undefined ? time : undefined)),
  datetime: (_, manner) =>
    dated(manner, ({ day, time, offset }) => day && (time === undefined ? `${day}T00:00` : `${day}T${withSeconds(time, offset)}`)),
  country: (field, { languages }) => remembering(oneOf(namesOfCountries(field, languages), 'countries')),
  option: (field) => remembering(oneOf(namesOfOptions(field))),
  options: (field) => remembering(someOf(namesOfOptions(field))),
  // Of those in a table, the name alone.
  signature: () => (text) => ({ answer: signatureOf(text, undefined) }),
  file: () => () => ({ fault: 'a table has no files' }),
};

/** With an offset it follows RFC 3339, which has seconds. */
const withSeconds = (time: string, offset: string | undefined): string =>
  offset === undefined ? time : `${time.length === 5 ? `${time}:00` : time}${offset}`;

const shown = (text: string): string => `"${text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text}"`;

const dated =
  ({ dateOrder }: Manner, answerOf: (moment: Moment) => string | undefined): Reader =>
  (text) => {
    if (dateOrder === undefined && isAmbiguous(text))
      return { fault: `${shown(text)} may have the day or the month first; say which by date_order, or write it as 2026-03-02` };
    const read = readMoment(text, dateOrder);
    return { answer: (read && answerOf(read)) ?? text };
  };

const group = "[ \u00a0\u202f\u2009’']";
const grouped = new RegExp(`^[+-]?\\d{1,3}(?:${group}\\d{3})+(?:[.,]\\d+)?$`);

/** A number in the notation of any country, where it can mean one thing only. */
function number(text: string, { hasCommas }: Manner): Read {
  const given = text.trim().replace(/^[−–]/, '-');
  const plain = grouped.test(given) ? given.replaceAll(new RegExp(group, 'g'), '') : given;
  const normal = notation(plain, hasCommas);
  if (normal === undefined)
    return { fault: `${shown(text)} may have a decimal or a thousands separator; write it without separators, or as 1234.5` };
  return { answer: isNumberLiteral(normal) ? (exactNumber(normal) ?? normal) : text };
}

/** In the notation of JSON; undefined if it may mean two numbers. */
function notation(text: string, hasCommas: boolean): string | undefined {
  if (/^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/.test(text) || /^[+-]?\d{1,3}(?:,\d{3}){2,}$/.test(text)) return text.replaceAll(',', '');
  if (/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (/^[+-]?\d{1,3}(?:\.\d{3}){2,}$/.test(text)) return text.replaceAll('.', '');
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(text) || (hasCommas && /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text))) return undefined;
  if (/^[+-]?\d+,\d+$/.test(text)) return text.replace(',', '.');
  return text.replace(/^([+-]?)\./, '$10.').replace(/\.$/, '');
}

const words = [inEnglish, inGerman, inFrench, inSpanish];
const yes = new Set([
  'true',
  '1',
  'x',
  '✓',
  '✔',
  'y',
  'checked',
  'on',
  'wahr',
  'vrai',
  'verdadero',
  ...words.map((one) => folded(one.yes)),
]);
const no = new Set(['false', '0', 'n', 'unchecked', 'off', 'falsch', 'faux', 'falso', ...words.map((one) => folded(one.no))]);

export function yesOrNo(text: string): boolean | undefined {
  const word = folded(text.trim());
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}

/** Files name few different choices in many rows. */
function remembering(read: Reader): Reader {
  const known = new Map<string, Read>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const result = read(text);
    if (known.size < 1_000) known.set(text, result);
    return result;
  };
}

/** The values of options by their names. */
export interface OptionNames {
  exact: ReadonlyMap<string, string>;
  /** Compared without accents, case and repeated spaces. */
  alike: ReadonlyMap<string, string>;
}

export const alike = (text: string): string => folded(text).replaceAll(/\s+/g, ' ').trim();

const known = new WeakMap<Field, OptionNames>();

/** A value comes before a label, and a label before its translations. */
export function namesOfOptions(field: Field): OptionNames {
  const names = known.get(field) ?? collectNames(field);
  known.set(field, names);
  return names;
}

function collectNames({ options = [], translations = {} }: Field): OptionNames {
  const exact = new Map<string, string>();
  const names = [
    ...options.map(({ value }) => [value, value] as const),
    ...options.map(({ value, label }) => [label, value] as const),
    ...Object.values(translations).flatMap(({ options: labels = {} }) =>
      Object.entries(labels).map(([value, label]) => [label, value] as const),
    ),
  ];
  const values = new Set(options.map(({ value }) => value));
  for (const [name, value] of names) if (values.has(value) && !exact.has(name)) exact.set(name, value);
  const byLikeness = new Map<string, string>();
  for (const [name, value] of exact) if (!byLikeness.has(alike(name))) byLikeness.set(alike(name), value);
  return { exact, alike: byLikeness };
}

export const optionNamed = (text: string, names: OptionNames): string | undefined =>
  names.exact.get(text.trim()) ?? names.alike.get(alike(text));

/** The languages in which the names of countries are read, beside those of the form and of the question. */
const usualLanguages = ['en', 'de', 'fr', 'es'];

/** A code comes before a name. A name that means two countries, each in another language, is none. */
function namesOfCountries(field: Field, languages: readonly string[]): OptionNames {
  const codesOf = new Map<string, Set<string>>();
  for (const language of new Set([...usualLanguages, ...languages, ...Object.keys(field.translations ?? {})]))
    for (const [code, name] of countryNames(language)) codesOf.set(alike(name), (codesOf.get(alike(name)) ?? new Set()).add(code));
  for (const code of countryCodes) codesOf.set(alike(code), new Set([code]));
  const offered = new Set(countriesOf(field));
  const named = [...codesOf].flatMap(([name, [code = '', ...others]]): [string, string][] =>
    others.length === 0 && offered.has(code) ? [[name, code]] : [],
  );
  return { exact: new Map(), alike: new Map(named) };
}

const notOption = (text: string, of = 'options'): Read => ({ fault: `${shown(text)} is none of the ${of}` });

const oneOf =
  (names: OptionNames, of?: string): Reader =>
  (text) => {
    const value = optionNamed(text, names);
    return value === undefined ? notOption(text, of) : { answer: value };
  };

const separator = /^\s*[;,|\n]\s*|^\s+/;
const separates = /[\s;,|]/;

/** Several options in one cell, whatever stands between them. Of those that begin alike, the longest is meant: a label may have a comma. */
function someOf(names: OptionNames): Reader {
  const byName = new Map(names.alike);
  // As exports quote an option that has the separator in it.
  for (const [name, value] of names.alike) {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    if (/[;"]/.test(name) && !byName.has(quoted)) byName.set(quoted, value);
  }
  byName.delete('');
  const lengths = [...new Set([...byName.keys()].map(({ length }) => length))].sort((a, b) => b - a);
  const most = new Set(byName.values()).size;
  // Looked up by their lengths: a comparison with each name of each option would take long in a cell with a thousand of them.
  const firstIn = (text: string): string | undefined => {
    const isWhole = (length: number) => length === text.length || separates.test(text.charAt(length));
    const found = lengths.find((length) => length <= text.length && isWhole(length) && byName.has(text.slice(0, length)));
    return found === undefined ? undefined : text.slice(0, found);
  };
  return (text) => {
    const whole = optionNamed(text, names);
    if (whole !== undefined) return { answer: [whole] };
    const chosen = new Set<string>();
    let rest = alike(text);
    for (let parts = 0; rest !== ''; parts++) {
      if (parts === most) return { fault: `${shown(text)} names more options than there are` };
      const name = firstIn(rest);
      const value = name === undefined ? undefined : byName.get(name);
      if (name === undefined || value === undefined) return notOption(rest.split(/[;,|]/, 1)[0] ?? rest);
      chosen.add(value);
      rest = rest.slice(name.length).replace(separator, '');
    }
    return { answer: [...chosen] };
  };
}
