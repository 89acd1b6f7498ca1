import { callAs, refused } from '@sheaf/testing';
import { removeUnclaimed } from '../src/files/remove-files';
import { StartedWithFiles } from './started-with-files';

const files = new StartedWithFiles();
const { started } = files;
const { owner, viewer, clock } = started;
beforeAll(() => files.start());
afterAll(() => files.stop());

const correct = (form_id: string, id: string, data: unknown, revision = 0) =>
  started.client.correctSubmission(callAs(owner), { form_id, id, data: Buffer.from(JSON.stringify(data)), revision });
const upload = async (form: string) => (await files.upload(form)).file_id;
const read = async (form: string, file: string) => (await files.download(form, file)).bytes.toString();

describe('correcting an answer with a file', () => {
  it('gives the submission the new file, and keeps the earlier one as long as its revision', async () => {
    const form = files.aForm();
    const first = await upload(form);
    const { id } = await files.submit(form, { name: 'Ada', cv: first });
    const second = await upload(form);
    expect(await correct(form, id, { name: 'Ada', cv: second })).toMatchObject({ revision: 1 });

    clock.advance(48 * 3_600_000);
    await removeUnclaimed(started.deps);
    expect([await read(form, first), await read(form, second)]).toEqual(['hello\n', 'hello\n']);
    const { data } = await started.client.getRevision(callAs(viewer), { form_id: form, id, number: 0 });
    expect(JSON.parse(data?.toString() ?? '')).toEqual({ name: 'Ada', cv: first });
    // The earlier file can be named again.
    expect(await correct(form, id, { name: 'Ada', cv: first }, 1)).toMatchObject({ revision: 2 });
  });

  it('can remove the file, or leave it as it is', async () => {
    const form = files.aForm();
    const file = await upload(form);
    const { id } = await files.submit(form, { name: 'Ada', cv: file });
    expect(await correct(form, id, { name: 'Grace', cv: file })).toMatchObject({ revision: 1 });
    expect(await correct(form, id, { name: 'Grace' }, 1)).toMatchObject({ revision: 2 });
    expect(await read(form, file)).toBe('hello\n');
  });

  it('refuses the file of another submission, form or field, and an unknown one', async () => {
    const form = files.aForm();
    const taken = await upload(form);
    await files.submit(form, { cv: taken });
    const elsewhere = await upload(files.aForm());
    const { file_id: photo } = await files.upload(form, { field: 'photo' });
    const { id } = await files.submit(form, { name: 'Ada' });
    for (const cv of [taken, elsewhere, photo, 'nonsense'])
      await expect(correct(form, id, { cv })).rejects.toEqual(refused('bad_request', /^data\.cv: /));
    expect(await started.client.getSubmissionDetail(callAs(owner), { form_id: form, id })).toMatchObject({ revision: 0 });
    expect(await files.rowsOf(form)).toContainEqual({ id: photo, state: 'stored' });
  });

  it('gives an unclaimed file to one of two submissions that are corrected at the same time', async () => {
    const form = files.aForm();
    const [one, two] = [await files.submit(form, { name: 'Ada' }), await files.submit(form, { name: 'Grace' })];
    const cv = await upload(form);
    const outcomes = await Promise.allSettled([correct(form, one.id, { cv }), correct(form, two.id, { cv })]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

it('a member can enter a submission with a file that was uploaded for it', async () => {
  const form = files.aForm();
  const cv = await upload(form);
  const { id } = await started.client.enterSubmission(callAs(owner), { form_id: form, data: Buffer.from(JSON.stringify({ cv })) });
  expect(await read(form, cv)).toBe('hello\n');
  await expect(started.client.enterSubmission(callAs(owner), { form_id: form, data: Buffer.from(JSON.stringify({ cv })) })).rejects.toEqual(
    refused('bad_request', /^data\.cv: /),
  );
  expect(await started.list(form)).toEqual({ total: 1, ids: [id] });
});
