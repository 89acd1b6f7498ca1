import { z } from 'zod';
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

/** An export of what a search would find. */
export const ExportQuery = z.object({
  format: described(oneOf(exportFormatNames).default('csv'), 'The format: `csv` unless given.'),
  ...searchConditions,
  labels: described(
    flag().default(false),
    'Whether columns have the labels of their fields in place of keys, and answers those of the chosen options, as the newest version with the field calls them. Only for `csv` and `xlsx`.',
  ),
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
