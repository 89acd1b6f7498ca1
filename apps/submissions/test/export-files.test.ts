import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { referenceOf } from '@sheaf/contracts';
import { parse } from 'csv-parse/sync';
import { buffer } from 'node:stream/consumers';
import { fromBuffer, type Entry } from 'yauzl';
import { indexWaiting } from '../src/search/search-index';
import { StartedWithFiles } from './started-with-files';

const withFiles = new StartedWithFiles();
const { started, upload, submit } = withFiles;
const { viewer, clock } = started;
const labels = ['cv', 'photo'].map((key) => ({ key, label: key.toUpperCase(), options: {}, type: 'file' }));
const aForm = () => withFiles.aForm({ labels });
beforeAll(withFiles.start);
afterAll(withFiles.stop);

type Wanted = Partial<Parameters<typeof started.client.exportSubmissions>[1]>;

async function exported(form_id: string, wanted: Wanted = {}): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(viewer), { form_id, format: 'zip', ...wanted })) parts.push(data);
  return Buffer.concat(parts);
}

/** As an independent reader has it, which checks names, sizes and checksums. */
function unzip(zip: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  return new Promise((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: true, strictFileNames: true }, (error, file) => {
      if (error) return reject(error);
      file.on('error', reject).on('end', () => resolve(found));
      file.on('entry', (entry: Entry) =>
        file.openReadStream(entry, (failed, stream) => {
          if (failed) return reject(failed);
          buffer(stream).then((bytes) => {
            found.set(entry.fileName, bytes);
            file.readEntry();
          }, reject);
        }),
      );
      file.readEntry();
    }),
  );
}
const indexOf = (files: Map<string, Buffer>) =>
  parse<Record<string, string>>(files.get('index.csv') ?? Buffer.alloc(0), { bom: true, columns: true });
const dayAndReference = async (id: string) => {
  const [row] = await started.db('submission').where({ id }).select<{ created_at: Date }[]>('created_at');
  return `${row?.created_at.toISOString().slice(0, 10)} ${referenceOf(id)}`;
};

it('an archive has each file in the folder of its submission, byte for byte, and an index that tells where', async () => {
  const form = aForm();
  const bytes = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n', 'latin1');
  const { file_id: cv } = await upload(form, { name: 'Zoë: CV.pdf', type: 'application/pdf', chunks: [bytes] });
  const { file_id: photo } = await upload(form, { field: 'photo', name: 'ZOË: CV.pdf', chunks: [Buffer.from('x')] });
  const { id } = await submit(form, { name: 'Zoë', cv, photo });
  await submit(form, { name: 'Nobody' });
  // As if whatever checks names at the upload had let it pass.
  await started.db('file').where({ id: cv }).update({ name: '../../Zoë: CV.pdf' });

  const files = await unzip(await exported(form));
  const folder = `files/${await dayAndReference(id)}`;
  expect([...files.keys()]).toEqual(['files/', `${folder}/__.._Zoë_ CV.pdf`, `${folder}/ZOË_ CV.pdf`, 'index.csv']);
  expect(files.get(`${folder}/__.._Zoë_ CV.pdf`)).toEqual(bytes);
  expect(indexOf(files)).toEqual([
    {
      reference: referenceOf(id),
      submission_id: id,
      created_at: expect.any(String) as string,
      question: 'cv',
      path: `${folder}/__.._Zoë_ CV.pdf`,
      name: '../../Zoë: CV.pdf',
      content_type: 'application/pdf',
      size: String(bytes.length),
      problem: '',
    },
    expect.objectContaining({ question: 'photo', name: 'ZOË: CV.pdf', path: `${folder}/ZOË_ CV.pdf` }) as object,
  ]);
});

it('the index is in the language of its reader, with the labels of questions', async () => {
  const form = aForm();
  const { file_id: cv } = await upload(form);
  await submit(form, { cv });
  const [line] = indexOf(await unzip(await exported(form, { language: 'de', labels: true })));
  expect(line).toMatchObject({ Frage: 'CV', Name: 'cv.txt', Bytes: '6', Problem: '' });
});

it('has the files of what a search finds, and none of the trash or the spam', async () => {
  const form = aForm();
  const ids: string[] = [];
  for (const name of ['found', 'other', 'trashed', 'spam']) {
    const { file_id: cv } = await upload(form, { name: `${name}.txt` });
    clock.advance(1_000);
    ids.push((await submit(form, { name, cv })).id);
  }
  await started.db('submission').where({ id: ids[2] }).update({ deleted_at: started.clock.now() });
  await started.db('submission').where({ id: ids[3] }).update({ spam_at: started.clock.now(), spam_reason: 'links' });
  await indexWaiting(started.deps, new AbortController().signal);
  const namesOf = async (wanted: Wanted) => indexOf(await unzip(await exported(form, wanted))).map(({ name }) => name);
  expect(await namesOf({})).toEqual(['other.txt', 'found.txt']);
  expect(await namesOf({ q: 'found' })).toEqual(['found.txt']);
});

it('a file whose bytes or row are gone has a line that tells so, and the others are there', async () => {
  const form = aForm();
  const fileIds: string[] = [];
  for (const name of ['gone', 'forgotten', 'short', 'kept']) {
    const { file_id: cv } = await upload(form, { name: `${name}.txt` });
    clock.advance(1_000);
    await submit(form, { cv });
    fileIds.push(cv);
  }
  const [gone, forgotten, short] = fileIds;
  await withFiles.loseBytes(form, String(gone));
  await started.db('file').where({ id: forgotten }).delete();
  await started.db('file').where({ id: short }).update({ size: 7 });
  const files = await unzip(await exported(form));
  expect(indexOf(files).map(({ name, problem }) => [name, problem])).toEqual([
    ['kept.txt', ''],
    ['short.txt', 'incomplete'],
    [forgotten, 'missing'],
    ['gone.txt', 'missing'],
  ]);
  expect([...files.keys()].filter((path) => path.endsWith('.txt')).map((path) => path.split('/')[2])).toEqual(['kept.txt', 'short.txt']);
});

it('an archive without files can be opened, and one of a storage that fails cannot', async () => {
  const form = aForm();
  await submit(form, { name: 'Ada' });
  expect([...(await unzip(await exported(form))).keys()]).toEqual(['files/', 'index.csv']);

  const { file_id: cv } = await upload(form);
  await submit(form, { cv });
  const { storage } = started.deps.files;
  const failing = jest.spyOn(storage, 'open').mockRejectedValue(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }));
  await expect(exported(form)).rejects.toThrow();
  failing.mockRestore();
});

it('large files pass through in small chunks, whatever their number', async () => {
  const form = aForm();
  const chunk = Buffer.alloc(200_000, 'a');
  for (let count = 0; count < 20; count++) {
    const { file_id: photo } = await upload(form, { field: 'photo', chunks: [chunk, chunk, chunk], address: `192.0.2.${count}` });
    await submit(form, { photo });
  }
  const sizes: number[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(viewer), { form_id: form, format: 'zip' })) {
    sizes.push(data.length);
  }
  expect(sizes.reduce((all, size) => all + size, 0)).toBeGreaterThan(12_000_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536);
});

it('is refused with what it does not have, without a role, and is recorded', async () => {
  const form = aForm();
  const columns = exported(form, { columns: [{ id: 'status' }] });
  await expect(columns).rejects.toEqual(refused('bad_request', 'columns: can only be combined with the formats csv and xlsx'));
  await expect(exported(newId())).rejects.toMatchObject({ code: 'not_found' });
  await exported(form);
  const bodies = await started.db('outbox').where({ type: 'audit.recorded', subject: form }).pluck<string[]>('body');
  expect(bodies.map((body) => JSON.parse(body) as object)).toContainEqual(
    expect.objectContaining({ action: 'submissions.exported', details: { format: 'zip' } }),
  );
});
