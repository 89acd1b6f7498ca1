import type { SearchSubmissionsData, SubmissionStatus } from '@sheaf/client';
import { isFilterFact } from '@sheaf/contracts';

/** The search parameters of the page. */
export type PageSearch = Readonly<Record<string, string | undefined>>;

type Query = NonNullable<SearchSubmissionsData['query']>;

/** The conditions and the order of a list, as `searchSubmissions` takes them. */
export type ListQuery = Omit<Query, 'limit' | 'cursor'>;

export const statuses = [
  'new',
  'in_review',
  'approved',
  'rejected',
  'archived',
  'pending_payment',
] as const satisfies readonly SubmissionStatus[];

export const comparisons = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts_with', 'within', 'answered', 'empty'] as const;
export type Comparison = (typeof comparisons)[number];

/** A condition on the answers to a field, or on the submission, such as `_version`: any of the values meets it. */
export interface Condition {
  key: string;
  comparison: Comparison;
  values: readonly string[];
}

/** Several values of one parameter: a line break occurs in no answer that can be sought. */
const separator = '\n';

export const conditionName = ({ key, comparison }: Pick<Condition, 'key' | 'comparison'>): string =>
  comparison === 'eq' ? `filter[${key}]` : `filter[${key}][${comparison}]`;

/** The conditions on fields in the address, named as in the API. */
export function conditionsIn(search: PageSearch): Condition[] {
  return Object.entries(search).flatMap(([name, value]) => {
    const [, key, comparison = 'eq'] = /^filter\[(_?[a-z][a-z0-9_]*)\](?:\[([a-z_]+)\])?$/.exec(name) ?? [];
    if (
      key === undefined ||
      (key.startsWith('_') && !isFilterFact(key)) ||
      value === undefined ||
      !comparisons.includes(comparison as Comparison)
    )
      return [];
    return [{ key, comparison: comparison as Comparison, values: value.split(separator) }];
  });
}

/** The parameters that replace every condition on a field; those without a value are left out. */
export function withConditions(search: PageSearch, key: string, conditions: readonly Omit<Condition, 'key'>[]): PageSearch {
  const rest = Object.entries(search).filter(([name]) => name !== `filter[${key}]` && !name.startsWith(`filter[${key}][`));
  const added = conditions
    .filter(({ values }) => values.some((value) => value !== ''))
    .map(({ comparison, values }) => [conditionName({ key, comparison }), values.join(separator)]);
  return Object.fromEntries([...rest, ...added]) as PageSearch;
}

/** The values of a condition, which may also stand between commas if it is on the submission. */
export const factIn = (search: PageSearch, name: string): string[] => (search[name] ?? '').split(/[\n,]/).filter((value) => value !== '');

export const statusesIn = ({ status }: PageSearch): string[] => (status === undefined || status === '' ? [] : status.split(','));

const listParameters = ['q', 'status', 'assignee', 'from', 'to', 'changed_since', 'sort'];
const isListParameter = (name: string): boolean => listParameters.includes(name) || name.startsWith('filter[');

/** The part of the address that decides which submissions are listed, and in which order. A saved view keeps it. */
export const listPart = (search: PageSearch): PageSearch =>
  Object.fromEntries(Object.entries(search).filter(([name, value]) => isListParameter(name) && value !== undefined && value !== ''));

export const isFiltered = (search: PageSearch): boolean => Object.keys(listPart(search)).some((name) => name !== 'sort');

/** Days are those of the person's own time zone; the last one is included. Anything else goes to the API as it is, which says what is wrong. */
export const startOf = (day: string | undefined, laterDays = 0): string | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return day === '' ? undefined : day;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + laterDays);
  return Number.isNaN(start.getTime()) ? day : start.toISOString();
};

export function listQueryOf(search: PageSearch): ListQuery {
  const { q, assignee, from, to, changed_since: changedSince, sort } = listPart(search);
  const status = statusesIn(search);
  const filter = filterOf(conditionsIn(search));
  const query = {
    q: q?.trim(),
    status: status.length === 0 ? undefined : status,
    assignee,
    from: startOf(from),
    to: startOf(to, 1),
    changed_since: startOf(changedSince),
    filter: Object.keys(filter).length === 0 ? undefined : filter,
    // The API refuses this condition in any other order.
    sort: changedSince === undefined || sort === 'updated' ? sort : '-updated',
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''));
}

function filterOf(conditions: readonly Condition[]): NonNullable<ListQuery['filter']> {
  const filter: Record<string, string[] | Record<string, string[]>> = {};
  for (const { key, comparison, values } of conditions) {
    const earlier = filter[key] ?? {};
    if (comparison === 'eq') filter[key] = [...values];
    else if (!Array.isArray(earlier)) filter[key] = { ...earlier, [comparison]: [...values] };
  }
  return filter;
}

/** The parameter that an error of the API is about: its message begins with the name. */
export const parameterAt = (message: string): string | undefined => /^(\w+(?:\[\w+\])*)(?:\.\d+)?:/.exec(message)?.[1];
