import type { DayCount } from '@sheaf/client';

/** The days of the chart, as the address has them: `?range=7d`, `?range=all`, `?range=custom&from=2026-01-01&to=2026-01-31`. */
export const ranges = ['7d', '30d', '90d', 'all', 'custom'] as const;
export type Range = (typeof ranges)[number];

export interface PeriodSearch {
  range?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Whole days, such as 2026-05-31, in the time zone of the form. */
export interface Span {
  from: string;
  to: string;
}

/** The most days of one request to the API. */
const mostDays = 3_660;
/** The most days of one request to an earlier API. */
export const mostDaysEarlier = 366;
const dayMs = 86_400_000;

export const rangeOf = ({ range }: PeriodSearch): Range => ranges.find((known) => known === range) ?? '30d';

/** The day that it is in a zone. */
export const dayIn = (instant: string | number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(instant));

export const plusDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);

const daysIn = ({ from, to }: Span): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

const isDay = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && Date.parse(text) > 0;

/** The days that the address asks for. Days in the wrong order are swapped; a day that is missing or none is the usual one. */
export function spanOf(search: PeriodSearch, today: string, firstDay: string): Span {
  const range = rangeOf(search);
  if (range === 'all') return { from: firstDay < today ? firstDay : today, to: today };
  if (range !== 'custom') return { from: plusDays(today, 1 - Number.parseInt(range, 10)), to: today };
  const to = isDay(search.to) ? search.to : today;
  const from = isDay(search.from) ? search.from : plusDays(to, -29);
  return from <= to ? { from, to } : { from: to, to: from };
}

/** The same days in parts that the API answers. More than fit into two answers are left out at the beginning. */
export function partsOf(span: Span, maxDays = mostDays): Span[] {
  const first = daysIn(span) > 2 * mostDays ? plusDays(span.to, 1 - 2 * mostDays) : span.from;
  const parts: Span[] = [];
  for (let from = first; from <= span.to; from = plusDays(from, maxDays)) {
    const end = plusDays(from, maxDays - 1);
    parts.push({ from, to: end < span.to ? end : span.to });
  }
  return parts;
}

/** The same days for one request; more than the API answers are left out at the beginning. */
export const shortened = ({ from, to }: Span): Span => ({ from: daysIn({ from, to }) > mostDays ? plusDays(to, 1 - mostDays) : from, to });

/** The counts of each day. */
export type Counts = Omit<DayCount, 'date'>;

/** One column of the chart. */
export interface Bucket extends Span, Counts {}

export const noCounts: Counts = { submissions: 0, views: 0, starts: 0, completions: 0 };

export const sumOf = (one: Counts, other: Counts): Counts => ({
  submissions: one.submissions + other.submissions,
  views: one.views + other.views,
  starts: one.starts + other.starts,
  completions: one.completions + other.completions,
});

export type Unit = 'day' | 'week' | 'month';

/** More columns than this are too thin to see. */
const maxColumns = 93;

export const unitFor = (count: number): Unit => (count <= maxColumns ? 'day' : count <= maxColumns * 7 ? 'week' : 'month');

/** Days together as weeks, from Monday on, or as months, where there are too many for a column each. */
export function bucketsOf(days: readonly DayCount[], unit: Unit = unitFor(days.length)): Bucket[] {
  const buckets: Bucket[] = [];
  let last: string | undefined;
  for (const { date, ...day } of days) {
    const start = startOf(date, unit);
    const bucket = start === last ? buckets.pop() : undefined;
    buckets.push({ from: bucket?.from ?? date, to: date, ...sumOf(bucket ?? noCounts, day) });
    last = start;
  }
  return buckets;
}

function startOf(date: string, unit: Unit): string {
  if (unit === 'month') return date.slice(0, 7);
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return unit === 'week' ? plusDays(date, -weekday) : date;
}

/** The end of a scale and its steps: 1, 2 or 5 times a power of ten, at most five of them. */
export function scaleFor(highest: number): { top: number; steps: number[] } {
  const rough = Math.max(highest, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power);
  const top = Math.ceil(Math.max(highest, 1) / step) * step;
  return { top, steps: Array.from({ length: Math.round(top / step) + 1 }, (_, n) => n * step) };
}
