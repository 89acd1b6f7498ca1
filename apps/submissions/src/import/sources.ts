import { exportFacts, inEnglish, inFrench, inGerman, inSpanish, type ImportSource } from '@sheaf/contracts';
import { alike } from './cells';

/** The columns of a known program that have no answer. Names are compared as `alike` has them. */
export interface Known {
  source: ImportSource;
  created_at: ReadonlySet<string>;
  language: ReadonlySet<string>;
  /** Of the program itself. */
  own: ReadonlySet<string>;
  /** Whether a time without an offset is in UTC, and not in the zone of the form. */
  isUtc: boolean;
}

const words = [inEnglish, inGerman, inFrench, inSpanish];
const set = (...names: readonly string[]): ReadonlySet<string> => new Set(names.map(alike));

/** The heading of the first column of Google Forms in the languages that forms are most often written in. */
const timestamps = set(
  ...['Timestamp', 'Zeitstempel', 'Horodateur', 'Marca temporal', 'Informazioni cronologiche', 'Carimbo de data/hora', 'Tijdstempel'],
  ...[
    'Sygnatura czasowa',
    'Tidsstämpel',
    'Tidsstempel',
    'Aikaleima',
    'Časová značka',
    'Zaman damgası',
    'Отметка времени',
    'タイムスタンプ',
  ],
);

const sheaf: Known = {
  source: 'sheaf',
  created_at: set('created_at', ...words.map(({ columns }) => columns.created_at)),
  language: set('language', ...words.map(({ columns }) => columns.language)),
  own: set(...exportFacts, ...words.flatMap(({ columns }) => Object.values(columns))),
  isUtc: false,
};
const googleForms: Known = {
  source: 'google_forms',
  created_at: timestamps,
  language: set(),
  own: set('Score', 'Punkte', 'Puntuación'),
  isUtc: false,
};
const typeform: Known = {
  source: 'typeform',
  created_at: set('Submit Date (UTC)', 'Submitted At', 'Submit Date'),
  language: set(),
  own: set('#', 'Response Type', 'Start Date (UTC)', 'Stage Date (UTC)', 'Network ID', 'Tags', 'Ending', 'Token', 'Score'),
  isUtc: true,
};
const kobo: Known = {
  source: 'kobo',
  created_at: set('_submission_time'),
  language: set(),
  own: set(
    ...['start', 'end', 'today', 'username', 'deviceid', 'phonenumber', '_id', '_uuid', '_validation_status', '_notes', '_status'],
    ...['_submitted_by', '__version__', '_tags', '_index', '_parent_index', '_parent_table_name', 'meta/instanceID', 'meta/rootUuid'],
  ),
  isUtc: true,
};
const formbricks: Known = {
  source: 'formbricks',
  created_at: set('Timestamp'),
  language: set(),
  own: set('No.', 'Response ID', 'Finished', 'Quotas', 'Survey ID', 'Formbricks ID (internal)', 'User ID', 'Notes', 'Tags'),
  isUtc: true,
};
const other: Known = {
  source: 'other',
  created_at: set('created_at', 'created at', 'submitted_at', 'submitted at', 'submission date'),
  language: set(),
  own: set(),
  isUtc: false,
};

/** The program that made a file. Each has columns that no other one has, and that nobody names a question by. */
export function sourceOf(headings: readonly string[]): Known {
  const names = new Set(headings.map(alike));
  const has = (...all: readonly string[]) => all.every((name) => names.has(alike(name)));
  if (has('submission_id', 'schema_version') || words.some(({ columns }) => has(columns.submission_id, columns.schema_version)))
    return sheaf;
  if (has('_uuid', '_submission_time')) return kobo;
  if (has('Response ID', 'Survey ID')) return formbricks;
  if (has('#', 'Network ID') || has('#', 'Submit Date (UTC)')) return typeform;
  return timestamps.has(alike(headings[0] ?? '')) ? googleForms : other;
}
