import type { FormInsights } from '@sheaf/client';
import { hasRanks } from './has-ranks';
import type { CountedField } from './insights-query';
import { matrixCounts } from './matrix-counts';
import { nameOfStep } from './steps';

export interface CsvWords {
  about: string;
  key: string;
  item: string;
  figure: string;
  number: string;
  perDay: string;
  byStatus: string;
  submissions: string;
  opened: string;
  started: string;
  sent: string;
  steps: string;
  reached: string;
  wentOn: string;
  pageNumber: (number: number) => string;
  checkPage: string;
  answers: string;
  share: string;
  asked: string;
  lowest: string;
  lowerQuartile: string;
  median: string;
  upperQuartile: string;
  highest: string;
  mean: string;
  firstRanks: string;
  meanRanks: string;
  score: string;
}

interface Named {
  statusName: (status: string) => string;
  optionName: (field: CountedField, option: { value: string; label?: string | undefined }) => string;
}

/** A spreadsheet would take such a text for a formula. */
const looksLikeFormula = /^[=+\-@\t\r]/;

const cell = (value: string | number): string => {
  const text = typeof value === 'string' && looksLikeFormula.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

interface Shown {
  data: FormInsights;
  fields: readonly CountedField[];
  /** Visits are not those of the submissions that match, and are left out. */
  isNarrow: boolean;
}

/** All figures of the page as one table, one figure a row, so that every program can take it apart. Numbers are written as programs read them. */
export function figuresCsv({ data: { days, steps = [], statuses }, fields, isNarrow }: Shown, say: CsvWords, named: Named): string {
  const rows: (string | number)[][] = [[say.about, say.key, say.item, say.figure, say.number]];
  for (const { date, submissions, views, starts, completions } of days)
    for (const [figure, count] of [
      [say.submissions, submissions],
      ...(isNarrow
        ? []
        : ([
            [say.opened, views],
            [say.started, starts],
            [say.sent, completions],
          ] as const)),
    ] as const)
      rows.push([say.perDay, '', date, figure, count]);
  for (const [at, step] of isNarrow ? [] : steps.entries()) {
    const name = nameOfStep(step, at, say);
    // Two pages may have the same label.
    const key = step.kind === 'page' ? at + 1 : '';
    rows.push([say.steps, key, name, say.reached, step.reached], [say.steps, key, name, say.wentOn, step.went_on]);
  }
  for (const { status, submissions } of statuses) rows.push([say.byStatus, '', named.statusName(status), say.submissions, submissions]);
  for (const field of fields) rows.push(...rowsOf(field, say, named));
  // The mark tells spreadsheets that the text is UTF-8.
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

function rowsOf(field: CountedField, say: CsvWords, { optionName }: Named): (string | number)[][] {
  const { key, label, answered, asked, answered_share: share, options = [], numbers } = field;
  const figures = numbers && [
    ...(numbers.mean === undefined ? [] : [[say.mean, numbers.mean] as const]),
    [say.lowest, numbers.min] as const,
    [say.lowerQuartile, numbers.lower_quartile] as const,
    [say.median, numbers.median] as const,
    [say.upperQuartile, numbers.upper_quartile] as const,
    [say.highest, numbers.max] as const,
    ...(numbers.score ? [[say.score, numbers.score.value] as const] : []),
  ];
  return [
    [label, key, '', say.answers, answered],
    ...(asked === undefined ? [] : [[label, key, '', say.asked, asked]]),
    [label, key, '', say.share, share],
    ...options.flatMap((option) => {
      const item = optionName(field, option);
      return [
        [label, key, item, say.submissions, option.submissions],
        ...(hasRanks(field) ? [[label, key, item, say.firstRanks, option.first ?? 0]] : []),
        ...(option.mean_rank === undefined ? [] : [[label, key, item, say.meanRanks, option.mean_rank]]),
      ];
    }),
    ...(field.rows ? matrixRows(field, say) : []),
    ...(figures ?? []).map(([figure, value]) => [label, key, '', figure, value]),
    ...(numbers?.ranges ?? []).map(({ from, to, submissions }) => [label, key, `${from} … <${to}`, say.submissions, submissions]),
  ];
}

/** Each row of a matrix by itself, and then its columns. */
function matrixRows(field: CountedField, say: CsvWords): (string | number)[][] {
  const { rows, columns } = matrixCounts(field);
  const { label, key } = field;
  return rows.flatMap((row) => [
    [label, key, row.label, say.answers, row.answered],
    ...row.counts.map(({ count }, index) => [label, key, `${row.label}: ${columns[index]?.label ?? ''}`, say.submissions, count]),
  ]);
}
