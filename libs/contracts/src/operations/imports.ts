import { z } from 'zod';
import { described } from '../described';
import { createdAt, flag, oneOf, ownId } from '../shapes';
import { operation } from './operation';
import { formId } from './params';

/** The largest file that an import takes. Everything of it is in memory at once. */
export const importLimits = {
  bytes: 8 * 1_024 * 1_024,
  rows: 10_000,
  columns: 1_000,
  cells: 1_000_000,
  characters: 16 * 1_024 * 1_024,
};

/** How many faults a preview lists. All are counted. */
export const maxListedFaults = 200;

/** The order of day and month in dates such as `3/2/2026`. */
export const dateOrders = ['day_first', 'month_first'] as const;
export type DateOrder = (typeof dateOrders)[number];

export const importSources = ['sheaf', 'google_forms', 'typeform', 'kobo', 'formbricks', 'other'] as const;
export type ImportSource = (typeof importSources)[number];

/** The targets that a column may have: an answer, whether an option was chosen, a fact about the submission, or nothing. */
const target = 'nothing|created_at|language|answers\\.[a-z][a-z0-9_]{0,63}(?:\\..{1,200})?';
const matchFault =
  'must be the number of a column, a colon, and nothing, created_at, language, answers.<key> or answers.<key>.<value of an option>';

/** The targets of columns, such as `3:answers.name`. */
export const ImportMatches = z
  .array(z.string().regex(new RegExp(`^[1-9]\\d{0,3}:(?:${target})$`, 's'), matchFault))
  .max(importLimits.columns, `must be at most ${importLimits.columns} columns`)
  .refine((all) => new Set(all.map((one) => one.split(':', 1)[0])).size === all.length, 'must not name a column twice');

const matches = () => z.preprocess((given) => (given === undefined ? given : [given].flat()), ImportMatches);

/** The column and the target of a parameter such as `3:answers.name`. */
export function matchOf(given: string): { column: number; target: string } {
  const colon = given.indexOf(':');
  return { column: Number(given.slice(0, colon)), target: given.slice(colon + 1) };
}

/** How a file is read. */
const reading = {
  match: described(
    matches().optional(),
    'The targets of columns, where they are not those that the preview proposes: repeat the parameter for each, as in `match=3:answers.name`. The column is named by its number, from 1 on. It becomes an answer (`answers.` and the key of a field), whether an option was chosen (`answers.`, the key, a dot and the value of the option), a part of an answer (`answers.`, the key, a dot and the name of the part, as in `answers.stay.from`), `created_at`, `language`, or `nothing`.',
  ),
  date_order: described(
    oneOf(dateOrders).optional(),
    'The order of day and month in dates such as `3/2/2026`, where the column itself does not tell.',
  ),
};

export const ImportPreviewQuery = z.object(reading);

export const ImportQuery = z.object({
  ...reading,
  version: described(
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be the number of a version')
      .transform(Number)
      .pipe(z.int())
      .optional(),
    'The `version` of the preview. If the form has another one by now, nothing is imported (409).',
    3,
  ),
  only_valid: described(
    flag().default(false),
    'Whether rows with faults are left out. Without it, one row with a fault refuses the whole file.',
  ),
  events: described(
    flag().default(false),
    'Whether `submission.created` is sent to the subscribers of the form for each submission. Without it, they hear nothing of the import, but later changes of such submissions are sent, and the feed of changes lists them as created.',
  ),
});

const fault = { row: 7, column: 3, heading: 'Age', key: 'age', message: 'must be a number' };

export const ImportFault = described(
  z.object({
    row: described(z.int(), 'The row of the file, from 1 on; the first one has the headings.', fault.row),
    column: described(z.int().optional(), 'The column, from 1 on; absent if no column has the answer.', fault.column),
    heading: described(z.string().optional(), 'The heading of the column.', fault.heading),
    key: described(z.string().optional(), 'The key of the field.', fault.key),
    message: described(z.string(), 'The fault, in English.', fault.message),
  }),
  'Something for which a row is not imported.',
);
export type ImportFault = z.output<typeof ImportFault>;

export const ImportColumn = described(
  z.object({
    number: described(z.int(), 'The number of the column, from 1 on.', 3),
    heading: described(z.string(), 'Its heading.', 'Your name'),
    samples: described(z.array(z.string()), 'Up to three of its different texts, shortened.', ['Ada Lovelace', 'Grace Hopper']),
    filled: described(z.int(), 'The rows that have something in it.', 118),
    target: described(z.string(), 'Its target, as in `match`. For a column that is not recognized, `nothing`.', 'answers.name'),
    proposed: described(z.string(), 'Its target without `match`.', 'answers.name'),
  }),
  'A column of the file.',
);
export type ImportColumn = z.output<typeof ImportColumn>;

export const ImportPreview = described(
  z.object({
    format: described(z.string(), '`csv` or `xlsx`.', 'csv'),
    encoding: described(
      z.string().optional(),
      'The encoding of the text of a CSV file: `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`.',
      'utf-8',
    ),
    delimiter: described(z.string().optional(), 'The separator of a CSV file.', ';'),
    sheet: described(z.string().optional(), 'The sheet of a workbook that is read: the first one.', 'responses'),
    source: described(
      z.string(),
      'The program that made the file, as its columns tell: `sheaf`, `google_forms`, `typeform`, `kobo`, `formbricks`, or `other`. New values may be added.',
      'typeform',
    ),
    version: described(z.int(), 'The version of the form against which the rows were checked.', 3),
    rows: described(z.int(), 'The rows with something in them, without the headings.', 120),
    valid: described(z.int(), 'The rows that can be imported.', 118),
    columns: described(z.array(ImportColumn), 'The columns, in their order.'),
    missing: described(
      z.array(z.string()),
      'The keys of fields that some row must answer, as its other answers decide, and to which no column is matched.',
      ['email'],
    ),
    unasked: described(
      z.array(z.string()).optional(),
      'The keys of fields that some row answers although its other answers hide them: the form drops such answers, as those of a respondent. Absent if there are none.',
      ['visit_day'],
    ),
    faults: described(z.array(ImportFault), `The faults by row: the first ${maxListedFaults}.`, [fault]),
    fault_count: described(z.int(), 'The number of all faults.', 2),
  }),
  'The effect that an import of a file would have.',
);
export type ImportPreview = z.output<typeof ImportPreview>;

export const SubmissionImport = described(
  z.object({
    id: ownId(),
    imported: described(z.int(), 'The submissions that were stored.', 118),
    left_out: described(z.int(), 'The rows that were left out because something is wrong with them.', 2),
    faults: described(z.array(ImportFault), `Their faults: the first ${maxListedFaults}.`, [fault]),
    events: described(z.boolean(), 'Whether subscribers hear of them.', false),
    created_at: described(createdAt(), 'The time of the import.'),
  }),
  'An import that was done.',
);
export type SubmissionImport = z.output<typeof SubmissionImport>;

const importsPath = '/app/v1/forms/:id/imports';
const fileText = `The file is CSV (in UTF-8, UTF-16 with a byte order mark, or Windows-1252; separated by commas, semicolons, tabs or bars) or an XLSX workbook, whose first sheet is read. Its first row has the headings. It has at most ${importLimits.bytes} bytes, ${importLimits.rows} rows, ${importLimits.columns} columns and ${importLimits.cells} filled cells.`;

export const previewImport = operation({
  method: 'post',
  path: `${importsPath}/preview`,
  params: { id: formId },
  summary: 'Preview an import of submissions',
  description: `Reads a file, matches its columns with the fields of the published form, and tells what is wrong with which row. Nothing is stored. ${fileText}`,
  access: { scope: 'submissions:write' },
  query: ImportPreviewQuery,
  status: 200,
  reply: ImportPreview,
  errors: [400, 401, 403, 404, 413, 429],
  composed: true,
});

export const importSubmissions = operation({
  method: 'post',
  path: importsPath,
  params: { id: formId },
  summary: 'Import submissions from a file',
  description: `Stores each row of a file as a submission that the caller has entered: all of them, or none. As for an entry by a member, neither the form's closing nor its limit refuses them, they are never taken for spam, and no payment is due. The header \`Idempotency-Key\` is required: a repeated request with the same key returns the first result, and imports nothing again. The file is not kept. ${fileText}`,
  access: { scope: 'submissions:write' },
  query: ImportQuery,
  status: 201,
  reply: SubmissionImport,
  errors: [400, 401, 403, 404, 409, 413, 429],
  composed: true,
});
