import { daysText, isFilterFact, type AnswerFilter, type FilterFact } from '@sheaf/contracts';
import type { FieldLabels } from '../form/forms-view';
import type { Conditions } from '../search/conditions';
import { momentIn, type Zone } from './dated';
import type { Cell } from './table';
import type { ExportWords } from './words';
import { limits, type Written } from './xlsx';

interface Facts {
  title: string;
  /** Undefined for a program, or from an earlier version of the gateway. */
  by: string | undefined;
  at: Date;
  zone: Zone;
  conditions: Conditions;
  fields: ReadonlyMap<string, FieldLabels>;
  /** Those that the submissions were made against. */
  versions: ReadonlySet<number>;
}

/** The answers to those who are sent the file, and a note on all that the format could not hold. */
export function aboutRows(words: ExportWords, language: string, facts: Facts, written: Written): [string, Cell][] {
  const { about, notes } = words;
  const { title, by, at, zone, conditions, fields, versions } = facts;
  const number = (count: number) => new Intl.NumberFormat(language).format(count);
  const filters = filterRows(words, number, zone, conditions, fields);
  const warnings = [
    ...(written.sheets > 1 ? [notes.sheets(number(written.sheets), number(limits.sheetRows))] : []),
    ...(written.cut > 0 ? [notes.cut(number(written.cut), number(limits.textLength))] : []),
    ...(written.unlinked > 0 ? [notes.unlinked(number(written.unlinked), number(limits.sheetLinks))] : []),
  ];
  return [
    ...(title === '' ? [] : [[about.form, title] as [string, Cell]]),
    ...(filters.length > 0 ? filters : [[about.filter, about.everything] as [string, Cell]]),
    [about.submissions, written.submissions],
    [about.versions, rangesOf(versions)],
    [about.exportedAt, momentIn(zone, at)],
    [about.zone, zone.name],
    ...(by === undefined ? [] : [[about.exportedBy, by] as [string, Cell]]),
    ...warnings.map((note): [string, Cell] => [about.note, note]),
  ];
}

/** A row for each condition; the first says that they are the filter. */
function filterRows(
  words: ExportWords,
  number: (count: number) => string,
  zone: Zone,
  { q, statuses = [], assignee, from, to, changedSince, filters }: Conditions,
  fields: ReadonlyMap<string, FieldLabels>,
): [string, Cell][] {
  const { about, columns, statuses: statusWords } = words;
  const named = statusWords as Readonly<Record<string, string>>;
  const rows: [string, Cell | undefined][] = [
    [about.search, q],
    [columns.status, statuses.length === 0 ? undefined : statuses.map((status) => named[status] ?? status).join(', ')],
    [about.assignee, assignee],
    [about.from, momentOf(from, zone)],
    [about.to, momentOf(to, zone)],
    [about.changedSince, momentOf(changedSince, zone)],
    ...filters.map((filter): [string, Cell] =>
      isFilterFact(filter.key)
        ? [factNames(words)[filter.key], factText(filter, words, number)]
        : [fields.get(filter.key)?.label ?? filter.key, comparisonText(filter, words, fields, number)],
    ),
  ];
  return rows.filter(([, value]) => value !== undefined).map(([name, value]) => [`${about.filter} (${name})`, value]);
}

const momentOf = (text: string | undefined, zone: Zone): Cell => (text === undefined ? undefined : momentIn(zone, new Date(text)));

const signs: Readonly<Record<Exclude<AnswerFilter['comparison'], 'answered' | 'empty' | 'contains' | 'starts_with' | 'within'>, string>> = {
  eq: '=',
  ne: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
};

const factNames = ({ about, columns, filters }: ExportWords): Readonly<Record<FilterFact, string>> => ({
  _version: about.versions,
  _language: columns.language,
  _files: filters.files,
  _created: columns.created_at,
  _in: filters.area,
  _match: filters.match,
});

function factText({ key, comparison, values }: AnswerFilter, words: ExportWords, number: (count: number) => string): string {
  const { filters, yes, no } = words;
  const named = new Map(Object.entries({ ...filters.areas, any: filters.any, all: filters.all, true: yes, false: no }));
  const texts = values
    .flatMap((value) => value.split(','))
    .map((value) =>
      key === '_created' ? daysText(value, words, number) : value === 'und' ? filters.noLanguage : (named.get(value) ?? value),
    );
  return `${comparison === 'ne' ? '≠ ' : ''}${texts.join(', ')}`;
}

function comparisonText(
  { key, comparison, values }: AnswerFilter,
  words: ExportWords,
  fields: ReadonlyMap<string, FieldLabels>,
  number: (count: number) => string,
): string {
  const { answered } = words.about;
  if (comparison === 'within') return values.map((value) => daysText(value, words, number)).join(', ');
  if (comparison === 'answered' || comparison === 'empty')
    return values.map((value) => ((value === 'true') === (comparison === 'answered') ? answered : `≠ ${answered}`)).join(', ');
  const labels = values.map((value) => fields.get(key)?.options.get(value) ?? value);
  if (comparison === 'contains') return labels.map((label) => `…${label}…`).join(', ');
  if (comparison === 'starts_with') return labels.map((label) => `${label}…`).join(', ');
  return `${signs[comparison]} ${labels.join(', ')}`;
}

/** Such as `1–3, 5`. */
function rangesOf(versions: ReadonlySet<number>): string {
  const ranges: [number, number][] = [];
  for (const version of [...versions].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === version - 1) last[1] = version;
    else ranges.push([version, version]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(', ');
}
