import { newId } from '@sheaf/kernel';
import { findLostFiles, findUnknownFiles } from '../src/files/compare-files';
import { storageKey } from '../src/files/remove-files';
import { StartedWithFiles } from './started-with-files';

const files = new StartedWithFiles();
beforeAll(() => files.start());
afterAll(() => files.stop());

const first = '00000000-0000-0000-0000-000000000000';
const deps = () => ({ db: files.started.db, storage: files.storage });
const lost = async () =>
  (await findLostFiles(deps(), { after: first, limit: 1_000 })).lost.map(({ id, submission_id }) => ({ id, submission_id }));
const unknown = async () => (await findUnknownFiles(deps(), { limit: 1_000 })).unknown;
const keyOf = (form: string, id: string) => storageKey({ instance_id: files.started.instanceId, form_id: form, id });
const someBytes = async function* () {
  yield await Promise.resolve(Buffer.from('hello'));
};

it('names the files whose bytes are gone with their submissions, and puts nothing in their place', async () => {
  const form = files.aForm();
  const [kept, gone, waiting] = [await files.upload(form), await files.upload(form, { field: 'photo' }), await files.upload(form)];
  const { id } = await files.submit(form, { cv: kept.file_id, photo: gone.file_id });
  await expect(lost()).resolves.toEqual([]);
  for (const { file_id } of [gone, waiting]) await files.storage.remove(keyOf(form, file_id));
  const expected = [
    { id: gone.file_id, submission_id: id },
    { id: waiting.file_id, submission_id: null },
  ];
  await expect(lost()).resolves.toEqual(expected);
  await expect(lost()).resolves.toEqual(expected);
});

it('names a file of which a part is gone', async () => {
  const form = files.aForm();
  const { file_id: id } = await files.upload(form, { chunks: [Buffer.from('hello, hello\n')] });
  await expect(lost()).resolves.not.toContainEqual({ id, submission_id: null });
  await files.storage.put(keyOf(form, id), someBytes());
  await expect(lost()).resolves.toContainEqual({ id, submission_id: null });
});

it('names bytes that no row knows, also in a folder of nobody, and removes none', async () => {
  const form = files.aForm();
  await files.upload(form);
  await expect(unknown()).resolves.toEqual([]);
  const strangers = [keyOf(form, newId()), `${newId()}/${newId()}/${newId()}`].sort();
  for (const key of strangers) await files.storage.put(key, someBytes());
  expect((await unknown()).sort()).toEqual(strangers);
  for (const key of strangers) await expect(files.storage.sizeOf(key)).resolves.toBe(5);
  for (const key of strangers) await files.storage.remove(key);
});

it('finds the same in parts', async () => {
  for (const form of [files.aForm(), files.aForm(), files.aForm()]) await files.storage.put(keyOf(form, newId()), someBytes());
  const whole = await findUnknownFiles(deps(), { limit: 1_000 });
  const [read, next] = [[] as string[], { after: undefined as string | null | undefined }];
  while (next.after !== null) {
    const part = await findUnknownFiles(deps(), { after: next.after, limit: 1 });
    read.push(...part.unknown);
    next.after = part.last;
  }
  expect(read.length).toBeGreaterThanOrEqual(3);
  expect(read.sort()).toEqual(whole.unknown.sort());
});
