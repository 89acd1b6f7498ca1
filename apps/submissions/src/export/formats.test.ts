import { inflateRawSync } from 'node:zlib';
import { newId } from '@sheaf/kernel';
import { propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { csv } from './csv';
import { Zone } from './dated';
import { ndjson } from './ndjson';
import { tableOf } from './table';
import { exportWords } from './words';
import { xlsx } from './xlsx';
import type { SubmissionRow } from '../submission/submissions.queries';
import type { ExportedRow } from './batches.queries';

type Stored = SubmissionRow & Pick<ExportedRow, 'import_id'>;
const submission = (data: unknown, more: Partial<Stored> = {}): Stored => ({
  id: newId(),
  form_id: newId(),
  data: typeof data === 'string' ? data : JSON.stringify(data),
  schema_version: 3,
  version_id: null,
  status: 'new',
  created_at: new Date('2026-06-01T12:00:00.250Z'),
  announced_at: null,
  spam_at: null,
  spam_reason: null,
  holds_place: true,
  deleted_at: null,
  changed_at: null,
  assignee: null,
  revision: 0,
  notes: 0,
  entered_by_kind: null,
  entered_by_id: null,
  fill_seconds: null,
  import_id: null,
  language: null,
  ...more,
});

it('has a column for each row of a matrix, of which the first has answers from before it was one', () => {
  const parts = [
    { name: 'f', kind: 'option', required: false, label: 'Front' },
    { name: '__proto__', kind: 'option', required: false, label: 'Back' },
  ] as const;
  const options = new Map([
    ['g', 'Good'],
    ['b', 'Bad'],
  ]);
  const looks = { label: 'Looks', options, parts, kind: 'matrix' } as const;
  const withLabels = tableOf(['l'], { fields: new Map([['l', looks]]), hasLabels: true });
  expect(withLabels.header.slice(4)).toEqual(['Looks – Front', 'Looks – Back']);
  const cellsOf = (data: string) => withLabels.rowOf(submission(data)).slice(4);
  expect(cellsOf('{"l": {"f": "g", "__proto__": "b"}}')).toEqual(['Good', 'Bad']);
  expect(cellsOf('{"l": {"f": ["g", "b"]}}')).toEqual(['Good; Bad', undefined]);
  expect(cellsOf('{"l": "as a text"}')).toEqual(['as a text', undefined]);
  expect(cellsOf('{}')).toEqual([undefined, undefined]);
  const asItIs = tableOf(['l'], { fields: new Map([['l', looks]]) });
  expect([...asItIs.header.slice(4), ...asItIs.rowOf(submission('{"l": {"f": "g"}}')).slice(4)]).toEqual([
    'l – f',
    'l – __proto__',
    'g',
    undefined,
  ]);
});

it('has the rank of each option of a ranking in a column, asked for or not', () => {
  const options = new Map([
    ['r', 'Rome'],
    ['o', 'Oslo'],
    ['l', 'Lima'],
  ]);
  const cities = { label: 'Cities', options, kind: 'options', isRanked: true } as const;
  for (const hasOptionColumns of [false, true]) {
    const { header, rowOf } = tableOf(['c', 'd'], { fields: new Map([['c', cities]]), hasOptionColumns });
    expect(header.slice(4)).toEqual(['c', 'c – r', 'c – o', 'c – l', 'd']);
    expect(rowOf(submission({ c: ['l', 'r'] })).slice(4)).toEqual(['l; r', 2, undefined, 1, undefined]);
    expect(rowOf(submission({})).slice(4)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  }
  expect(tableOf(['c'], { fields: new Map([['c', cities]]), hasLabels: true }).header.slice(4)).toEqual([
    'Cities',
    'Cities – Rome',
    'Cities – Oslo',
    'Cities – Lima',
  ]);
});

it('has the first and the last day of a date range in columns of their own, also of what was a single day', () => {
  const stay = { label: 'Stay', options: new Map<string, string>(), kind: 'date_range' } as const;
  const { header, rowOf } = tableOf(['s'], { fields: new Map([['s', stay]]) });
  expect(header.slice(4)).toEqual(['s – from', 's – to']);
  const cellsOf = (answer: unknown) => rowOf(submission({ s: answer })).slice(4);
  expect(cellsOf({ from: '2026-05-01', to: '2026-05-31' })).toEqual(['2026-05-01', '2026-05-31']);
  expect(cellsOf('2026-05-01')).toEqual(['2026-05-01', undefined]);
  expect(cellsOf(undefined)).toEqual([undefined, undefined]);
});

it('has answers from before the question was a signature in the columns of the name and the picture', () => {
  const signed = { label: 'Signed', options: new Map<string, string>(), kind: 'signature' } as const;
  const { rowOf } = tableOf(['s'], { fields: new Map([['s', signed]]) });
  const cellsOf = (answer: unknown) => rowOf(submission({ s: answer })).slice(4);
  const id = '01890000-0000-7000-8000-000000000000';
  expect(cellsOf({ kind: 'drawn', file_id: id })).toEqual(['drawn', undefined, id]);
  expect(cellsOf('Ada')).toEqual([undefined, 'Ada', undefined]);
  expect(cellsOf(id)).toEqual([undefined, undefined, id]);
  expect(cellsOf([id, id])).toEqual([undefined, undefined, `${id}; ${id}`]);
});

it('has no ranks of answers that were made while the question was no ranking', () => {
  const options = new Map([
    ['r', 'Rome'],
    ['o', 'Oslo'],
  ]);
  const cities = { label: 'Cities', options, kind: 'options', isRanked: true, rankedIn: [2, 4] } as const;
  const { rowOf } = tableOf(['c'], { fields: new Map([['c', cities]]) });
  const cellsOf = (version: number) => rowOf(submission({ c: ['o', 'r'] }, { schema_version: version })).slice(4);
  expect([1, 2, 3, 4].map(cellsOf)).toEqual([
    ['o; r', undefined, undefined],
    ['o; r', 2, 1],
    ['o; r', undefined, undefined],
    ['o; r', 2, 1],
  ]);
});

async function* batches<Row>(...all: Row[][]): AsyncGenerator<Row[]> {
  for (const batch of all) yield await Promise.resolve(batch);
}

async function read(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** The CSV cell of one answer. */
const csvCell = async (answer: unknown) => {
  const text = (await read(csv(tableOf(['a']), batches([submission({ a: answer })])))).toString();
  const [, line = ''] = /^[^\r]*\r\n(.*)\r\n$/s.exec(text) ?? [];
  return line.split(',').slice(4).join(',');
};

describe('a table', () => {
  it('has a column for each key, and an empty cell where there is no answer', () => {
    const { header, rowOf } = tableOf(['name', 'status', 'constructor']);
    const row = submission({ status: 'mine', name: 'Ada' });
    expect(header).toEqual(['submission_id', 'schema_version', 'status', 'created_at', 'name', 'data.status', 'constructor']);
    expect(rowOf(row)).toEqual([row.id, 3, 'new', '2026-06-01T12:00:00.250Z', 'Ada', 'mine', undefined]);
  });
});

describe('CSV', () => {
  it('is UTF-8 with a byte order mark, and ends each line with CRLF', async () => {
    const row = submission({ name: 'Zoë' });
    const text = (await read(csv(tableOf(['name']), batches([row])))).toString();
    expect(text).toBe(`\uFEFFsubmission_id,schema_version,status,created_at,name\r\n${row.id},3,new,2026-06-01T12:00:00.250Z,Zoë\r\n`);
  });

  it('has another separator and no byte order mark where these are wanted', async () => {
    const row = submission({ name: 'a,b', text: 'c;d\te' });
    const lines = async (delimiter: 'comma' | 'semicolon' | 'tab') => {
      const text = (await read(csv(tableOf(['name', 'text']), batches([row]), { delimiter, hasMark: false }))).toString();
      return text.replaceAll(row.id, 'id').split('\r\n').slice(0, 2);
    };
    expect(await lines('semicolon')).toEqual([
      'submission_id;schema_version;status;created_at;name;text',
      'id;3;new;2026-06-01T12:00:00.250Z;a,b;"c;d\te"',
    ]);
    expect(await lines('tab')).toEqual([
      'submission_id\tschema_version\tstatus\tcreated_at\tname\ttext',
      'id\t3\tnew\t2026-06-01T12:00:00.250Z\ta,b\t"c;d\te"',
    ]);
    expect((await lines('comma'))[1]).toBe('id,3,new,2026-06-01T12:00:00.250Z,"a,b","c;d\te"');
  });

  it.each([
    ['text', 'Ada', 'Ada'],
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'a"b', '"a""b"'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['separators of other formats', 'a;=1', '"a;=1"'],
    ['a number', 2.5, '2.5'],
    ['a negative number', -5, '-5'],
    ['a small number', 1e-7, '1e-7'],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['zero', 0, '0'],
    ['several values', ['red', 'blue'], '"red; blue"'],
    ['an object', { file_id: 'x' }, '"{""file_id"":""x""}"'],
    ['nothing', null, ''],
  ])('represents %s', async (_, answer, cell) => {
    expect(await csvCell(answer)).toBe(cell);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\uFF1D1', '\uFF0B1', '\uFF0D1', '\uFF201', '=HYPERLINK("http://x","y")'])(
    'keeps spreadsheets from reading %j as a formula',
    async (answer) => {
      expect((await csvCell(answer)).replace(/^"/, '')).toMatch(/^'/);
      expect((await csvCell([answer, 'x'])).replace(/^"/, '')).toMatch(/^'/);
    },
  );
});

it('a phone number is no formula', async () => {
  for (const phone of ['+43 1 234 56', '+49 (0)30/123456', '+1-555-0100', '+ 49 30 123456']) expect(await csvCell(phone)).toBe(phone);
  for (const formula of ['+43+1', '+1*23456', "+4312345|'x'!A1", '+43 1 2', '+43 1 234 56 x', '-43 1 23456'])
    expect((await csvCell(formula)).replace(/^"/, '')).toMatch(/^'/);
});

describe('a list in a cell', () => {
  const cellOf = (answer: readonly string[]) => tableOf(['a']).rowOf(submission({ a: answer }))[4];

  it.each([
    [['a', 'b'], 'a; b'],
    [['a; b'], '"a; b"'],
    [['a', 'b', 'a; b'], 'a; b; "a; b"'],
    [['say "x"', '"y"'], 'say "x"; """y"""'],
  ])('of %j is %s', (answer, cell) => {
    expect(cellOf(answer)).toBe(cell);
  });

  it('can be told apart from any other list', () => {
    const value = fc.string({
      unit: fc.constantFrom('a', ';', ' ', '"'),
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.array(value, { minLength: 1, maxLength: 4 }), (one, other) => {
        expect(cellOf(one) === cellOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      propertyRuns(2_000),
    );
  });
});

describe('NDJSON', () => {
  it('has one submission per line, byte for byte except for line breaks between answers', async () => {
    const row = { json: '{"data":{"b": 1.0,\r\n "a": "x\\ny"}}' };
    const text = (await read(ndjson(batches([row, row])))).toString();
    const line = '{"data":{"b": 1.0,  "a": "x\\ny"}}\n';
    expect(text).toBe(line + line);
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ data: { a: 'x\ny', b: 1 } });
  });
});

/** The files of a zip, read through its central directory. */
function unzip(zip: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, name, extra, comment] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files[zip.toString('utf8', at + 46, at + 46 + name)] = inflateRawSync(zip.subarray(from, from + size)).toString();
    at += 46 + name + extra + comment;
  }
  return files;
}

const workbook = async (chunks: AsyncIterable<Buffer>) => unzip(await read(chunks));
const cellsOf = (sheet = '') =>
  [...sheet.matchAll(/<c r="(\w+)"(?: s="\d+")?(?: t="(\w+)")?>(?:<v>|<is><t xml:space="preserve">)(.*?)(?:<\/v>|<\/t><\/is>)<\/c>/gs)].map(
    ([, at, type, value]) => [at, type, value],
  );

/** The formats that cells name by their number. */
const cellFormats = ({ 'xl/styles.xml': styles = '' }: Record<string, string>) =>
  [...styles.slice(styles.indexOf('<cellXfs')).matchAll(/<xf [^>]*>/g)].map(([format]) => format);

describe('XLSX', () => {
  it('is a workbook of typed cells', async () => {
    const row = submission({ a: 'x', b: -2.5, c: true, e: ['red', 'blue'] });
    const files = await workbook(xlsx(tableOf(['a', 'b', 'c', 'd', 'e']), batches([row])));
    expect(Object.keys(files).sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ]);
    expect(cellsOf(files['xl/worksheets/sheet1.xml']).filter(([at]) => at?.endsWith('2'))).toEqual([
      ['A2', 'inlineStr', row.id],
      ['B2', undefined, '3'],
      ['C2', 'inlineStr', 'new'],
      ['D2', 'inlineStr', '2026-06-01T12:00:00.250Z'],
      ['E2', 'inlineStr', 'x'],
      ['F2', undefined, '-2.5'],
      ['G2', 'b', '1'],
      ['I2', 'inlineStr', 'red; blue'],
    ]);
  });

  it.each([
    ['markup characters', '<a> & "b"', '&lt;a&gt; &amp; "b"'],
    ['a formula as text', '=1+1', '=1+1'],
    ['characters that XML cannot represent', 'a\u0007b\rc\uFFFF', 'a_x0007_b_x000D_c_xFFFF_'],
    ['text that looks like an escaped character', '_x0007_', '_x005F_x0007_'],
    ['white space', '  a\n\tb ', '  a\n\tb '],
  ])('represents %s', async (_, answer, printed) => {
    const files = await workbook(xlsx(tableOf(['a']), batches([submission({ a: answer })])));
    expect(cellsOf(files['xl/worksheets/sheet1.xml']).at(-1)).toEqual(['E2', 'inlineStr', printed]);
  });

  it('names each sheet as no other, and as none that Excel keeps for itself', async () => {
    const sheet = (label: string, rows = 1) => ({
      ...{ label, table: tableOf(['a']) },
      batches: batches(Array.from({ length: rows }, (_, index) => submission({ a: index }))),
    });
    const further = ['Guests', 'guests 2', 'GUESTS', 'History', 'Submissions', 'About', '[]'].map((label, at) =>
      sheet(label, at === 0 ? 5 : 1),
    );
    const files = await workbook(xlsx(tableOf(['a']), batches(), { further, about: () => [], sheetRows: 5 }));
    const names = [...(files['xl/workbook.xml'] ?? '').matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name);
    const { sheet: own, aboutSheet } = exportWords('en');
    expect(names.slice(0, 5)).toEqual([own, 'Guests', 'Guests 2', 'guests 2 (1)', 'GUESTS (1)']);
    expect(names[5]).toBe('History (1)');
    expect(names.at(-1)).toBe(aboutSheet);
    expect(new Set(names.map((name) => name?.toLowerCase())).size).toBe(names.length);
    for (const name of names) expect(name?.length).toBeLessThanOrEqual(31);
  });

  it('marks truncated text, and counts it', async () => {
    const about = jest.fn(() => []);
    const files = await workbook(xlsx(tableOf(['a']), batches([submission({ a: 'x'.repeat(40_000) })]), { about }));
    expect(about).toHaveBeenCalledWith({ submissions: 1, sheets: 1, cut: 1, unlinked: 0 });
    const [, , text = ''] = cellsOf(files['xl/worksheets/sheet1.xml']).at(-1) ?? [];
    expect(text).toHaveLength(32_767);
    expect(text).toMatch(/x… \(truncated; the CSV export has the full text\)$/);
  });

  it.each([
    [5, [4, 1]],
    [4, [4]],
    [0, [0]],
    [9, [4, 4, 1]],
  ])('splits %i rows into sheets of four', async (count, expected) => {
    const rows = Array.from({ length: count }, (_, index) => submission({ a: index }));
    const files = await workbook(xlsx(tableOf(['a']), batches(rows.slice(0, 3), rows.slice(3)), { sheetRows: 5 }));
    const sheets = Object.entries(files).filter(([name]) => name.includes('worksheets/'));
    expect(sheets.map(([, sheet]) => sheet.split('<row ').length - 2)).toEqual(expected);
    expect(files['xl/workbook.xml']?.split('<sheet ').length).toBe(expected.length + 1);
    const answers = sheets.flatMap(([, sheet]) =>
      cellsOf(sheet)
        .filter(([at]) => /^E(?!1$)/.test(at ?? ''))
        .map(([, , value]) => Number(value)),
    );
    expect(answers).toEqual(rows.map((_, index) => index));
  });

  it('has a bold header that stays in place and filters, and columns as wide as their first rows', async () => {
    const rows = [submission({ a: 'x'.repeat(20), b: 'y\n'.repeat(90) }), submission({ b: 'z'.repeat(400) })];
    const files = await workbook(xlsx(tableOf(['a', 'b']), batches(rows)));
    const sheet = files['xl/worksheets/sheet1.xml'] ?? '';
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheet).toContain('</sheetData><autoFilter ref="A1:F3"/>');
    expect(files['xl/workbook.xml']).toContain(`localSheetId="0" hidden="1">'Submissions'!$A$1:$F$3</definedName>`);
    expect([...sheet.matchAll(/ width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([37, 18, 10, 25, 21, 60]);
    const [, style] = /<c r="A1" s="(\d+)"/.exec(sheet) ?? [];
    const formats = cellFormats(files);
    expect(formats[Number(style)]).toContain('fontId="1"');
    expect(files['xl/styles.xml']).toMatch(/<fonts count="3"><font>.*?<\/font><font><b\/>/);
  });

  it('links the names of files, as many as a sheet may have, and tells how many it could not', async () => {
    const reader = {
      words: exportWords('en'),
      zone: new Zone('UTC'),
      people: new Map(),
      addressOf: (id: string) => `https://forms.example/?open=${id}&"`,
    };
    const field = { label: 'CV', options: new Map(), kind: 'file' } as const;
    const table = tableOf(['cv'], { fields: new Map([['cv', field]]), hasLabels: true, reader });
    const rows = Array.from({ length: 7 }, (_, n) => ({
      ...submission({ cv: String(n) }),
      fileNames: new Map([[String(n), `${n}.pdf`]]),
    }));
    const about = jest.fn(() => []);
    const files = await workbook(xlsx(table, batches([...rows]), { sheetRows: 5, sheetLinks: 3, about }));
    expect(about).toHaveBeenCalledWith({ submissions: 7, sheets: 2, cut: 0, unlinked: 1 });
    expect(
      cellsOf(files['xl/worksheets/sheet1.xml'])
        .filter(([at]) => /^E[2-9]$/.test(at ?? ''))
        .map(([, , name]) => name),
    ).toEqual(['0.pdf', '1.pdf', '2.pdf', '3.pdf']);
    const linked = (sheet: number) => [
      ...(files[`xl/worksheets/sheet${sheet}.xml`] ?? '').matchAll(/<hyperlink ref="(\w+)" r:id="(\w+)"/g),
    ];
    expect([1, 2].map((sheet) => linked(sheet).map(([, at]) => at))).toEqual([
      ['E2', 'E3', 'E4'],
      ['E2', 'E3', 'E4'],
    ]);
    const targets = [...(files['xl/worksheets/_rels/sheet2.xml.rels'] ?? '').matchAll(/ Target="([^"]*)"/g)].map(([, target]) => target);
    expect(targets).toEqual(rows.slice(4).map(({ id }) => `https://forms.example/?open=${id}&amp;&quot;`));
  });

  it('tells on a sheet of its own what it is asked to', async () => {
    const about = [
      ['Form', '=1+1'],
      ['Submissions', 3],
    ] as [string, string | number][];
    const files = await workbook(xlsx(tableOf(['a']), batches(), { words: exportWords('fr'), about: () => about }));
    expect(files['xl/workbook.xml']).toMatch(/<sheet name="Envois".*<sheet name="À propos"/);
    expect(cellsOf(files['xl/worksheets/sheet2.xml'])).toEqual([
      ['A1', 'inlineStr', 'Form'],
      ['B1', 'inlineStr', '=1+1'],
      ['A2', 'inlineStr', 'Submissions'],
      ['B2', undefined, '3'],
    ]);
  });

  it('keeps a text that looks like a formula a text also when its cell is edited', async () => {
    const files = await workbook(xlsx(tableOf(['a', 'b']), batches([submission({ a: '=1+1', b: 'plain' })])));
    const [, style] = /<c r="E2" s="(\d+)" t="inlineStr"/.exec(files['xl/worksheets/sheet1.xml'] ?? '') ?? [];
    const formats = cellFormats(files);
    expect(formats[Number(style)]).toContain('quotePrefix="1"');
    expect(files['xl/worksheets/sheet1.xml']).toContain('<c r="F2" t="inlineStr"');
  });

  it('has a column for each of many keys', async () => {
    const keys = Array.from({ length: 800 }, (_, index) => `k${index}`);
    const cells = cellsOf((await workbook(xlsx(tableOf(keys), batches())))['xl/worksheets/sheet1.xml']);
    expect([cells[25], cells[26], cells[701], cells[702]].map((cell) => cell?.[0])).toEqual(['Z1', 'AA1', 'ZZ1', 'AAA1']);
  });

  it('fails when its source fails, and stops its source when the reader stops', async () => {
    async function* broken() {
      yield await Promise.resolve([submission({ a: 1 })]);
      throw new Error('the database is gone');
    }
    await expect(read(xlsx(tableOf(['a']), broken()))).rejects.toThrow('the database is gone');

    let made = 0;
    async function* endless() {
      for (;;) {
        made += 1;
        yield await Promise.resolve(Array.from({ length: 500 }, () => submission({ a: newId() })));
      }
    }
    const reading = xlsx(tableOf(['a']), endless());
    await reading.next();
    await reading.return(undefined);
    const before = made;
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBe(before);
  });
});
