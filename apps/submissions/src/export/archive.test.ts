import { newId } from '@sheaf/kernel';
import { parse } from 'csv-parse/sync';
import { Readable } from 'node:stream';
import { fromBuffer, type Entry } from 'yauzl';
import type { ClaimedFile } from '../files/files.queries';
import { archive, type Archive } from './archive';
import type { ExportedRow } from './batches.queries';
import { Zone } from './dated';

const row = (at: number): ExportedRow => ({
  id: newId(),
  form_id: 'f',
  data: '{"photo":["a","b"]}',
  schema_version: 1,
  status: 'new',
  created_at: new Date(`2026-06-0${at}T23:30:00Z`),
  changed_at: null,
  assignee: null,
  notes: 0,
  language: null,
  entered_by_kind: null,
  entered_by_id: null,
  fill_seconds: null,
  import_id: null,
});
const filesOf = (ids: readonly string[]) =>
  Promise.resolve(
    ids.flatMap((submission_id) =>
      ['a', 'b'].map((id): ClaimedFile => ({
        id,
        submission_id,
        instance_id: 'i',
        form_id: 'f',
        field_key: 'photo',
        name: `${id}.txt`,
        content_type: 'text/plain',
        size: 1,
      })),
    ),
  );
async function* each<Row>(...batches: Row[]): AsyncGenerator<Row> {
  for (const batch of batches) yield await Promise.resolve(batch);
}
const about = (more: Partial<Archive> = {}): Archive => ({
  fields: new Map(),
  zone: new Zone('Europe/Berlin'),
  words: undefined,
  hasLabels: false,
  filesOf,
  open: ({ id }) => Promise.resolve(Readable.from([Buffer.from(id)])),
  ...more,
});
async function entriesOf(chunks: AsyncIterable<Uint8Array>): Promise<[string, string][]> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const found: [string, string][] = [];
  return new Promise((resolve, reject) =>
    fromBuffer(Buffer.concat(parts), { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('error', reject).on('end', () => resolve(found));
      zip.on('entry', (entry: Entry) =>
        zip.openReadStream(entry, (failed, stream) => {
          if (failed) return reject(failed);
          void stream.toArray().then((read: Buffer[]) => {
            found.push([entry.fileName, Buffer.concat(read).toString()]);
            zip.readEntry();
          }, reject);
        }),
      );
      zip.readEntry();
    }),
  );
}
const linesOf = (text = '') => parse<Record<string, string>>(text, { bom: true, columns: true });

it("has a folder for each submission, named after its day in the form's zone", async () => {
  const found = await entriesOf(archive(about(), each([row(1)], [row(2)])));
  expect(found.map(([name]) => name.replace(/ [^/]*/, ''))).toEqual([
    'files/',
    'files/2026-06-02/a.txt',
    'files/2026-06-02/b.txt',
    'files/2026-06-03/a.txt',
    'files/2026-06-03/b.txt',
    'index.csv',
  ]);
});

it('keeps submissions of the same reference apart', async () => {
  const twin = row(1);
  const found = await entriesOf(archive(about(), each([twin, twin])));
  expect(new Set(found.map(([name]) => name)).size).toBe(6);
});

it('lists the files that it has no room for, and goes on in another index', async () => {
  const found = await entriesOf(archive(about({ maxFiles: 3, maxIndexLines: 3 }), each([row(1)], [row(2)], [row(3)])));
  const byName = new Map(found);
  expect(found.map(([name]) => name).filter((name) => name.endsWith('.txt'))).toHaveLength(3);
  expect([...byName.keys()].filter((name) => name.startsWith('index'))).toEqual(['index.csv', 'index-2.csv']);
  expect(linesOf(byName.get('index.csv')).map(({ problem }) => problem)).toEqual(['', '', '', 'beyond']);
  expect(linesOf(byName.get('index-2.csv')).map(({ problem }) => problem)).toEqual(['beyond', 'beyond']);
});

it('a spreadsheet takes no name of a file for a formula', async () => {
  const named = async (ids: readonly string[]) => (await filesOf(ids)).map((file) => ({ ...file, name: '=HYPERLINK("x")' }));
  const found = new Map(await entriesOf(archive(about({ filesOf: named }), each([row(1)]))));
  expect(linesOf(found.get('index.csv'))[0]?.name).toBe('\'=HYPERLINK("x")');
});

it('takes a text from before the question was a signature for no file that is missing', async () => {
  const fields: Archive['fields'] = new Map([['signed', { label: 'Signed', kind: 'signature', options: new Map() }]]);
  const none = () => Promise.resolve([]);
  const id = newId();
  const rows = ['Ada', { kind: 'drawn', file_id: id }].map((signed) => ({ ...row(1), data: JSON.stringify({ signed }) }));
  const found = new Map(await entriesOf(archive(about({ fields, filesOf: none }), each(rows))));
  expect(linesOf(found.get('index.csv')).map(({ name, problem }) => [name, problem])).toEqual([[id, 'missing']]);
});

it('closes a file that its reader leaves in the middle', async () => {
  const open: Readable[] = [];
  const endless = () => {
    const bytes = new Readable({ read: () => bytes.push(Buffer.alloc(1_000)) });
    open.push(bytes);
    return Promise.resolve(bytes);
  };
  const chunks = archive(about({ open: endless }), each([row(1)]));
  for (let count = 0; count < 10; count++) await chunks.next();
  await chunks.return(undefined);
  expect(open.map(({ destroyed }) => destroyed)).toEqual([true]);
});

it('fails as a whole if a file fails in the middle', async () => {
  const failing = () =>
    Promise.resolve(
      (async function* () {
        yield await Promise.resolve(Buffer.from('x'));
        throw new Error('disk');
      })(),
    );
  await expect(entriesOf(archive(about({ open: failing }), each([row(1)])))).rejects.toThrow('disk');
});
