import type { FormInsights, GetFormInsightsData, StatusCount } from '@sheaf/client';
import { partsOf, rangeOf, type PeriodSearch, type Span } from './period';

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

/** Answers are those of the period, unless that is everything, or too long for one request. */
export function narrowingOf(search: InsightsSearch, span: Span): Narrowing {
  const status = statuses.find((known) => known === search.status);
  const { question, answer } = search;
  return {
    ...(rangeOf(search) !== 'all' && partsOf(span).length === 1 && { period_only: true }),
    ...(status && { status: [status] }),
    ...(question !== undefined && answer !== undefined && { answer: [`${question}:${answer}`] }),
  };
}

/** Whether more than the period decides about what is counted. */
export const isFiltered = ({ status, answer }: Narrowing): boolean => status !== undefined || answer !== undefined;

/** The submissions that answers are of. */
export const countedIn = ({ narrowed, submissions }: FormInsights): number => narrowed?.submissions ?? submissions;
