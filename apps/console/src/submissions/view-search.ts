import type { SubmissionStatus, SubmissionView, ViewSearch } from '@sheaf/client';
import type { Layout } from './columns';
import { conditionName, conditionsIn, listPart, startOf, statusesIn, type PageSearch } from './list-search';

/** The search of an address, as a view keeps it. */
export function viewSearchOf(search: PageSearch): ViewSearch {
  const { q, assignee, from, to, changed_since: changedSince, sort } = listPart(search);
  const status = statusesIn(search) as SubmissionStatus[];
  const filter = conditionsIn(search).map(({ key, comparison, values }) => ({ key, comparison, values: [...values] }));
  const kept = {
    q: q?.trim(),
    status: status.length === 0 ? undefined : status,
    assignee,
    from: startOf(from),
    to: startOf(to, 1),
    changed_since: startOf(changedSince),
    filter: filter.length === 0 ? undefined : filter,
    sort,
  };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined && value !== ''));
}

/** The address of a view's list. A day of the person's own time zone is written as one, and any other moment as it is. */
export function pageSearchOf({ status, filter = [], from, to, changed_since: changedSince, ...others }: ViewSearch): PageSearch {
  const search = {
    ...others,
    status: status?.join(','),
    from: dayOf(from),
    to: dayOf(to, 1),
    changed_since: dayOf(changedSince),
    ...Object.fromEntries(filter.map((condition) => [conditionName(condition), condition.values.join('\n')])),
  };
  return listPart(search);
}

/** @param later the days after it at which the moment is */
function dayOf(instant: string | undefined, later = 0): string | undefined {
  if (instant === undefined) return undefined;
  const at = new Date(instant);
  if (at.getHours() !== 0 || at.getMinutes() !== 0 || at.getSeconds() !== 0 || at.getMilliseconds() !== 0) return instant;
  const day = new Date(at.getFullYear(), at.getMonth(), at.getDate() - later);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

const sorted = (search: PageSearch): string => JSON.stringify(Object.entries(listPart(search)).sort());

export const isSameSearch = (one: PageSearch, other: PageSearch): boolean => sorted(one) === sorted(other);

export const isSameLayout = (one: Layout, other: Layout): boolean =>
  JSON.stringify([one.order, [...one.hidden].sort(), Object.entries(one.widths).sort()]) ===
  JSON.stringify([other.order, [...other.hidden].sort(), Object.entries(other.widths).sort()]);

/** The fields that a view asks for and the form does not have, or has no longer. */
export function missingFields({ search }: SubmissionView, keys: readonly string[]): string[] {
  const [, sortKey] = /^-?answers\.(.+)$/.exec(search.sort ?? '') ?? [];
  const asked = [...(search.filter ?? []).map(({ key }) => key).filter((key) => !key.startsWith('_')), ...(sortKey ? [sortKey] : [])];
  return [...new Set(asked)].filter((key) => !keys.includes(key));
}
