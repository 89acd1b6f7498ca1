import { z } from 'zod';
import { languageTag } from '../app/draft';
import { described } from '../described';
import { createdAt, flag, instant, oneOf, ownId, text } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, pathParam } from './params';
import { searchConditions } from './search';

/** The content type of each export format. */
export const exportFormats = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
  zip: 'application/zip',
} as const;

export type ExportFormat = keyof typeof exportFormats;
export const exportFormatNames = Object.keys(exportFormats) as [ExportFormat, ...ExportFormat[]];

export const choiceColumns = ['joined', 'columns'] as const;
export const csvDelimiters = ['comma', 'semicolon', 'tab'] as const;
export type CsvDelimiter = (typeof csvDelimiters)[number];

/** The columns of the submission itself; the first four are there unless columns are chosen. */
export const exportFacts = [
  'submission_id',
  'schema_version',
  'status',
  'created_at',
  'reference',
  'updated_at',
  'assignee',
  'notes',
  'language',
  'entered_by',
  'entry_source',
  'fill_seconds',
] as const;
export type ExportFact = (typeof exportFacts)[number];

/** How a submission came in: sent by a respondent, entered by a member or by a program, or imported from a file. */
export const entrySources = ['respondent', 'member', 'service_account', 'import'] as const;
export type EntrySource = (typeof entrySources)[number];

const columnId = `(?:${exportFacts.join('|')}|answers\\.[a-z][a-z0-9_]{0,63})`;
const columnFault = `must be one of ${exportFacts.join(', ')}, or answers.<key> with the key of a field; a heading of at most 200 characters may follow after a colon`;

/** A chosen column. */
export const ExportColumn = z.object({
  id: z.string().regex(new RegExp(`^${columnId}$`), columnFault),
  /** In place of its usual heading. */
  heading: text(1, 200).optional(),
});
export type ExportColumn = z.output<typeof ExportColumn>;

const maxChosenColumns = 500;

export const columnNames = () =>
  z
    .array(z.string().regex(new RegExp(`^${columnId}(?::.{1,200})?$`, 's'), columnFault))
    .max(maxChosenColumns, `must be at most ${maxChosenColumns} columns`)
    .refine((names) => new Set(names.map((name) => columnOf(name).id)).size === names.length, 'must not have a column twice');

/** Several columns may stand between commas, but not after one with a heading, in which commas may be. */
const namedColumns = () =>
  z.preprocess(
    (given) =>
      typeof given === 'string' || Array.isArray(given)
        ? [given].flat().flatMap((one: unknown) => (typeof one === 'string' && !one.includes(':') ? one.split(',') : [one]))
        : given,
    columnNames(),
  );

/** The column of a parameter such as `status` or `status:State`. */
export function columnOf(name: string): ExportColumn {
  const colon = name.indexOf(':');
  return colon < 0 ? { id: name } : { id: name.slice(0, colon), heading: name.slice(colon + 1) };
}

const answerStart = 'answers.';
export const columnOfKey = (key: string): string => `${answerStart}${key}`;
/** The key of the field that a column is about; undefined for a fact about the submission. */
export const keyOfColumn = ({ id }: ExportColumn): string | undefined =>
  id.startsWith(answerStart) ? id.slice(answerStart.length) : undefined;

/** The parts of a look that some formats have, and others do not. */
export interface FileWishes {
  format: ExportFormat;
  language?: string | undefined;
  labels?: boolean | undefined;
  choices?: (typeof choiceColumns)[number] | undefined;
  columns?: readonly unknown[] | undefined;
  delimiter?: CsvDelimiter | undefined;
  bom?: boolean | undefined;
}
type Wish = Exclude<keyof FileWishes, 'format'>;

const formatsWith: Readonly<Record<Wish, readonly ExportFormat[]>> = {
  language: ['csv', 'xlsx', 'zip'],
  labels: ['csv', 'xlsx', 'zip'],
  choices: ['csv', 'xlsx'],
  columns: ['csv', 'xlsx'],
  delimiter: ['csv'],
  bom: ['csv'],
};

/** A wish that the format would drop in silence: NDJSON has what the API has. Undefined if the format has them all. */
export function unfitWish({
  format,
  labels = false,
  language,
  choices,
  columns = [],
  delimiter = 'comma',
  bom = true,
}: FileWishes): { wish: Wish; message: string } | undefined {
  const isGiven: Readonly<Record<Wish, boolean>> = {
    language: language !== undefined,
    labels,
    choices: choices === 'columns',
    columns: columns.length > 0,
    delimiter: delimiter !== 'comma',
    bom: !bom,
  };
  const wish = (Object.keys(formatsWith) as Wish[]).find((each) => isGiven[each] && !formatsWith[each].includes(format));
  if (wish === undefined) return undefined;
  const formats = formatsWith[wish];
  return { wish, message: `can only be combined with the format${formats.length > 1 ? 's' : ''} ${listed(formats)}` };
}

const listed = (formats: readonly string[]): string => formats.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** An export of what a search would find. */
export const ExportQuery = z.object({
  format: described(
    oneOf(exportFormatNames).default('csv'),
    'The format: `csv` unless given. `zip` has the files of the submissions, and an index of them.',
  ),
  ...searchConditions,
  language: described(
    languageTag().optional(),
    "The language of the people who will read the file, such as `de`. Then dates and times are those of the form's time zone, as cells of that type in `xlsx`, files have their names, and `labels` is true unless given: headings, statuses, yes and no are in this language as far as it is known, labels as far as they are translated. Without it, everything is as the API has it. Only for `csv`, `xlsx` and the index of `zip`.",
    'en',
  ),
  labels: described(
    flag().optional(),
    'Whether columns have the labels of their fields in place of keys, and answers those of the chosen options, as the newest version with the field calls them. False unless given or implied by `language`. Only for `csv`, `xlsx` and the index of `zip`.',
  ),
  columns: described(
    namedColumns().optional(),
    `The columns in their order: repeat the parameter, or separate them with commas. Each is one of \`${exportFacts.join('`, `')}\`, or \`answers.\` and the key of a field of any version; a heading of its own may follow after a colon, as in \`columns=answers.name:Full name\`. Without it, the first four and all fields. Only for \`csv\` and \`xlsx\`.`,
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
    'Streams as one file all submissions of the list, or those that searchSubmissions would find with the same conditions, newest first. While the search index does not have every submission, `q` and `filter` get 503. If the caller loses access while the file is sent, the connection is cut. Exports are recorded in the audit log.',
  access: { scope: 'submissions:read' },
  query: ExportQuery,
  status: 200,
  errors: [400, 401, 403, 404],
  composed: true,
});

/** An export that is made while nobody waits for it. */
export const FormExport = described(
  z.object({
    id: ownId(),
    format: described(z.string(), 'The format.', 'xlsx'),
    state: described(
      z.string(),
      '`waiting`; `running`; `ready`, while its file can be downloaded; `failed`; or `erased`: something of the form was erased since, so the file, which may still have had it, is gone. New values may be added.',
      'running',
    ),
    reason: described(
      z.string().optional(),
      'The reason for which it failed: `too_large`; `took_too_long`, after a day; `not_searchable`, if searching was switched off for the form; or `failed`. New values may be added.',
    ),
    done: described(z.int(), 'The submissions that are in the file so far.', 40_000),
    total: described(
      z.int().optional(),
      'About how many there will be; absent if a search decides, because nobody knows how many it finds.',
      120_000,
    ),
    name: described(z.string(), 'The name of the file.', 'survey-submissions-2026-03-02.xlsx'),
    size: described(z.int().optional(), 'The bytes of the file, once it is ready.', 4_821_334),
    created_at: described(createdAt(), 'The time when somebody asked for it.'),
    finished_at: described(instant().optional(), 'The time when it was ready, or failed.', '2026-03-02T09:31:00.000Z'),
    expires_at: described(instant(), 'The time when it goes, with its file: a day after it was ready.', '2026-03-03T09:31:00.000Z'),
  }),
  'An export of the submissions of a form that is made in the background.',
);

export const FormExports = described(
  z.object({ data: described(z.array(FormExport), 'The exports, newest first.') }),
  'The exports of a form that the caller asked for.',
);
carriedAs(FormExports, { names: { data: 'exports' } });

/** Of one workspace: so many are waiting or under way at once, and so many are there altogether. */
export const maxUnfinishedExports = 5;
export const maxKeptExports = 20;

const exportsPath = '/app/v1/forms/:id/exports';
const ofExports = { path: exportsPath, params: { id: formId }, access: { scope: 'submissions:read' } } as const;
const ofExport = {
  path: `${exportsPath}/:exportId`,
  params: { id: formId, exportId: pathParam('id', "The export's id.") },
  access: { scope: 'submissions:read' },
} as const;

export const createFormExport = operation({
  ...ofExports,
  method: 'post',
  summary: 'Export the submissions of a form in the background',
  description: `Begins to make the file that exportSubmissions would stream with the same parameters, and keeps it for a day for the caller. The form, its labels and the conditions are those of this moment; submissions that arrive while the file is made may be left out. It goes on if the caller leaves, and begins anew if a process dies, or if something of the form is erased, also by its retention. An erasure takes back a finished file too (its state is then \`erased\`). A workspace has at most ${maxUnfinishedExports} that are waiting or running (429), and at most ${maxKeptExports} altogether (429). While the search index does not have every submission, \`q\` and \`filter\` get 503.`,
  query: ExportQuery,
  status: 202,
  reply: FormExport,
  errors: [400, 401, 403, 404, 429],
  composed: true,
});

export const listFormExports = operation({
  ...ofExports,
  method: 'get',
  summary: 'List your exports of a form',
  description: 'Lists the exports of a form that the caller asked for and that are still there, newest first.',
  status: 200,
  reply: FormExports,
  errors: [401, 403, 404],
  rpc: 'submissions.ListExports',
});

export const getFormExport = operation({
  ...ofExport,
  method: 'get',
  summary: 'Get an export of a form',
  description: 'Returns an export that the caller asked for, and how far it is.',
  status: 200,
  reply: FormExport,
  errors: [401, 403, 404],
  rpc: 'submissions.GetExport',
});

export const deleteFormExport = operation({
  ...ofExport,
  method: 'delete',
  summary: 'Cancel or delete an export of a form',
  description: 'Ends an export that is waiting or running, and removes the file of one that is ready.',
  status: 204,
  errors: [401, 403, 404],
  rpc: 'submissions.DeleteExport',
});

export const downloadFormExport = operation({
  ...ofExport,
  path: `${exportsPath}/:exportId/file`,
  method: 'get',
  summary: 'Download an export of a form',
  description:
    'Returns the file of an export, for the caller who asked for it. One that is not ready, or whose file is gone because something of the form was erased since, is 409. If the caller loses access while the file is sent, the connection is cut. Each download is recorded in the audit log.',
  status: 200,
  errors: [401, 403, 404, 409],
  composed: true,
});
