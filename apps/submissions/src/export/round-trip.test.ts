import { newId } from '@sheaf/kernel';
import { propertyRuns } from '@sheaf/testing';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import readWorkbook from 'read-excel-file/node';
import type { FieldLabels } from '../form/forms-view';
import type { ExportedRow } from './batches.queries';
import { csv } from './csv';
import { Dated, Zone } from './dated';
import { Linked, tableOf, type Cell, type Look, type TableRow } from './table';
import { exportWords } from './words';
import { xlsx } from './xlsx';

const fields = new Map<string, FieldLabels>(
  (
    [
      ['name', 'Your name', 'text'],
      ['age', 'Age', 'whole'],
      ['price', 'Price', 'number'],
      ['member', 'Member?', 'boolean'],
      ['day', 'Arrival', 'date'],
      ['hour', 'At', 'time'],
      ['meeting', 'Meeting', 'datetime'],
      ['size', 'Size', 'option', { l: 'Large' }],
      ['colours', 'Colours', 'options', { r: 'Red', g: 'Green; "bright"' }],
      ['cv', 'Documents', 'file'],
      ['again', 'Age', 'text'],
      ['status', 'Status', 'text'],
    ] as const
  ).map(([key, label, kind, options = {}]) => [key, { label, kind, options: new Map(Object.entries(options)) }]),
);
const zone = new Zone('America/New_York');
const people: Look = {
  fields,
  hasLabels: true,
  hasOptionColumns: true,
  reader: {
    words: exportWords('de-AT'),
    zone,
    people: new Map(),
    addressOf: (id) => `https://forms.example/s?a=1&open=${id}`,
  },
};
// A key of an early version, whose label nobody knows any more, comes last.
const keys = [...fields.keys(), 'lost'];

const submission = (data: unknown, more: Partial<TableRow> = {}): TableRow => ({
  id: newId(),
  form_id: newId(),
  data: JSON.stringify(data),
  schema_version: 3,
  status: 'in_review',
  created_at: new Date('2026-06-01T01:00:00.999Z'),
  changed_at: null,
  assignee: null,
  notes: 0,
  language: null,
  entered_by_kind: null,
  entered_by_id: null,
  fill_seconds: null,
  import_id: null,
  ...more,
});

const [first, second] = [newId(), newId()];
const hostile = [
  '=1+1',
  '+1+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '=HYPERLINK("http://x","y")',
  'a\u0000b\u0007c\u001f',
  '\uFFFE\uFFFF',
  '_x0007_',
  '<a> & "b" \'c\'',
];
const rows: TableRow[] = [
  submission(
    {
      name: 'Zoë ☃ 👩‍👩‍👧',
      age: 41,
      price: -0.1,
      member: true,
      day: '2026-02-28',
      hour: '18:30',
      meeting: '2026-06-01T23:30:00Z',
      size: 'l',
      colours: ['r', 'g'],
      cv: [first, second],
      again: 'x',
      status: 'mine',
      lost: { a: [1] },
    },
    {
      fileNames: new Map([
        [first, '=cv.pdf'],
        [second, 'b; c.pdf'],
      ]),
    },
  ),
  // Answers of earlier versions, when the questions had other types and options.
  submission(
    {
      age: 'about forty',
      day: 'tomorrow',
      hour: 7,
      meeting: false,
      member: 'perhaps',
      size: 'xxl',
      colours: 'r',
      cv: 3,
      lost: true,
    },
    { status: 'gone' },
  ),
  submission({
    day: '1815-12-10',
    meeting: '2026-06-01T10:00',
    colours: [],
    name: '',
    price: 9_007_199_254_740_991,
  }),
  ...hostile.map((name) => submission({ name, again: `  ${name}\n` })),
  submission({}),
];

async function read(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

async function* inBatches(all: readonly ExportedRow[]): AsyncGenerator<TableRow[]> {
  for (const row of all) yield await Promise.resolve([row]);
}

const epoch = Date.UTC(1899, 11, 30);
const plain = (cell: Cell) => (cell instanceof Linked ? cell.text : cell);
/** A cell as the reader of workbooks gives it. */
function inWorkbook(cell: Cell): unknown {
  const value = plain(cell);
  if (value instanceof Dated) return new Date(Math.round((epoch + value.serial * 86_400_000) / 1_000) * 1_000);
  return value === undefined || value === '' ? null : value;
}
const rounded = (value: unknown) => (value instanceof Date ? new Date(Math.round(value.getTime() / 1_000) * 1_000) : value);

it('every cell of a workbook is read by another library as it was meant', async () => {
  const table = tableOf(keys, people);
  const file = await read(xlsx(table, inBatches(rows), { words: exportWords('de') }));
  const [{ data } = { data: [] }, ...others] = await readWorkbook(file, { trim: false });
  expect(others).toEqual([]);
  expect(data[0]).toEqual(table.header);
  expect(data.slice(1).map((cells) => cells.map(rounded))).toEqual(rows.map((row) => table.rowOf(row).map(inWorkbook)));
});

it('every cell of a CSV file is read by another library as it was meant, a formula behind an apostrophe', async () => {
  const table = tableOf(keys, people);
  const data = parse(await read(csv(table, inBatches(rows))), { bom: true });
  const expected = [...[[...table.header]], ...rows.map((row) => table.rowOf(row))].map((cells) =>
    cells.map((cell) => {
      const value = plain(cell);
      if (value === undefined) return '';
      const text = value instanceof Dated ? value.text : String(value);
      return typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    }),
  );
  expect(data).toEqual(expected);
});

it('an export for people has their words, times and names', () => {
  const { header, rowOf } = tableOf(keys, people);
  expect(header).toEqual([
    'Einsendung',
    'Version',
    'Status',
    'Eingegangen',
    'Your name',
    'Age (age)',
    'Price',
    'Member?',
    'Arrival',
    'At',
    'Meeting',
    'Size',
    'Colours',
    'Colours – Red',
    'Colours – Green; "bright"',
    'Documents',
    'Age (again)',
    'Status (status)',
    'lost',
  ]);
  const [row, earlier] = rows as [TableRow, TableRow];
  const text = (cell: Cell) => (cell instanceof Dated || cell instanceof Linked ? cell.text : cell);
  expect(rowOf(row).map(text)).toEqual([
    row.id,
    3,
    'In Prüfung',
    '2026-05-31 21:00:00',
    'Zoë ☃ 👩‍👩‍👧',
    41,
    -0.1,
    'Ja',
    '2026-02-28',
    '18:30',
    '2026-06-01 19:30',
    'Large',
    'Red; "Green; ""bright"""',
    'Ja',
    'Ja',
    '=cv.pdf; "b; c.pdf"',
    'x',
    'mine',
    '{"a":[1]}',
  ]);
  expect(rowOf(earlier).map(text).slice(2)).toEqual([
    'gone',
    '2026-05-31 21:00:00',
    undefined,
    'about forty',
    undefined,
    'perhaps',
    'tomorrow',
    7,
    'Nein',
    'xxl',
    'Red',
    undefined,
    undefined,
    3,
    undefined,
    undefined,
    'Ja',
  ]);
});

it('a table for programs has what the API has, whatever is known of the fields', () => {
  const { header, rowOf } = tableOf(['day', 'cv', 'member'], { fields });
  expect(header).toEqual(['submission_id', 'schema_version', 'status', 'created_at', 'day', 'cv', 'member']);
  expect(rowOf(submission({ day: '2026-02-28', cv: first, member: true })).slice(2)).toEqual([
    'in_review',
    '2026-06-01T01:00:00.999Z',
    '2026-02-28',
    first,
    true,
  ]);
});

it('keys can stand in place of labels for people too, with dates and the names of files', () => {
  const { header, rowOf } = tableOf(['day', 'cv', 'size'], { ...people, hasLabels: false });
  expect(header).toEqual(['submission_id', 'schema_version', 'status', 'created_at', 'day', 'cv', 'size']);
  const [, , status, , day, cv, size] = rowOf(
    submission({ day: '2026-02-28', cv: first, size: 'l' }, { fileNames: new Map([[first, 'a.pdf']]) }),
  );
  expect([status, day, cv, size]).toEqual(['in_review', expect.any(Dated), expect.any(Linked), 'l']);
});

it('any text comes back from both formats as it was', async () => {
  const anything = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 50,
  });
  const table = tableOf(['a']);
  await fc.assert(
    fc.asyncProperty(anything, async (texts) => {
      const all = texts.map((a) => submission({ a }));
      const [{ data } = { data: [] }] = await readWorkbook(await read(xlsx(table, inBatches(all))), { trim: false });
      expect(data.slice(1).map((cells) => cells[4])).toEqual(texts);
      const lines = parse(await read(csv(table, inBatches(all))), { bom: true });
      expect(lines.slice(1).map((cells) => cells[4]?.replace(/^'(?=[=+\-@\t\r＝＋－＠])/, ''))).toEqual(texts);
    }),
    propertyRuns(30),
  );
});
