import type { PartName } from '../fields/answer-kinds';
import type { EntrySource, ExportFact } from '../operations/exports';
import type { submissionStatuses } from '../operations/submissions';
import type { SubmissionArea } from '../search/filter-facts';
import { dayCountIn, isDayWord, type DayWord } from '../search/relative-days';

/** The words for what a submission has, which the console and files for people share. Each language is a file of its own, as pages load only one. */
export interface SubmissionWords {
  /** The columns of the submission itself. */
  columns: Readonly<Record<ExportFact, string>>;
  sources: Readonly<Record<EntrySource, string>>;
  statuses: Readonly<Record<(typeof submissionStatuses)[number], string>>;
  yes: string;
  no: string;
  /** The parts of answers. */
  parts: Readonly<Record<PartName, string>>;
  /** The words of filters that are about other facts than answers. */
  filters: {
    files: string;
    /** In which part of the form's submissions it is. */
    area: string;
    areas: Readonly<Record<SubmissionArea, string>>;
    noLanguage: string;
    /** How many of the conditions must be met. */
    match: string;
    any: string;
    all: string;
    days: Readonly<Record<DayWord, string>>;
    /** At least two days, the last of which is today, or the first. */
    lastDays: (count: string) => string;
    nextDays: (count: string) => string;
  };
}

/** Days relative to today, as a filter names them; any other text as it is. */
export function daysText(word: string, { filters }: Pick<SubmissionWords, 'filters'>, number: (count: number) => string): string {
  if (isDayWord(word)) return filters.days[word];
  const counted = dayCountIn(word);
  if (!counted) return word;
  if (counted.count === 1) return filters.days.today;
  return filters[counted.side === 'last' ? 'lastDays' : 'nextDays'](number(counted.count));
}
