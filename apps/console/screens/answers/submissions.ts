import { app, formWith, shortText } from './form';
import { ada, idOf, listOf, pageOf, then } from './people';
import type { Answers } from '../support/recorded-server';

export const fields = [
  shortText('name', 'Your name', { required: true }),
  { type: 'section', label: 'The visit' },
  {
    key: 'town',
    label: 'Town',
    type: 'select',
    required: false,
    options: [
      { value: 'b', label: 'Berlin' },
      { value: 'h', label: 'Hamburg' },
    ],
  },
  { key: 'stars', label: 'Stars', type: 'rating', required: false },
  { key: 'photo', label: 'Photo', type: 'file', required: false },
];

export const submissionId = (number: number) => idOf(5, number);
export const submission = (number: number, data: object, more: object = {}) => ({
  id: submissionId(number),
  form_id: idOf(3),
  data,
  schema_version: 1,
  status: 'new',
  created_at: then,
  updated_at: then,
  revision: 0,
  edited: false,
  notes: 0,
  ...more,
});
export type Submission = ReturnType<typeof submission>;

/** The answers that the panel of a submission asks for. */
export const panelOf = (of: Submission, { notes = [] as readonly object[], revisions = [] as readonly object[] } = {}): Answers => ({
  [`GET ${app}/submissions/${of.id}`]: of,
  [`GET ${app}/submissions/${of.id}/history`]: listOf([]),
  [`GET ${app}/submissions/${of.id}/activity`]: listOf([]),
  [`GET ${app}/submissions/${of.id}/notes`]: pageOf(notes),
  [`GET ${app}/submissions/${of.id}/revisions`]: pageOf(revisions),
});

export const list = `GET ${app}/submissions`;
/** The inbox with these submissions, the first one newest. */
export const inbox = (submissions: readonly Submission[], more: object = {}, role: 'owner' | 'viewer' = 'owner'): Answers => ({
  ...formWith(fields, { submissions: { total: submissions.length, new: submissions.length, spam: 0 }, ...more }, role),
  [list]: pageOf(submissions),
  [`GET ${app}/views`]: { data: [] },
  [`GET ${app}/exports`]: { data: [] },
  [`GET ${app}/export-presets`]: { data: [] },
  [`GET ${app}/bulk-changes`]: { data: [] },
  [`GET ${app}/deliveries`]: { data: [], total_at_least: 0, limit: 50, offset: 0, next_cursor: null },
  ...Object.fromEntries(submissions.flatMap((each) => Object.entries(panelOf(each)))),
});

export const note = (number: number, text: string) => ({
  id: idOf(6, number),
  text,
  author: { kind: 'user', id: ada.id },
  created_at: then,
});
/** The answer to a deed on many. */
export const updated = ({ body }: { body: { submission_ids: string[] } }) => ({ updated: body.submission_ids, unchanged: [] });
