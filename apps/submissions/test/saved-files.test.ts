import { randomBytes } from 'node:crypto';
import { callAs } from '@sheaf/testing';
import { removeUnclaimed } from '../src/files/remove-files';
import { hours, StartedWithFiles } from './started-with-files';

const withFiles = new StartedWithFiles();
const { started, upload, rowsOf, expectNothingLeft } = withFiles;
const { clock, respondent } = started;
beforeAll(withFiles.start);
afterAll(withFiles.stop);

const days = (count: number) => hours(24 * count);
const aForm = () => withFiles.aForm({ settings: { resume: { days: 30 } } });
const aName = () => randomBytes(32);
const save = (form: string, name: Buffer, file_ids: string[]) =>
  started.client.saveAnswers(callAs(respondent), { form, name, sealed: Buffer.from('sealed'), file_ids });
const send = (form: string, saved: Buffer, data: object) =>
  started.client.submit(callAs(respondent), { form, data: Buffer.from(JSON.stringify(data)), saved });
const kept = async (form: string) => {
  await removeUnclaimed(started.deps);
  return (await rowsOf(form)).map(({ id }) => id).sort();
};

describe('the files among saved answers', () => {
  it('are kept until the answers expire, and then removed', async () => {
    const form = aForm();
    const [{ file_id }] = [await upload(form), await upload(form)];
    await save(form, aName(), [file_id]);
    clock.advance(days(30) - 1);
    expect(await kept(form)).toEqual([file_id]);
    clock.advance(1);
    expect(await kept(form)).toEqual([]);
    await expectNothingLeft(form);
  });

  it('are those of this form only', async () => {
    const [form, other] = [aForm(), aForm()];
    const { file_id } = await upload(other);
    await save(form, aName(), [file_id]);
    clock.advance(days(1) + 1);
    expect(await kept(other)).toEqual([]);
  });

  it('are removed like any others once they are no longer named', async () => {
    const [form, name] = [aForm(), aName()];
    const [first, second] = [await upload(form), await upload(form)];
    await save(form, name, [first.file_id]);
    clock.advance(hours(1));
    await save(form, name, [second.file_id]);
    clock.advance(days(1) + 1);
    expect(await kept(form)).toEqual([second.file_id]);
  });

  it('are kept as long as any answers that name them', async () => {
    const [form, name] = [aForm(), aName()];
    const { file_id } = await upload(form);
    await save(form, name, [file_id]);
    clock.advance(days(10));
    await save(form, aName(), [file_id]);
    await send(form, name, { name: 'Ada' });
    clock.advance(days(30) - 1);
    expect(await kept(form)).toEqual([file_id]);
  });

  it('belong to the submission once they are sent; those that are not sent are removed', async () => {
    const [form, name] = [aForm(), aName()];
    const [sent, unsent] = [await upload(form), await upload(form)];
    await save(form, name, [sent.file_id, unsent.file_id]);
    clock.advance(days(10));
    await send(form, name, { cv: sent.file_id });
    expect(await kept(form)).toEqual([sent.file_id]);
  });

  it('stay kept if sending is refused', async () => {
    const [form, name] = [aForm(), aName()];
    const { file_id } = await upload(form);
    await save(form, name, [file_id]);
    clock.advance(days(10));
    // A file of another field, which is found while the answers are being accepted.
    await expect(send(form, name, { photo: file_id })).rejects.toMatchObject({ details: [{ key: 'photo', code: 'not_file' }] });
    expect(await kept(form)).toEqual([file_id]);
  });
});
