import {
  answerKindOf,
  answerTraitsOf,
  daysText,
  isFilterFact,
  isNumeric,
  isOrdered,
  listedKindOf,
  type FilterFact,
  type SubmissionWords,
} from '@sheaf/contracts';
import type { Formats } from '../words/formats';
import type { Column } from './columns';
import { optionLabel, type AnswerField } from './fields';
import { conditionName, conditionsIn, statusesIn, type Condition, type PageSearch } from './list-search';

/** The properties that a person can filter by. */
export type Target = 'status' | 'assignee' | 'received' | 'changed' | OwnFact | AnswerField;
export type OwnFact = 'version' | 'language' | 'files' | 'area' | 'match';

/** The facts by the names that the API has for them. */
export const factTargets: Readonly<Record<FilterFact, OwnFact | 'received'>> = {
  _version: 'version',
  _language: 'language',
  _files: 'files',
  _created: 'received',
  _in: 'area',
  _match: 'match',
};

/** A condition in the address, as a person reads it. */
export interface Chip {
  key: string;
  target: Target;
  text: string;
  /** The parameters that it stands for. */
  names: readonly string[];
}

export interface ChipWords {
  column_status: string;
  column_assignee: string;
  column_received: string;
  changed: string;
  column_version: string;
  column_language: string;
  filterWords: SubmissionWords['filters'];
  somebody: string;
  yes: string;
  no: string;
  from: (start: string) => string;
  until: (end: string) => string;
  isNot: (value: string) => string;
  contains: (value: string) => string;
  startsWith: (value: string) => string;
  hasAnswer: string;
  hasNoAnswer: string;
  or: (values: readonly string[]) => string;
}

interface Context {
  fields: readonly AnswerField[];
  formats: Formats;
  say: ChipWords;
  statusName: (status: string) => string;
  personName: (id: string) => string | undefined;
}

export const targetOf = ({ id, field }: Column): Target =>
  field ?? (id === 'received' ? 'received' : id === 'status' ? 'status' : 'assignee');

/** Each condition in the address. Conditions on fields that the current version lacks are shown by their key. */
export function chipsOf(search: PageSearch, { fields, formats, say, statusName, personName }: Context): Chip[] {
  const chips: Chip[] = [];
  const statuses = statusesIn(search);
  const day = (value: string) =>
    /^\d{4}-\d\d-\d\d$/.test(value) ? formats.date(`${value}T12:00`) : Number.isNaN(Date.parse(value)) ? value : formats.dateTime(value);
  const range = (from: string | undefined, to: string | undefined, write = day) =>
    [from === undefined ? '' : say.from(write(from)), to === undefined ? '' : say.until(write(to))].filter(Boolean).join(' ');
  if (statuses.length > 0)
    chips.push({ key: 'status', target: 'status', names: ['status'], text: `${say.column_status}: ${say.or(statuses.map(statusName))}` });
  if (search.assignee !== undefined)
    chips.push({
      key: 'assignee',
      target: 'assignee',
      names: ['assignee'],
      text: `${say.column_assignee}: ${personName(search.assignee) ?? say.somebody}`,
    });
  const days = search[createdWithin];
  if (search.from !== undefined || search.to !== undefined || days !== undefined)
    chips.push({
      key: 'received',
      target: 'received',
      names: ['from', 'to', createdWithin],
      text: [
        `${say.column_received}${days === undefined ? '' : ':'}`,
        ...(days === undefined ? [] : [say.or(days.split(/[\n,]/).map((word) => daysName(word, say.filterWords, formats)))]),
        range(search.from, search.to),
      ]
        .filter(Boolean)
        .join(' '),
    });
  if (search.changed_since !== undefined)
    chips.push({
      key: 'changed',
      target: 'changed',
      names: ['changed_since'],
      text: `${say.changed} ${say.from(day(search.changed_since))}`,
    });

  for (const [key, conditions] of grouped(conditionsIn(search))) {
    if (isFilterFact(key)) {
      const target = factTargets[key];
      if (target !== 'received') chips.push({ key, target, names: conditions.map(conditionName), text: factText(target, conditions, say) });
      continue;
    }
    const field = fields.find((each) => each.key === key) ?? { key, label: key, type: 'short_text', required: false };
    const text = conditionText(field, conditions, { formats, say, range });
    chips.push({
      key: `answers.${key}`,
      target: field,
      names: conditions.map(conditionName),
      text: /[?:…!.]$/.test(field.label) ? `${field.label} ${text}` : `${field.label}: ${text}`,
    });
  }
  return chips;
}

/** The parameter of days relative to today in which submissions arrived. */
export const createdWithin = 'filter[_created][within]';

export const daysName = (word: string, filters: SubmissionWords['filters'], formats: Pick<Formats, 'number'>): string =>
  daysText(word, { filters }, (count) => formats.number(count));

function factText(target: OwnFact, conditions: readonly Condition[], say: ChipWords): string {
  const { filterWords: words } = say;
  const title = factTitle(target, say);
  const named = new Map(
    Object.entries({ ...words.areas, any: words.any, all: words.all, true: say.yes, false: say.no, und: words.noLanguage }),
  );
  const texts = conditions.map(({ comparison, values }) => {
    const text = say.or(values.flatMap((value) => value.split(',')).map((value) => named.get(value) ?? value));
    return comparison === 'ne' ? say.isNot(text) : text;
  });
  return `${title}: ${texts.join(' ')}`;
}

export const factTitle = (target: OwnFact, say: Pick<ChipWords, 'column_version' | 'column_language' | 'filterWords'>): string =>
  ({
    version: say.column_version,
    language: say.column_language,
    files: say.filterWords.files,
    area: say.filterWords.area,
    match: say.filterWords.match,
  })[target];

function conditionText(
  field: AnswerField,
  conditions: readonly Condition[],
  {
    formats,
    say,
    range,
  }: Pick<Context, 'formats' | 'say'> & { range: (from?: string, to?: string, write?: (value: string) => string) => string },
): string {
  const valueOf = (comparison: string) => conditions.find((each) => each.comparison === comparison)?.values;
  const kind = answerKindOf(field);
  const name = (value: string) => {
    if (kind === 'country') return formats.country(value);
    return kind === 'boolean' ? (value === 'true' ? say.yes : say.no) : optionLabel(field, value);
  };
  const answered = valueOf('answered');
  if (answered) return answered[0] === 'true' ? say.hasAnswer : say.hasNoAnswer;
  const empty = valueOf('empty');
  if (empty) return empty[0] === 'true' ? say.hasNoAnswer : say.hasAnswer;
  const days = valueOf('within');
  if (days) return say.or(days.map((word) => daysName(word, say.filterWords, formats)));
  const [part, start] = [valueOf('contains'), valueOf('starts_with')];
  if (part) return say.contains(say.or(part));
  if (start) return say.startsWith(say.or(start));
  const [equal, other] = [valueOf('eq'), valueOf('ne')];
  if (equal) return say.or(equal.map(name));
  if (other) return say.isNot(say.or(other.map(name)));
  const [from, to] = [(valueOf('gte') ?? valueOf('gt'))?.[0], (valueOf('lte') ?? valueOf('lt'))?.[0]];
  if (answerKindOf(field) === 'datetime')
    return range(from, to, (value) => (Number.isNaN(Date.parse(value)) ? value : formats.dateTime(value)));
  return isOrdered(field) && !isNumeric(field)
    ? range(from, to)
    : range(from, to, (value) => (value !== '' && Number.isFinite(Number(value)) ? formats.number(Number(value)) : value));
}

/** Answers in an order are sought between two bounds; all others by what they are. */
export const hasBounds = (target: Target): boolean => typeof target !== 'string' && isOrdered(target);

/** Whether answers are of days, so that they can be sought relative to today. */
export const hasDays = (target: Target): boolean =>
  typeof target !== 'string' && ['date', 'datetime'].includes(listedKindOf(answerKindOf(target)));

/** Whether answers are texts that somebody has typed, or that came with the address. */
export const hasText = (target: Target): boolean => typeof target !== 'string' && answerTraitsOf(target).isText === true;

/** Not `Map.groupBy`, which browsers of 2023 lack. */
function grouped(conditions: readonly Condition[]): Map<string, Condition[]> {
  const groups = new Map<string, Condition[]>();
  for (const condition of conditions) groups.set(condition.key, [...(groups.get(condition.key) ?? []), condition]);
  return groups;
}
