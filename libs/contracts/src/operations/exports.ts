import { z } from 'zod';
import { languageTag } from '../app/draft';
import { described } from '../described';
import { flag, oneOf } from '../shapes';
import { operation } from './operation';
import { formId } from './params';
import { searchConditions } from './search';

/** The content type of each export format. */
export const exportFormats = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
} as const;

export type ExportFormat = keyof typeof exportFormats;
export const exportFormatNames = Object.keys(exportFormats) as [ExportFormat, ...ExportFormat[]];

export const choiceColumns = ['joined', 'columns'] as const;
export const csvDelimiters = ['comma', 'semicolon', 'tab'] as const;
export type CsvDelimiter = (typeof csvDelimiters)[number];

/** An export of what a search would find. */
export const ExportQuery = z.object({
  format: described(oneOf(exportFormatNames).default('csv'), 'The format: `csv` unless given.'),
  ...searchConditions,
  language: described(
    languageTag().optional(),
    "The language of the people who will read the file, such as `de`. Then dates and times are those of the form's time zone, as cells of that type in `xlsx`, files have their names, and `labels` is true unless given: headings, statuses, yes and no are in this language as far as it is known, labels as far as they are translated. Without it, everything is as the API has it. Only for `csv` and `xlsx`.",
    'en',
  ),
  labels: described(
    flag().optional(),
    'Whether columns have the labels of their fields in place of keys, and answers those of the chosen options, as the newest version with the field calls them. False unless given or implied by `language`. Only for `csv` and `xlsx`.',
  ),
  choices: described(
    oneOf(choiceColumns).default('joined'),
    'The columns of a question with several choices: `joined` for one with all chosen options; `columns` for one more for each option, which tells whether it was chosen. Only for `csv` and `xlsx`.',
  ),
  delimiter: described(
    oneOf(csvDelimiters).default('comma'),
    'The separator between cells of `csv`. In countries whose decimals have a comma, Excel expects `semicolon`.',
  ),
  bom: described(flag().default(true), 'Whether `csv` begins with a byte order mark, which tells Excel that it is UTF-8.'),
});

export const exportSubmissions = operation({
  method: 'get',
  path: '/app/v1/forms/:id/submissions/export',
  params: { id: formId },
  summary: 'Export the submissions of a form',
  description:
    'Streams as one file all submissions of the list, or those that searchSubmissions would find with the same conditions, newest first. While the search index does not have every submission, `q` and `filter` get 503. Exports are recorded in the audit log.',
  access: { scope: 'submissions:read' },
  query: ExportQuery,
  status: 200,
  errors: [400, 401, 403, 404],
  composed: true,
});
