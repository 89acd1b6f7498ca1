import type { FormInsights, GetFormInsightsData, SearchSubmissionsData, StatusCount } from '@sheaf/client';
import { instantOf } from '../share/wall-time';
import { plusDays, rangeOf, shortened, type PeriodSearch, type Span } from './period';

/** The submissions that are counted, as the address has them: `?status=approved&question=colour&answer=red`. */
export interface NarrowSearch {
  status?: string | undefined;
  question?: string | undefined;
  answer?: string | undefined;
}

export type InsightsSearch = PeriodSearch & NarrowSearch;

/** The order of their work. */
export const statuses: readonly StatusCount['status'][] = ['pending_payment', 'new', 'in_review', 'approved', 'rejected', 'archived'];

export type Narrowing = Pick<NonNullable<GetFormInsightsData['query']>, 'period_only' | 'status' | 'answer'>;

/** Answers are those of the period, unless that is everything. */
export function narrowingOf(search: InsightsSearch): Narrowing {
  const status = statuses.find((known) => known === search.status);
  const { question, answer } = search;
  return {
    ...(rangeOf(search) !== 'all' && { period_only: true }),
    ...(status && { status: [status] }),
    ...(question !== undefined && answer !== undefined && { answer: [`${question}:${answer}`] }),
  };
}

/** The conditions under which a search finds the submissions that are counted. */
export function searchOf({ period_only: isPeriodOnly, status, answer = [] }: Narrowing, span: Span, timeZone: string): SearchQuery {
  const days = shortened(span);
  const startOf = (day: string) => instantOf(`${day}T00:00`, timeZone)?.toISOString();
  const [from, to] = isPeriodOnly === true ? [startOf(days.from), startOf(plusDays(days.to, 1))] : [];
  const chosen = answer.map((each) => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1)] as const);
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(status && { status }),
    ...(chosen.length > 0 && { filter: Object.fromEntries(chosen.map(([key, value]) => [key, { eq: [value] }])) }),
  };
}

type SearchQuery = Pick<NonNullable<SearchSubmissionsData['query']>, 'from' | 'to' | 'status' | 'filter'>;

/** Whether more than the period decides about what is counted. */
export const isFiltered = ({ status, answer }: Narrowing): boolean => status !== undefined || answer !== undefined;

/** The submissions that answers are of. */
export const countedIn = ({ narrowed, submissions }: FormInsights): number => narrowed?.submissions ?? submissions;
