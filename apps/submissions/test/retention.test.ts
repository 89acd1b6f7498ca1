import { newId } from '@sheaf/kernel';
import { callAs, eventually } from '@sheaf/testing';
import { finishErasures } from '../src/erasing/finish-erasures';
import { followForms } from '../src/erasing/follow-forms';
import { eraseExpired } from '../src/erasing/retention';
import { StartedWithFiles } from './started-with-files';

const service = new StartedWithFiles();
const { started, aForm, upload } = service;
const { owner, instanceId, workspaceId, clock } = started;
beforeAll(() => service.start());
afterAll(() => service.stop());
// Forms of earlier tests keep everything.
beforeEach(() => started.db('form_keeping').delete());

const dayMs = 86_400_000;
/** Handles the event that `forms` sends when the settings of a form change. */
const keep = (form: string, keeping: { trash_days?: number; submissions_days?: number; files_days?: number; legal_hold?: boolean }) =>
  followForms(started.deps, started.deps.files.log, [
    {
      id: newId(),
      type: 'form.keeping_changed',
      instanceId,
      subject: form,
      formId: form,
      occurredAt: clock.now(),
      body: JSON.stringify({ form_id: form, workspace_id: workspaceId, legal_hold: false, ...keeping }),
    },
  ]);
const expire = async () => {
  const erased = await eraseExpired(started.deps);
  await finishErasures(started.deps, { watchMs: 0 });
  return erased;
};
const submit = async (form: string, data: object = { name: 'Ada' }) => (await service.submit(form, data)).id;
const trash = (form_id: string, id: string) => started.client.deleteSubmission(callAs(owner), { form_id, id });
const remaining = async (form: string): Promise<string[]> =>
  (await started.db<{ id: string; form_id: string }>('submission').where({ form_id: form }).orderBy('id').select('id')).map(({ id }) => id);

it('a form without settings keeps everything, for ever', async () => {
  const form = aForm();
  const id = await submit(form);
  await trash(form, id);
  await keep(form, {});
  clock.advance(1_000 * dayMs);
  expect(await expire()).toBe(0);
  expect(await remaining(form)).toEqual([id]);
});

it('the trash is erased by how long something was in it', async () => {
  const form = aForm();
  const [early, late, listed] = [await submit(form), await submit(form), await submit(form)];
  await trash(form, early);
  await keep(form, { trash_days: 30 });
  clock.advance(10 * dayMs);
  await trash(form, late);
  // In the trash since a millisecond after it arrived.
  clock.advance(20 * dayMs + 2);
  expect(await expire()).toBe(1);
  expect(await remaining(form)).toEqual([late, listed].sort());
  expect((await started.client.listTrash(callAs(owner), { form_id: form, limit: 10, offset: 0 })).total).toBe(1);
});

it('submissions are erased by their age wherever they are, subscribers hear of those that were listed, and the counts follow', async () => {
  const form = aForm();
  const [listed, trashed, spam] = [await submit(form), await submit(form), await submit(form)];
  await trash(form, trashed);
  await started.client.markSpam(callAs(owner), { form_id: form, id: spam, spam: true });
  await keep(form, { submissions_days: 365 });
  clock.advance(300 * dayMs);
  const young = await submit(form);
  clock.advance(65 * dayMs + 2);
  expect(await expire()).toBe(3);
  expect(await remaining(form)).toEqual([young]);
  expect(await started.list(form)).toEqual({ total: 1, ids: [young] });
  for (const list of ['listTrash', 'listSpam'] as const)
    expect((await started.client[list](callAs(owner), { form_id: form, limit: 10, offset: 0 })).total).toBe(0);
  await eventually(() =>
    expect(started.eventsOf(listed).map(({ event }) => event)).toEqual(['submission.created', 'submission.deleted', undefined]),
  );
});

it.each([
  [90, 30],
  [30, 90],
])(
  'what is in the trash is erased as soon as one of its times is over: %d days there, or an age of %d days',
  async (trash_days, submissions_days) => {
    const form = aForm();
    const id = await submit(form);
    await trash(form, id);
    await keep(form, { trash_days, submissions_days });
    clock.advance(29 * dayMs);
    expect(await expire()).toBe(0);
    clock.advance(2 * dayMs);
    expect(await expire()).toBe(1);
    expect(await remaining(form)).toEqual([]);
  },
);

it('files are erased by their age, and the other answers stay', async () => {
  const form = aForm();
  const { file_id } = await upload(form);
  const id = await submit(form, { name: 'Ada', cv: file_id });
  await keep(form, { files_days: 30 });
  clock.advance(29 * dayMs);
  expect(await expire()).toBe(0);
  clock.advance(dayMs + 1);
  expect(await expire()).toBe(1);
  await service.expectNothingLeft(form);
  const { data } = await started.client.getSubmission(callAs(owner), { form_id: form, id });
  expect(JSON.parse(data.toString())).toEqual({ name: 'Ada', cv: file_id });
});

it('files over their time lose their names at once, before their bytes are removed', async () => {
  const form = aForm();
  const { file_id } = await upload(form, { name: 'Ada Lovelace.txt' });
  await submit(form, { name: 'Ada', cv: file_id });
  await keep(form, { files_days: 30 });
  clock.advance(31 * dayMs);
  expect(await eraseExpired(started.deps)).toBe(1);
  expect(await started.db('file').where({ form_id: form })).toMatchObject([{ state: 'removing', name: '', content_type: null }]);
});

it('nothing is erased under legal hold, also if it comes while forms are being read', async () => {
  const form = aForm();
  const id = await submit(form);
  await keep(form, { submissions_days: 1, legal_hold: true });
  clock.advance(8 * dayMs);
  expect(await expire()).toBe(0);
  await keep(form, { submissions_days: 1 });
  const outbox = {
    ...started.deps.outbox,
    transaction: async <T>(work: Parameters<typeof started.deps.outbox.transaction<T>>[0]) => {
      await keep(form, { submissions_days: 1, legal_hold: true });
      return started.deps.outbox.transaction(work);
    },
  };
  expect(await eraseExpired({ ...started.deps, outbox })).toBe(0);
  expect(await remaining(form)).toEqual([id]);
});

it('more than one batch is erased in one round, by two processes at once, each submission in one erasure', async () => {
  const form = aForm();
  for (let n = 0; n < 230; n++) await submit(form, { name: `Ada ${n}` });
  await keep(form, { submissions_days: 1 });
  clock.advance(8 * dayMs);
  const both = await Promise.all([eraseExpired(started.deps), eraseExpired(started.deps)]);
  await expire();
  expect(both.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(230);
  expect(await remaining(form)).toEqual([]);
  const counts = (
    await started.db<{ form_id: string; type: string; body: string }>('outbox').where({ form_id: form, type: 'audit.recorded' })
  )
    .map(({ body }) => JSON.parse(body) as { action: string; actor: object; details: { count: number } })
    .filter(({ action }) => action === 'submissions.erased');
  expect(counts.reduce((sum, { details }) => sum + details.count, 0)).toBe(230);
  expect(counts[0]?.actor).toMatchObject({ kind: 'service', id: 'submissions' });
});
