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
  complete: true,
  spam: 0,
  submissions: 3,
  timezone: 'UTC',
  fields: [
    { key: 'name', answered: 2, answered_share: 0.6667 },
    { key: 'colour', answered: 2, answered_share: 0.6667, options: [{ value: 'r', submissions: 2 }] },
    {
      key: 'again',
      answered: 2,
      answered_share: 0.6667,
      options: [
        { value: 'false', submissions: 1 },
        { value: 'true', submissions: 1 },
      ],
    },
    { key: 'age', answered: 3, answered_share: 1, numbers },
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
export const insightsWith = (answer: unknown = insights, more: object = {}): Answers => ({
  ...formWith(fields, { submissions: { total: 3, new: 3, spam: 0 }, ...more }),
  [asked]: answer,
});
