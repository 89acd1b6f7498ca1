/** Whole days, as dates such as `2026-05-31`. */
export interface Days {
  /** Included. */
  first: string;
  /** Not included. */
  end: string;
}

const units = ['week', 'month', 'quarter', 'year'] as const;
type Unit = (typeof units)[number];

const mostDays = 3_660;

/** The words that need no number, the ones that people mostly want first. */
export const dayWords = [
  'today',
  'yesterday',
  'tomorrow',
  ...units.flatMap((unit) => (['this', 'last', 'next'] as const).map((which) => `${which}_${unit}` as const)),
] as const;

export type DayWord = (typeof dayWords)[number];
export const isDayWord = (text: string): text is DayWord => (dayWords as readonly string[]).includes(text);

/** The number of days in a word such as `last_7_days`. */
export function dayCountIn(word: string): { side: 'last' | 'next'; count: number } | undefined {
  const [, side, digits] = /^(last|next)_([1-9]\d{0,3})_days$/.exec(word) ?? [];
  const count = Number(digits);
  return side === undefined || count > mostDays ? undefined : { side: side as 'last' | 'next', count };
}

export const relativeDaysFault = `must be today, yesterday, tomorrow, one of this, last and next with _week, _month, _quarter or _year, or last_7_days or next_7_days with a number from 1 to ${mostDays}`;

const day = (of: string, after = 0): string => {
  const date = new Date(`${of}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + after);
  return date.toISOString().slice(0, 10);
};

/** The first day of a month, `after` so many months. */
const monthOf = (of: string, after: number): string => {
  const date = new Date(`${of.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + after);
  return date.toISOString().slice(0, 10);
};

/** Weeks begin on Monday, as in ISO 8601. */
function startOf(unit: Unit, today: string, after: number): string {
  const [year = '', month = ''] = today.split('-');
  switch (unit) {
    case 'week':
      return day(today, 7 * after - ((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7));
    case 'month':
      return monthOf(today, after);
    case 'quarter':
      return monthOf(today, 3 * after - ((Number(month) - 1) % 3));
    case 'year':
      return monthOf(`${year}-01-01`, 12 * after);
  }
}

const steps = { last: -1, this: 0, next: 1 } as const;

/** The days of a word such as `last_7_days`, which ends with today, or `last_month`. Undefined for any other text. */
export function readRelativeDays(word: string, today: string): Days | undefined {
  const single = ['yesterday', 'today', 'tomorrow'].indexOf(word) - 1;
  if (single >= -1) return { first: day(today, single), end: day(today, single + 1) };
  const [, which, unit] = /^(this|last|next)_(week|month|quarter|year)$/.exec(word) ?? [];
  if (which !== undefined) {
    const step = steps[which as keyof typeof steps];
    return { first: startOf(unit as Unit, today, step), end: startOf(unit as Unit, today, step + 1) };
  }
  const counted = dayCountIn(word);
  if (!counted) return undefined;
  const { side, count } = counted;
  return side === 'last' ? { first: day(today, 1 - count), end: day(today, 1) } : { first: today, end: day(today, count) };
}
