import { languageTag } from '@sheaf/contracts';
import type { Report } from './report';
import type { Entry, Table } from './table';

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

/** The language tag in `English (en)` or `pt-BR`. */
function tagOf(language: string): string | undefined {
  const [, code = language] = /\(([^()]+)\)\s*$/.exec(language) ?? [];
  const [base = '', ...rest] = code.trim().split('-');
  const written = [base.toLowerCase(), ...rest.map((part) => (part.length === 4 ? titled(part) : part.toUpperCase()))].join('-');
  return tag.safeParse(written).data;
}

const titled = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase();

/** @param wanted the default language that the sheet `settings` names */
export function languagesOf(tables: readonly Table[], wanted: string, report: Report): Languages {
  const written = new Set(tables.flatMap(({ columns }) => columns.flatMap((column) => languageOf(column) ?? [])));
  const hasPlain = tables.some(({ columns }) => columns.includes('label'));
  const own =
    [...written].find((language) => language === wanted || tagOf(language) === tagOf(wanted)) ?? (hasPlain ? undefined : [...written][0]);
  const ownTag = tagOf(own ?? wanted);
  const others = new Map<string, string>();
  for (const language of written) {
    if (language === own) continue;
    const tag = tagOf(language);
    if (tag === undefined || tag === ownTag || [...others.values()].includes(tag))
      report.warn('survey', 1, `the language "${language.slice(0, 64)}" is not taken over: it needs its own tag, such as English (en)`);
    else others.set(language, tag);
  }
  return { own, ownTag, others };
}

const languageOf = (column: string): string | undefined => /^(?:label|hint)::(.+)$/.exec(column)?.[1];

export const isTextColumn = (column: string): boolean => ['label', 'hint'].includes(column) || languageOf(column) !== undefined;

/** The text in a column such as `label` and in its translations. */
export function textOf({ get }: Entry, column: 'label' | 'hint', { own, others }: Languages): Text {
  const translations = [...others].flatMap(([language, tag]) => {
    const text = get(`${column}::${language}`);
    return text === '' ? [] : [[tag, text] as const];
  });
  const ownText = own === undefined ? get(column) : get(`${column}::${own}`, column);
  return { own: ownText, translations: Object.fromEntries(translations) };
}
