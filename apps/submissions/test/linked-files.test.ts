import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { startTokens } from '../src/intake/start-tokens';
import { hours, StartedWithFiles } from './started-with-files';

const withFiles = new StartedWithFiles();
const { started, aForm, upload, submit } = withFiles;
const { clock, instanceId, respondent } = started;
beforeAll(withFiles.start);
afterAll(withFiles.stop);

const delivery = callAs({ kind: 'service', id: 'delivery' });
const describeFiles = async (form_id: string, file_ids: string[], given: { expires_at?: string; instance_id?: string } = {}) =>
  (
    await started.client.describeFiles(delivery, {
      instance_id: instanceId,
      form_id,
      file_ids,
      expires_at: new Date(clock.now().getTime() + hours(24)).toISOString(),
      ...given,
    })
  ).files;
async function read(token: string, { head = false, as = respondent } = {}) {
  const parts: Buffer[] = [];
  let file;
  for await (const part of started.client.readLinkedFile(callAs(as), { token, head })) {
    if (part.file) file = part.file;
    if (part.bytes) parts.push(part.bytes);
  }
  return { file, text: Buffer.concat(parts).toString() };
}

/** A file of a submission. */
async function aFile() {
  const form = aForm();
  const { file_id: id } = await upload(form, { name: 'cv.txt' });
  const submission = await submit(form, { cv: id });
  return { form, id, submission: submission.id };
}
const tokenOf = async ({ form, id }: { form: string; id: string }) => (await describeFiles(form, [id]))[0]?.token ?? '';

it('describes the files of submissions to delivery, and leaves out all others', async () => {
  const { form, id } = await aFile();
  const { file_id: unclaimed } = await upload(form);
  const files = await describeFiles(form, [id, unclaimed, newId()]);
  expect(files).toEqual([{ id, name: 'cv.txt', content_type: 'text/plain', size: 6, token: expect.any(String) as string }]);
  expect(await describeFiles(newId(), [id])).toEqual([]);
  expect(await describeFiles(form, [id], { instance_id: newId() })).toEqual([]);
});

it('makes the same token again for the same file and time', async () => {
  const file = await aFile();
  const expires_at = new Date(clock.now().getTime() + hours(2)).toISOString();
  const [first, second] = [
    await describeFiles(file.form, [file.id], { expires_at }),
    await describeFiles(file.form, [file.id], { expires_at }),
  ];
  expect(first).toEqual(second);
  expect(first[0]?.token).not.toBe(await tokenOf(file));
});

it('gives the file to anybody with the link, and audits that', async () => {
  const file = await aFile();
  const token = await tokenOf(file);
  expect(await read(token)).toEqual({ file: { name: 'cv.txt', content_type: 'text/plain', size: 6 }, text: 'hello\n' });
  expect(await read(token, { head: true })).toMatchObject({ file: { name: 'cv.txt' }, text: '' });
  const audited = await started.db('outbox').where({ type: 'audit.recorded', subject: file.id }).pluck('body');
  expect(audited.map((body: string) => JSON.parse(body) as object)).toEqual([
    expect.objectContaining({ action: 'file.downloaded', actor: { kind: 'anonymous' }, target: { kind: 'file', id: file.id } }),
  ]);
});

it('refuses an expired link, and says so', async () => {
  const token = await tokenOf(await aFile());
  clock.advance(hours(24) - 1_000);
  expect(await read(token)).toMatchObject({ text: 'hello\n' });
  clock.advance(2_000);
  await expect(read(token)).rejects.toEqual(refused('forbidden', /^This link has expired\./));
});

it('finds nothing with a changed or made-up token, with a start token, or in another instance', async () => {
  const file = await aFile();
  const token = await tokenOf(file);
  const startToken = await startTokens(started).issue(file.form);
  const missing = refused('not_found', /file/);
  for (const wrong of [`${token}x`, token.slice(1), 'example', '', startToken]) await expect(read(wrong)).rejects.toEqual(missing);
  await expect(read(token, { as: { kind: 'respondent', instanceId: newId() } })).rejects.toEqual(missing);
});

it('is for delivery alone', async () => {
  const other = callAs({ kind: 'service', id: 'gateway' });
  const wanted = { instance_id: instanceId, form_id: newId(), file_ids: [], expires_at: clock.now().toISOString() };
  await expect(started.client.describeFiles(other, wanted)).rejects.toEqual(refused('forbidden', /^Only delivery/));
});
