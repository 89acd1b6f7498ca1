import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type Caller } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aServiceAccount, callAs, eventually, refused } from '@sheaf/testing';
import * as files from '../src/files/files.queries';
import { discard, removeUnclaimed, storageKey } from '../src/files/remove-files';
import { localStorage } from '../src/files/storage/local';
import { Started } from './started';

const started = new Started();
const { clock, instanceId, viewer, outsider, stranger, respondent } = started;
const fields = Buffer.from(
  JSON.stringify([
    { key: 'name', label: 'Name', type: 'short_text', required: false },
    { key: 'cv', label: 'CV', type: 'file', required: false, accept: ['application/pdf', 'text/*'], max_bytes: 100_000 },
    { key: 'photo', label: 'Photo', type: 'file', required: false },
  ]),
);

let folder: string;
let db: Started['db'];
let client: Started['client'];
let deps: Started['deps'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
  const storage = await localStorage(folder);
  ({ db, client, deps } = await started.start(
    {},
    {
      files: {
        storage,
        log: silentLog(),
        maxBytes: 1_000_000,
        unclaimedHours: 24,
        limits: { formBytes: 0, instanceBytes: 0, waitingFiles: 5, waitingBytes: 1_000_000 },
      },
    },
  ));
});
afterAll(async () => {
  await started.stop();
  await rm(folder, { recursive: true });
});

const aForm: Started['aForm'] = (given) => started.aForm({ fields, ...given });

interface Sent {
  field?: string;
  name?: string;
  type?: string;
  chunks?: Iterable<Buffer> | AsyncIterable<Buffer>;
  address?: string;
  signal?: AbortSignal;
}
const text = [Buffer.from('hello\n')];
const upload = (form: string, { field = 'cv', name = 'cv.txt', type = 'text/plain', chunks = text, address, signal }: Sent = {}) =>
  client.uploadFile(
    { ...callAs(respondent), address, signal },
    (async function* () {
      yield { file: { form, field, name, content_type: type } };
      for await (const bytes of chunks) yield { bytes };
    })(),
  );
const submit = (form: string, data: unknown, idempotency_key?: string) =>
  client.submit(callAs(respondent), { form, data: Buffer.from(JSON.stringify(data)), idempotency_key });
async function download(form_id: string, id: string, as: Caller = viewer) {
  const parts: Buffer[] = [];
  let file;
  for await (const part of client.readFile(callAs(as), { form_id, id })) {
    if (part.file) file = part.file;
    if (part.bytes) parts.push(part.bytes);
  }
  return { file, bytes: Buffer.concat(parts) };
}
async function* nothing() {
  yield* await Promise.resolve([]);
}
const rowsOf = (form: string): Promise<{ id: string; state: string }[]> => db('file').where({ form_id: form }).select('id', 'state');
/** A form's files in storage, including partly written ones. */
const bytesOf = async (form: string): Promise<string[]> => readdir(join(folder, instanceId, form)).catch(() => []);
const hours = (count: number) => count * 3_600_000;

/** Expects neither bytes nor rows to be left. */
async function expectNothingLeft(form: string): Promise<void> {
  expect(await rowsOf(form)).toEqual([]);
  expect(await bytesOf(form)).toEqual([]);
}

describe('uploading', () => {
  it('stores a file that a submission can claim, and returns it unchanged', async () => {
    const form = aForm();
    const parts = Array.from({ length: 9 }, (_, n) => Buffer.from(`line ${n}\n`.repeat(1_000)));
    const { file_id, ...about } = await upload(form, { name: '../Lebenslauf Ü.txt', chunks: parts });
    expect(about).toEqual({ name: 'Lebenslauf Ü.txt', content_type: 'text/plain', size: 63_000 });

    const submission = await submit(form, { cv: file_id });
    const stored = await client.getSubmission(callAs(viewer), { form_id: form, id: submission.id });
    expect(JSON.parse(stored.data.toString())).toEqual({ cv: file_id });

    const { file, bytes } = await download(form, file_id);
    expect(file).toEqual(about);
    expect(bytes.equals(Buffer.concat(parts))).toBe(true);
  });

  it.each<[string, Sent, code: string, message: string]>([
    [
      'a type that the field does not accept',
      { chunks: [Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00', 'latin1')] },
      'bad_request',
      'file: must be application/pdf or text/*, but is image/gif',
    ],
    [
      'a type that only its name and declaration suggest',
      { name: 'a.pdf', type: 'application/pdf', chunks: [Buffer.from([0, 1, 2])] },
      'bad_request',
      'file: must be application/pdf or text/*, but is application/octet-stream',
    ],
    ['an empty file', { chunks: [] }, 'bad_request', 'file: must not be empty'],
    [
      'more bytes than the field accepts',
      { chunks: [Buffer.from('a'), Buffer.alloc(100_000, 'a')] },
      'payload_too_large',
      'file: must have at most 100000 bytes',
    ],
    [
      'more bytes than the operator accepts',
      { field: 'photo', chunks: Array.from({ length: 11 }, () => Buffer.alloc(100_000, 'a')) },
      'payload_too_large',
      'file: must have at most 1000000 bytes',
    ],
    ['a file for a field of another type', { field: 'name' }, 'bad_request', 'field: must be the key of a file field of this form'],
    ['a file for an unknown field', { field: 'constructor' }, 'bad_request', 'field: must be the key of a file field of this form'],
  ])('refuses %s, and keeps nothing of it', async (_, sent, code, message) => {
    const form = aForm();
    await expect(upload(form, sent)).rejects.toMatchObject({ code, message });
    await expectNothingLeft(form);
  });

  it.each([
    ['is archived', { status: 'archived' }],
    ['is full', { max_submissions: 0 }],
  ])('is refused with the closed message when the form %s', async (_, state) => {
    await expect(upload(aForm({ ...state, closed_message: 'Back on Monday' }))).rejects.toMatchObject({
      code: 'forbidden',
      message: 'Back on Monday',
    });
  });

  it('requires a form and a respondent', async () => {
    await expect(upload(newId())).rejects.toEqual(refused('not_found'));
    await expect(client.uploadFile(callAs(viewer), nothing())).rejects.toEqual(refused('forbidden'));
    await expect(client.uploadFile(callAs(respondent), nothing())).rejects.toEqual(refused('bad_request'));
  });

  it('leaves nothing if it is aborted half-way', async () => {
    const form = aForm();
    const gone = new AbortController();
    async function* half() {
      yield Buffer.alloc(50_000, 'a');
      await eventually(async () => expect(await bytesOf(form)).toHaveLength(1));
      gone.abort();
      yield Buffer.from('never arrives');
    }
    await expect(upload(form, { chunks: half(), signal: gone.signal })).rejects.toBeInstanceOf(Error);
    await eventually(() => expectNothingLeft(form));
  });

  it('is refused if it takes too long', async () => {
    const form = aForm();
    async function* slow() {
      yield Buffer.alloc(5_000, 'a');
      await eventually(async () => expect(await bytesOf(form)).toHaveLength(1));
      clock.advance(30 * 60_000 + 1);
      yield Buffer.from('late');
    }
    await expect(upload(form, { chunks: slow() })).rejects.toMatchObject({
      code: 'bad_request',
      message: 'file: took more than 30 minutes to arrive',
    });
    await expectNothingLeft(form);
  });
});

describe('claiming', () => {
  const unusable = 'must be the file_id of a file that was uploaded for this field and is not in use';

  it.each<[string, (form: string) => Promise<unknown>]>([
    ['of another field', async (form) => (await upload(form, { field: 'photo' })).file_id],
    ['of another form', async () => (await upload(aForm())).file_id],
    ['that was never uploaded', () => Promise.resolve(newId())],
    ['whose id is malformed', () => Promise.resolve('cv.txt')],
    ['whose id is not text', () => Promise.resolve({ file_id: newId() })],
  ])('refuses a file %s, and stores no submission', async (_, make) => {
    const form = aForm();
    const problem = { code: 'bad_request', message: `data.cv: ${unusable}`, details: [{ key: 'cv', message: unusable }] };
    await expect(submit(form, { cv: await make(form) })).rejects.toMatchObject(problem);
    expect((await client.listSubmissions(callAs(viewer), { form_id: form, limit: 1, offset: 0 })).total).toBe(0);
  });

  it('leaves a file unclaimed if another of the same submission is refused', async () => {
    const form = aForm();
    const { file_id: cv } = await upload(form);
    await expect(submit(form, { cv, photo: newId() })).rejects.toMatchObject({ details: [{ key: 'photo', message: unusable }] });
    await expect(submit(form, { cv })).resolves.toBeDefined();
  });

  it('succeeds for exactly one of many concurrent submissions', async () => {
    const form = aForm();
    const data = { cv: (await upload(form)).file_id, photo: (await upload(form, { field: 'photo' })).file_id };
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => submit(form, data)));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))).toEqual(
      Array.from({ length: 11 }, () => refused('bad_request')),
    );
  });

  it('can be repeated under the same idempotency key', async () => {
    const form = aForm();
    const data = { cv: (await upload(form)).file_id };
    const receipts = await Promise.all(Array.from({ length: 8 }, () => submit(form, data, 'key-1')));
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
  });

  it('is undone when the form turns out to be full', async () => {
    const form = aForm({ max_submissions: 1 });
    const [first, second] = [await upload(form), await upload(form)];
    await submit(form, { cv: first.file_id });
    await expect(submit(form, { cv: second.file_id })).rejects.toEqual(refused('forbidden'));
    expect(await db('file').where({ id: second.file_id })).toMatchObject([{ state: 'stored', submission_id: null }]);
  });

  it('erases the address that uploaded the file', async () => {
    const form = aForm();
    const { file_id } = await upload(form, { address: '198.51.100.1' });
    expect(await db('file').where({ id: file_id })).toMatchObject([{ address: '198.51.100.1' }]);
    await submit(form, { cv: file_id });
    expect(await db('file').where({ id: file_id })).toMatchObject([{ address: null }]);
  });
});

describe('downloading', () => {
  it('requires a role on the form', async () => {
    const form = aForm();
    const { file_id } = await upload(form);
    await submit(form, { cv: file_id });
    for (const reader of [viewer, aServiceAccount({ instanceId })])
      expect((await download(form, file_id, reader)).bytes.toString()).toBe('hello\n');
    await expect(download(form, file_id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(download(form, file_id, stranger)).rejects.toEqual(refused('not_found'));
    await expect(download(form, file_id, respondent)).rejects.toEqual(refused('forbidden'));
  });

  it('finds neither unclaimed files, nor those of other forms, nor malformed ids', async () => {
    const form = aForm();
    const { file_id } = await upload(form);
    await expect(download(form, file_id)).rejects.toEqual(refused('not_found'));
    await submit(form, { cv: file_id });
    await expect(download(aForm(), file_id)).rejects.toEqual(refused('not_found'));
    await expect(download(form, 'nonsense')).rejects.toEqual(refused('not_found'));
  });

  it('still works while the submission is in the trash', async () => {
    const form = aForm();
    const { file_id } = await upload(form);
    const { id } = await submit(form, { cv: file_id });
    await client.deleteSubmission(callAs(aServiceAccount({ instanceId })), { form_id: form, id });
    clock.advance(hours(48));
    await removeUnclaimed(deps);
    expect((await download(form, file_id)).bytes.toString()).toBe('hello\n');
  });
});

describe('cleanup', () => {
  it('removes files that no submission claimed in time, and no others', async () => {
    const form = aForm();
    const [old, claimed] = [await upload(form), await upload(form)];
    await submit(form, { cv: claimed.file_id });
    clock.advance(hours(12));
    const young = await upload(form);
    clock.advance(hours(12) + 1);
    await removeUnclaimed(deps);

    expect((await rowsOf(form)).map(({ id }) => id).sort()).toEqual([claimed.file_id, young.file_id].sort());
    expect((await bytesOf(form)).sort()).toEqual([claimed.file_id, young.file_id].sort());
    await expect(submit(form, { cv: old.file_id })).rejects.toEqual(refused('bad_request'));
  });

  const noted = async (form: string) => {
    const file: files.NewFile = {
      id: newId(),
      instance_id: instanceId,
      form_id: form,
      field_key: 'cv',
      name: 'cv.txt',
      address: null,
      created_at: clock.now(),
    };
    await db.transaction((trx) => files.insert(trx, file));
    return file;
  };
  const stored = async (form: string) => {
    const file = await noted(form);
    await deps.files.storage.put(
      storageKey(file),
      (async function* () {
        yield await Promise.resolve(Buffer.from('hello\n'));
      })(),
    );
    return file;
  };
  it.each<[string, (form: string) => Promise<unknown>]>([
    ['before the first byte of an upload', noted],
    ['after the last byte, before the row was updated', stored],
    [
      'after the row was updated, before the response',
      async (form) => {
        const { id } = await stored(form);
        await db.transaction((trx) => files.complete(trx, id, { contentType: 'text/plain', size: 6, now: clock.now() }));
      },
    ],
    [
      'after the file was marked for removal, before its bytes were removed',
      async (form) => files.markForRemoval(db, (await stored(form)).id),
    ],
    [
      'after its bytes were removed, before its row was',
      async (form) => {
        const file = await stored(form);
        await files.markForRemoval(db, file.id);
        await deps.files.storage.remove(storageKey(file));
      },
    ],
  ])('removes the leftovers of a process that died %s', async (_, die) => {
    const form = aForm();
    await die(form);
    clock.advance(hours(24) + 1);
    await removeUnclaimed(deps);
    await expectNothingLeft(form);
  });

  it('by several processes at once, during claims, keeps every claimed file with its bytes', async () => {
    const form = aForm();
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await upload(form)).file_id));
    clock.advance(hours(24) + 1);
    const claims = ids.map((cv) =>
      submit(form, { cv }).then(
        () => cv,
        () => undefined,
      ),
    );
    await Promise.all([removeUnclaimed(deps), removeUnclaimed(deps), ...claims]);

    const won = (await Promise.all(claims)).filter((id) => id !== undefined);
    expect((await rowsOf(form)).map(({ id }) => id).sort()).toEqual(won.sort());
    expect((await bytesOf(form)).sort()).toEqual(won.sort());
  });

  it('skips a file that cannot be removed, and retries it in the next run', async () => {
    const form = aForm();
    const [stuck] = [await upload(form), await upload(form)];
    clock.advance(hours(24) + 1);
    const { storage } = deps.files;
    const failing = {
      ...storage,
      remove: (key: string) => (key.endsWith(stuck.file_id) ? Promise.reject(new Error('the disk is away')) : storage.remove(key)),
    };
    await removeUnclaimed({ ...deps, files: { ...deps.files, storage: failing } });
    expect(await rowsOf(form)).toEqual([{ id: stuck.file_id, state: 'removing' }]);

    await removeUnclaimed(deps);
    await expectNothingLeft(form);
  });

  it('does not remove a claimed file', async () => {
    const form = aForm();
    const { file_id } = await upload(form);
    await submit(form, { cv: file_id });
    await expect(discard(deps, { id: file_id, instance_id: instanceId, form_id: form })).resolves.toBeUndefined();
    expect((await download(form, file_id)).bytes.toString()).toBe('hello\n');
  });
});
