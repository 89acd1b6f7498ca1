import { newId } from '@sheaf/kernel';
import { aServiceAccount, callAs, eventually, refused } from '@sheaf/testing';
import { removeUnclaimed } from '../src/files/remove-files';
import { hours, type Sent, StartedWithFiles } from './started-with-files';

const withFiles = new StartedWithFiles();
const { started, aForm, upload, submit, download, bytesOf, expectNothingLeft } = withFiles;
const { clock, instanceId, viewer, outsider, stranger, respondent } = started;
beforeAll(withFiles.start);
afterAll(withFiles.stop);

async function* nothing() {
  yield* await Promise.resolve([]);
}

describe('uploading', () => {
  it('stores a file that a submission can claim, and returns it unchanged', async () => {
    const form = aForm();
    const parts = Array.from({ length: 9 }, (_, n) => Buffer.from(`line ${n}\n`.repeat(1_000)));
    const { file_id, ...about } = await upload(form, { name: '../Lebenslauf Ü.txt', chunks: parts });
    expect(about).toEqual({ name: 'Lebenslauf Ü.txt', content_type: 'text/plain', size: 63_000 });

    const submission = await submit(form, { cv: file_id });
    const stored = await started.client.getSubmission(callAs(viewer), { form_id: form, id: submission.id });
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
    ['an empty file', { chunks: [] }, { code: 'file_empty', params: {} }],
    ['too many bytes', { chunks: [Buffer.alloc(100_001, 'a')] }, { code: 'file_too_large', params: { max: 100_000 } }],
    [
      'a type that the field does not accept',
      { chunks: [Buffer.from([0, 1, 2])] },
      { code: 'file_type_not_accepted', params: { types: 'application/pdf, text/*' } },
    ],
  ])('tells programs which field and bound %s breaks', async (_, sent, fault) => {
    await expect(upload(aForm(), sent)).rejects.toMatchObject({ details: [{ key: 'cv', ...fault }] });
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
    await expect(started.client.uploadFile(callAs(viewer), nothing())).rejects.toEqual(refused('forbidden'));
    await expect(started.client.uploadFile(callAs(respondent), nothing())).rejects.toEqual(refused('bad_request'));
  });

  it('leaves nothing behind if it is aborted halfway', async () => {
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
    expect((await started.client.listSubmissions(callAs(viewer), { form_id: form, limit: 1, offset: 0 })).total).toBe(0);
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
    expect(await started.db('file').where({ id: second.file_id })).toMatchObject([{ state: 'stored', submission_id: null }]);
  });

  it('erases the address that uploaded the file', async () => {
    const form = aForm();
    const { file_id } = await upload(form, { address: '198.51.100.1' });
    expect(await started.db('file').where({ id: file_id })).toMatchObject([{ address: '198.51.100.1' }]);
    await submit(form, { cv: file_id });
    expect(await started.db('file').where({ id: file_id })).toMatchObject([{ address: null }]);
  });
});

it('shows the names of files on a receipt that shows the answers', async () => {
  const form = aForm({ settings: { show_answers: true } });
  const cv = await upload(form);
  const photo = await upload(form, { field: 'photo', name: 'Übersicht.txt' });
  const { id } = await submit(form, { cv: cv.file_id, photo: photo.file_id });
  const { file_names } = await started.client.getReceipt(callAs(respondent), { form_id: form, id });
  expect(file_names).toEqual({ [cv.file_id]: 'cv.txt', [photo.file_id]: 'Übersicht.txt' });
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
    await started.client.deleteSubmission(callAs(aServiceAccount({ instanceId })), { form_id: form, id });
    clock.advance(hours(48));
    await removeUnclaimed(started.deps);
    expect((await download(form, file_id)).bytes.toString()).toBe('hello\n');
  });
});
