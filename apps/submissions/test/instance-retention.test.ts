import { newId, type Caller, type Problem } from '@sheaf/kernel';
import { aUser, callAs } from '@sheaf/testing';
import { finishErasures } from '../src/erasing/finish-erasures';
import { followForms } from '../src/erasing/follow-forms';
import { eraseExpired } from '../src/erasing/retention';
import { StartedWithFiles } from './started-with-files';

const service = new StartedWithFiles();
const { started, aForm, upload } = service;
const { owner, editor, outsider, stranger, instanceId, workspaceId, clock } = started;
beforeAll(() => service.start());
afterAll(() => service.stop());
beforeEach(() => started.db('instance_keeping').delete());

const dayMs = 86_400_000;
const days = { trash_days: 30, submissions_days: 365, files_days: 90 };
const update = (patch: Partial<typeof days>, set = Object.keys(patch), as: Caller = owner) =>
  started.client.updateInstanceRetention(callAs(as), { patch, set });
const daysOf = ({ schedule: _, ...decided }: Awaited<ReturnType<typeof update>>) => decided;
/** Handles the event that `forms` sends when the settings of a form change. */
const keep = (form: string, keeping: { trash_days?: number; submissions_days?: number; legal_hold?: boolean }) =>
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
const expire = async (): Promise<number> => {
  const erased = await eraseExpired(started.deps);
  await finishErasures(started.deps, { watchMs: 0 });
  return erased;
};
const submit = async (form: string, data: object = { name: 'Ada' }) => (await service.submit(form, data)).id;
const trash = (form_id: string, id: string) => started.client.deleteSubmission(callAs(owner), { form_id, id });
const remaining = async (form: string): Promise<string[]> =>
  (await started.db<{ id: string; form_id: string }>('submission').where({ form_id: form }).select('id')).map(({ id }) => id);
const entries = async (action: string) =>
  (await started.db<{ type: string; body: string; position: number }>('outbox').where({ type: 'audit.recorded' }).orderBy('position'))
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    .filter((entry) => entry.action === action);

it('keeps everything until somebody decides it, and then what was not mentioned stays as it was', async () => {
  const daysFor = async (as: Caller) => daysOf(await started.client.getInstanceRetention(callAs(as), {}));
  expect(await daysFor(outsider)).toEqual({});
  expect(daysOf(await update({ trash_days: 30 }))).toEqual({ trash_days: 30 });
  expect(daysOf(await update({ files_days: 90 }))).toEqual({ trash_days: 30, files_days: 90 });
  expect(daysOf(await update({}, ['trash_days']))).toEqual({ files_days: 90 });
  expect(daysOf(await update({}))).toEqual({ files_days: 90 });
  expect(await daysFor(outsider)).toEqual({ files_days: 90 });
  expect(await daysFor(stranger)).toEqual({});
});

it('is decided by owners and admins of the instance, and each change is in the audit log', async () => {
  const forbidden = expect.objectContaining({ code: 'forbidden' }) as Problem;
  for (const as of [editor, outsider, { ...owner, instanceRole: undefined }])
    await expect(update({ trash_days: 1 }, undefined, as)).rejects.toThrow(forbidden);
  const before = (await entries('instance.updated')).length;
  await update(days, undefined, aUser({ instanceId, instanceRole: 'admin' }));
  await update(days);
  await update({ trash_days: 31 });
  expect((await entries('instance.updated')).slice(before)).toMatchObject([
    { target: { kind: 'instance', id: instanceId }, details: { changed: ['trash_days', 'submissions_days', 'files_days'] } },
    { actor: { kind: 'user', id: owner.id }, details: { changed: ['trash_days'] } },
  ]);
});

it('holds for forms that decide nothing, and for what the others leave open', async () => {
  const [silent, longer, partial, held, apart] = [aForm(), aForm(), aForm(), aForm(), aForm()];
  for (const form of [silent, longer, partial, held]) await submit(form);
  const inTrash = await submit(partial);
  await trash(partial, inTrash);
  const [onlyTrash, onlySpam] = [await submit(apart), await submit(apart)];
  await trash(apart, onlyTrash);
  await started.client.markSpam(callAs(owner), { form_id: apart, id: onlySpam, spam: true });
  await keep(longer, { submissions_days: 3_650 });
  await keep(partial, { submissions_days: 3_650 });
  await keep(held, { legal_hold: true });
  await update(days);

  clock.advance(31 * dayMs);
  await expire();
  expect(await remaining(partial)).toHaveLength(1);
  expect(await remaining(silent)).toHaveLength(1);
  expect(await remaining(apart)).toEqual([onlySpam]);
  clock.advance(335 * dayMs);
  await expire();
  expect(await remaining(silent)).toEqual([]);
  expect(await remaining(apart)).toEqual([]);
  for (const form of [longer, partial, held]) expect(await remaining(form)).toHaveLength(1);
  const erased = (await entries('submissions.erased')).filter(({ target }) => (target as { id: string }).id === silent);
  expect(erased).toMatchObject([{ actor: { kind: 'service', id: 'submissions' }, details: { count: 1 } }]);
  expect(erased[0]).not.toHaveProperty('workspace_id');
});

it('erases files of forms that decide nothing, and their other answers stay', async () => {
  const form = aForm();
  const { file_id } = await upload(form);
  await submit(form, { name: 'Ada', cv: file_id });
  await update({ files_days: 30 });
  clock.advance(29 * dayMs);
  expect(await expire()).toBe(0);
  clock.advance(dayMs + 1);
  expect(await expire()).toBe(1);
  await service.expectNothingLeft(form);
  expect(await remaining(form)).toHaveLength(1);
});

it('concerns no other instance', async () => {
  const form = aForm();
  const id = await submit(form);
  await started.db('submission').where({ id }).update({ instance_id: newId() });
  await update({ submissions_days: 1 });
  clock.advance(8 * dayMs);
  await expire();
  expect(await remaining(form)).toEqual([id]);
});

it('erases nothing that longer days keep, also if they come while forms are being read', async () => {
  const form = aForm();
  const id = await submit(form);
  await update({ submissions_days: 1 });
  clock.advance(8 * dayMs);
  const outbox = {
    ...started.deps.outbox,
    transaction: async <T>(work: Parameters<typeof started.deps.outbox.transaction<T>>[0]) => {
      await update({ submissions_days: 365 });
      return started.deps.outbox.transaction(work);
    },
  };
  expect(await eraseExpired({ ...started.deps, outbox })).toBe(0);
  expect(await remaining(form)).toEqual([id]);
});

it('finds its forms among many that have no submission any more', async () => {
  await started.db.raw('insert into intake (form_id, accepted) select gen_random_uuid(), 1 from generate_series(1, 1200)');
  const forms = [aForm(), aForm()];
  for (const form of forms) await submit(form);
  await update({ submissions_days: 1 });
  clock.advance(8 * dayMs);
  await expire();
  for (const form of forms) expect(await remaining(form)).toEqual([]);
});
