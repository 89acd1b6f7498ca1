import { newId } from '@sheaf/kernel';
import { brokerUrl, callAs, eventually } from '@sheaf/testing';
import { replayErasures } from '../src/erasing/replay-erasures';
import { Started } from './started';

const started = new Started();
const { owner, clock } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

/** `except` as for the command. */
const replay = (since: Date, { apply = false, except = [] as string[] } = {}) =>
  replayErasures(started, { NATS_URL: brokerUrl() }, { since, apply, except });

/** The submissions of a form as they are now, to be brought back by a restore. */
async function aBackupOf(form: string) {
  const names = await started
    .db('information_schema.columns')
    .where({ table_name: 'submission', is_generated: 'NEVER' })
    .pluck<string[]>('column_name');
  const columns = names.map((name) => `"${name}"`).join(', ');
  const table = `backup_${newId().replaceAll('-', '')}`;
  await started.db.raw(`create table ${table} as select ${columns} from submission where form_id = ?`, [form]);
  return { restore: () => started.db.raw(`insert into submission (${columns}) select ${columns} from ${table} on conflict do nothing`) };
}
/** Erases a submission, of which everything before was confirmed, and waits until the stream has it. */
async function erase(form: string, id: string) {
  await started.client.deleteSubmission(callAs(owner), { form_id: form, id });
  await started.db('outbox').where({ subject: id }).delete();
  await started.client.eraseSubmission(callAs(owner), { form_id: form, id });
  await eventually(() => expect(erasuresOf(id)).toHaveLength(1));
}
const erasuresOf = (id: string) => started.received.filter(({ type, subject }) => type === 'submission.erased' && subject === id);
const remaining = async (form: string) => new Set(await started.db('submission').where({ form_id: form }).pluck<string[]>('id'));

it('erases again what was erased after the backup and is back, wherever it is, once, and nothing else', async () => {
  const form = started.aForm();
  const { id: stays } = await started.submit(form, { name: 'Ada' });
  const { id: listed } = await started.submit(form, { name: 'Grace' });
  const { id: mistaken } = await started.submit(form, { name: 'Joan' });
  const since = clock.now();
  const backup = await aBackupOf(form);
  clock.advance(1_000);
  for (const id of [listed, mistaken]) await erase(form, id);
  await expect(remaining(form)).resolves.toEqual(new Set([stays]));
  const published = (id: string) =>
    expect(started.received.some((one) => one.type === 'submission.erased' && one.subject === id)).toBe(true);
  await eventually(() => [listed, mistaken].forEach(published));
  await backup.restore();

  const ours = async (wanted: Parameters<typeof replay>[1]) =>
    (await replay(since, wanted)).erased.filter(({ form_id }) => form_id === form);
  await expect(ours({})).resolves.toEqual([
    { form_id: form, instance_id: started.instanceId, submission_ids: [listed, mistaken], done: false },
  ]);
  await expect(remaining(form)).resolves.toEqual(new Set([stays, listed, mistaken]));

  await expect(ours({ apply: true, except: [mistaken] })).resolves.toMatchObject([{ submission_ids: [listed], done: true }]);
  await expect(remaining(form)).resolves.toEqual(new Set([stays, mistaken]));
  // The other services erase their copies.
  await started.db('outbox').where({ subject: listed }).whereNot({ type: 'submission.erased' }).delete();
  await expect(started.db('outbox').where({ subject: listed, type: 'submission.erased' })).resolves.toHaveLength(2);
  await expect(ours({ apply: true, except: [mistaken] })).resolves.toEqual([]);
});

it('leaves submissions of a form under legal hold, and says so', async () => {
  const form = started.aForm();
  const { id } = await started.submit(form);
  const since = clock.now();
  const backup = await aBackupOf(form);
  clock.advance(1_000);
  await erase(form, id);
  await backup.restore();
  await started.db('form_keeping').insert({
    form_id: form,
    instance_id: started.instanceId,
    workspace_id: started.workspaceId,
    legal_hold: true,
  });

  const { erased } = await replay(since, { apply: true });
  expect(erased.filter(({ form_id }) => form_id === form)).toMatchObject([
    { submission_ids: [id], done: false, refused: expect.stringContaining('legal hold') as string },
  ]);
  await expect(remaining(form)).resolves.toEqual(new Set([id]));
});

it('says that a stream which began after the backup cannot tell everything', async () => {
  await expect(replay(new Date('2020-01-01T00:00:00Z'))).resolves.toMatchObject({ complete: false });
});
