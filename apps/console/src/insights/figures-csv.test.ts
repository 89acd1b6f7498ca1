import type { FormInsights } from '@sheaf/client';
import { figuresCsv, type CsvWords } from './figures-csv';
import type { CountedField } from './insights-query';

const say = new Proxy({}, { get: (_, name) => String(name) }) as CsvWords;
const named = {
  statusName: (status: string) => `<${status}>`,
  optionName: (_: CountedField, { value }: { value: string }) => `<${value}>`,
};
const insights = { complete: true, submissions: 3, spam: 0, timezone: 'UTC', fields: [] };

it('writes a row for each figure, as programs and spreadsheets read them', () => {
  const day = { date: '2026-01-02', submissions: 3, views: 8, starts: 4, completions: 3 };
  const numbers = {
    min: 1,
    lower_quartile: 1,
    median: 2,
    upper_quartile: 3,
    max: 3,
    mean: 2.5,
    ranges: [{ from: 1, to: 4, submissions: 2 }],
  };
  const fields: CountedField[] = [
    {
      key: 'colour',
      label: '=Colour, "own"',
      answered: 2,
      answered_share: 0.6667,
      options: [{ value: 'r', submissions: 2 }],
      question: undefined,
    },
    { key: 'age', label: 'Age', answered: 2, asked: 3, answered_share: 0.6667, numbers, question: undefined },
  ];
  const steps = [
    { kind: 'page' as const, label: 'You', reached: 8, went_on: 3 },
    { kind: 'page' as const, label: 'You', reached: 3, went_on: 3 },
    { kind: 'check' as const, reached: 3, went_on: 3 },
  ];
  const data: FormInsights = { ...insights, days: [day], steps, statuses: [{ status: 'new', submissions: 3 }] };
  const csv = figuresCsv({ data, fields, isNarrow: false }, say, named);
  expect(figuresCsv({ data, fields, isNarrow: true }, say, named)).not.toMatch(/opened|reached/);
  expect(csv.split('\r\n')).toEqual([
    '\uFEFFabout,key,item,figure,number',
    'perDay,,2026-01-02,submissions,3',
    'perDay,,2026-01-02,opened,8',
    'perDay,,2026-01-02,started,4',
    'perDay,,2026-01-02,sent,3',
    'steps,1,You,reached,8',
    'steps,1,You,wentOn,3',
    'steps,2,You,reached,3',
    'steps,2,You,wentOn,3',
    'steps,,checkPage,reached,3',
    'steps,,checkPage,wentOn,3',
    'byStatus,,<new>,submissions,3',
    `"'=Colour, ""own""",colour,,answers,2`,
    `"'=Colour, ""own""",colour,,share,0.6667`,
    `"'=Colour, ""own""",colour,<r>,submissions,2`,
    'Age,age,,answers,2',
    'Age,age,,asked,3',
    'Age,age,,share,0.6667',
    'Age,age,,mean,2.5',
    'Age,age,,lowest,1',
    'Age,age,,lowerQuartile,1',
    'Age,age,,median,2',
    'Age,age,,upperQuartile,3',
    'Age,age,,highest,3',
    'Age,age,1 … <4,submissions,2',
    '',
  ]);
});

it('writes the answers to each row of a matrix, and how often each column was chosen for it', () => {
  const choices = (...values: string[]) => values.map((value) => ({ value, label: `The ${value}` }));
  const looks: CountedField = {
    ...{ key: 'looks', label: 'Looks', answered: 2, answered_share: 1 },
    rows: [{ value: 'front', answered: 2, columns: [{ value: 'good', submissions: 2 }] }],
    question: { key: 'looks', type: 'matrix', label: 'Looks', required: false, rows: choices('front'), columns: choices('bad', 'good') },
  };
  const csv = figuresCsv({ data: { ...insights, days: [], statuses: [] }, fields: [looks], isNarrow: true }, say, named);
  expect(csv.split('\r\n').slice(3, -1)).toEqual([
    'Looks,looks,The front,answers,2',
    'Looks,looks,The front: The bad,submissions,0',
    'Looks,looks,The front: The good,submissions,2',
  ]);
});

it('writes how often an option of a ranking is first, and the mean of its ranks, beside how often it has one', () => {
  const cities: CountedField = {
    ...{ key: 'cities', label: 'Cities', answered: 2, answered_share: 1 },
    options: [
      { value: 'r', submissions: 2, first: 2, mean_rank: 1 },
      { value: 'o', submissions: 1, mean_rank: 2.5 },
    ],
    question: { key: 'cities', type: 'ranking', label: 'Cities', required: false, options: [] },
  };
  const csv = figuresCsv({ data: { ...insights, days: [], statuses: [] }, fields: [cities], isNarrow: true }, say, named);
  expect(csv.split('\r\n').slice(3, -1)).toEqual([
    'Cities,cities,<r>,submissions,2',
    'Cities,cities,<r>,firstRanks,2',
    'Cities,cities,<r>,meanRanks,1',
    'Cities,cities,<o>,submissions,1',
    'Cities,cities,<o>,firstRanks,0',
    'Cities,cities,<o>,meanRanks,2.5',
  ]);
});
