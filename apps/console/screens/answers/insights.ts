import { app, formWith, shortText } from './form';
import type { Answers } from '../support/recorded-server';

const fields = [
  shortText('name', 'Your name'),
  {
    key: 'colour',
    label: 'Favorite color',
    type: 'select',
    required: false,
    options: [
      { value: 'r', label: 'Red' },
      { value: 'Green', label: 'Green' },
    ],
  },
  { key: 'again', label: 'Again?', type: 'boolean', required: false },
  { key: 'age', label: 'Age', type: 'integer', required: false },
];
const numbers = {
  ranges: [
    { from: 35, to: 45, submissions: 2 },
    { from: 45, to: 80, submissions: 1 },
  ],
  min: 36,
  lower_quartile: 36,
  median: 41,
  upper_quartile: 79,
  max: 79,
};

export const insights = {
  statuses: [{ status: 'new', submissions: 3 }],
  days: [
    { date: '2026-01-01', submissions: 0, views: 0, starts: 0, completions: 0 },
    { date: '2026-01-02', submissions: 3, views: 8, starts: 4, completions: 3 },
  ],
  steps: [
    { kind: 'page', reached: 8, went_on: 4 },
    { kind: 'page', label: 'About you', reached: 4, went_on: 3 },
    { kind: 'check', reached: 3, went_on: 3 },
  ],
  complete: true,
  spam: 0,
  submissions: 3,
  timezone: 'UTC',
  fields: [
    { key: 'name', answered: 2, asked: 3, answered_share: 0.6667 },
    { key: 'colour', answered: 2, asked: 2, answered_share: 1, options: [{ value: 'r', submissions: 2 }] },
    {
      key: 'again',
      answered: 2,
      asked: 3,
      answered_share: 0.6667,
      options: [
        { value: 'false', submissions: 1 },
        { value: 'true', submissions: 1 },
      ],
    },
    { key: 'age', answered: 3, asked: 3, answered_share: 1, numbers },
  ],
};
/** Days on which nothing arrived. */
export const quietDays = {
  ...insights,
  statuses: [],
  days: insights.days.map(({ date }) => ({ date, submissions: 0, views: 0, starts: 0, completions: 0 })),
};
/** A form without submissions. */
export const noInsights = { ...quietDays, submissions: 0, fields: [] };
export const asked = `GET ${app}/insights`;
const choice = { ...{ key: 'day', label: 'Which day?', type: 'select', required: false }, other: { label: 'Another day' } };
const recommend = { key: 'recommend', label: 'How likely are you to recommend us?', type: 'rating', required: false, min: 0, max: 10 };
/** A scale, an option *Other* and options with limited places. */
export const scalesAndPlaces: Answers = {
  ...formWith(
    [
      {
        ...choice,
        options: [
          { value: 'mon', label: 'Monday', limit: 30 },
          { value: 'tue', label: 'Tuesday', limit: 1_000 },
          { value: 'other', label: 'Another day' },
        ],
      },
      shortText('day_other', 'Another day', { required: true, other_of: 'day' }),
      { ...recommend, low_label: 'Not at all likely', high_label: 'Extremely likely', score: 'nps' },
    ],
    { submissions: { total: 20, new: 20, spam: 0 } },
  ),
  [`GET ${app}/insights`]: {
    ...insights,
    submissions: 20,
    statuses: [{ status: 'new', submissions: 20 }],
    fields: [
      {
        ...{ key: 'day', answered: 14, answered_share: 0.7 },
        options: [
          { value: 'mon', submissions: 12 },
          { value: 'other', submissions: 2 },
        ],
        places: [
          { value: 'mon', places: 30, taken: 12 },
          { value: 'tue', places: 1_000, taken: 0 },
        ],
      },
      { key: 'day_other', answered: 2, answered_share: 0.1 },
      {
        ...{ key: 'recommend', answered: 12, answered_share: 0.6 },
        numbers: {
          ranges: Array.from({ length: 11 }, (_, at) => ({ from: at, to: at + 1, submissions: { 3: 5, 8: 2, 9: 4, 10: 1 }[at] ?? 0 })),
          ...{ min: 3, lower_quartile: 3, median: 8, upper_quartile: 9, max: 10, mean: 6.42 },
          score: { value: 0, promoters: 5, passives: 2, detractors: 5 },
        },
      },
    ],
  },
};
/** A question about a country. */
export const countries: Answers = {
  ...formWith([{ key: 'home', label: 'Where do you live?', type: 'country', required: false, preferred: ['AT'] }], {
    submissions: { total: 3, new: 3, spam: 0 },
  }),
  [`GET ${app}/insights`]: {
    ...insights,
    fields: [{ key: 'home', answered: 2, answered_share: 0.6667, options: [{ value: 'AT', submissions: 2 }] }],
  },
};
/** A ranking of two options of three, one of which was removed since. */
export const ranks: Answers = {
  ...formWith(
    [
      {
        ...{ key: 'cities', label: 'Where should we meet?', type: 'ranking', required: false, ranks: 2 },
        options: ['Rome', 'Oslo'].map((value) => ({ value, label: `In ${value}` })),
      },
    ],
    { submissions: { total: 4, new: 4, spam: 0 } },
  ),
  [`GET ${app}/insights`]: {
    ...insights,
    submissions: 4,
    statuses: [{ status: 'new', submissions: 4 }],
    fields: [
      {
        ...{ key: 'cities', answered: 4, answered_share: 1 },
        options: [
          { value: 'Oslo', submissions: 3, first: 2, mean_rank: 1.33 },
          { value: 'Rome', submissions: 3, first: 1, mean_rank: 1.67 },
          { value: 'Lima', submissions: 2, first: 1, mean_rank: 1.5 },
        ],
      },
    ],
  },
};

const named = (...labels: string[]) => labels.map((label) => ({ value: label.toLowerCase(), label }));
const chosen = (...counts: (readonly [label: string, submissions: number])[]) =>
  counts.map(([label, submissions]) => ({ value: label.toLowerCase(), label, submissions }));
/** A matrix of which a row and a column were removed since. */
export const matrix: Answers = {
  ...formWith(
    [
      {
        ...{ key: 'looks', label: 'How does it look?', type: 'matrix', required: false },
        ...{
          rows: named('Front', 'The back of the house, as it is seen from the garden', 'Roof'),
          columns: named('Bad', 'Fair', 'Good', 'Excellent'),
        },
      },
    ],
    { submissions: { total: 12, new: 12, spam: 0 } },
  ),
  [`GET ${app}/insights`]: {
    ...insights,
    submissions: 12,
    statuses: [{ status: 'new', submissions: 12 }],
    fields: [
      {
        ...{ key: 'looks', answered: 12, answered_share: 1 },
        rows: [
          { value: 'front', label: 'Front', answered: 12, columns: chosen(['Bad', 3], ['Good', 6], ['Excellent', 3]) },
          { value: 'roof', label: 'Roof', answered: 4, columns: chosen(['Excellent', 3], ['Neither', 1]) },
          { value: 'cellar', label: 'Cellar', answered: 1, columns: chosen(['Fair', 1]) },
        ],
      },
    ],
  },
};

export const insightsWith = (answer: unknown = insights, more: object = {}): Answers => ({
  ...formWith(fields, { submissions: { total: 3, new: 3, spam: 0 }, ...more }),
  [asked]: answer,
});
