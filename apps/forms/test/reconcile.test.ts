import { newId } from '@sheaf/kernel';
import { missingForms, missingVersions, usedAmong, usedWorkspaces } from '../src/reconcile.queries';
import { version } from '../src/publishing/versions.queries';
import { clock, create, db, instanceId, publish, useService, workspaceId } from './stage';

useService();

const publishedForm = async () => {
  const { id } = await create('Survey');
  await publish(id);
  return { id, version_id: (await version(db, id, 1))?.id ?? '' };
};
const minutes = (count: number) => new Date(clock.now().getTime() + count * 60_000).toISOString();

it('misses a version by its id, and one without an id by the time of its publication', async () => {
  const { id: form_id, version_id } = await publishedForm();
  const wanted = [
    { form_id, version: 1, version_id, oldest: minutes(1) },
    // Published anew after a restore, under the same number.
    { form_id, version: 1, version_id: newId(), oldest: minutes(1) },
    { form_id, version: 1, version_id: null, oldest: minutes(1) },
    { form_id, version: 1, version_id: null, oldest: minutes(-5) },
    { form_id, version: 2, version_id: null, oldest: minutes(1) },
    { form_id: newId(), version: 1, version_id, oldest: minutes(1) },
  ];
  await expect(missingVersions(db, wanted)).resolves.toEqual([
    { place: 1, has_form: true },
    { place: 3, has_form: true },
    { place: 4, has_form: true },
    { place: 5, has_form: false },
  ]);
});

it('misses no form of whose erasure others have not heard', async () => {
  const [gone, erased] = [newId(), newId()];
  const event = {
    type: 'form.erased',
    instance_id: instanceId,
    subject: erased,
    occurred_at: clock.now(),
    body: '{}',
    awaiting: ['hooks'],
  };
  await db('outbox').insert({ id: newId(), ...event, publish_at: minutes(60) });
  const { id } = await publishedForm();
  await expect(missingForms(db, [id, gone, erased])).resolves.toEqual([{ id: gone }]);
  const wanted = [{ form_id: erased, version: 1, version_id: null, oldest: minutes(0) }];
  await expect(missingVersions(db, wanted)).resolves.toEqual([]);
});

it('tells the workspaces that have forms, but for those that are being erased', async () => {
  await publishedForm();
  const first = '00000000-0000-0000-0000-000000000000';
  const used = [{ id: workspaceId, forms: expect.any(Number) as unknown }];
  await expect(usedWorkspaces(db, first, 10)).resolves.toEqual(used);
  await expect(usedAmong(db, [workspaceId, newId()])).resolves.toEqual(used);
  await expect(usedWorkspaces(db, workspaceId, 10)).resolves.toEqual([]);
  const erased = { workspace_id: workspaceId, instance_id: instanceId, erasure_id: newId(), erased_at: clock.now(), forms: 0 };
  await db('erased_workspace').insert(erased);
  await expect(usedWorkspaces(db, first, 10)).resolves.toEqual([]);
  await db('erased_workspace').delete();
});
