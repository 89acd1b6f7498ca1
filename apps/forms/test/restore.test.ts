import { newId } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, eventually, refused, TestClock } from '@sheaf/testing';
import { startService, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const owner = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'owner' } });
const editor = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor' } });
const viewer = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'viewer' } });
const robot = aServiceAccount({ instanceId });

let service: Service;
beforeAll(async () => {
  service = await startService(clock);
});
afterAll(() => service.stop());

type Who = Parameters<typeof callAs>[0];
const create = (folder_id?: string) => service.client.createForm(callAs(owner), folder_id === undefined ? {} : { folder_id });
const patch = (id: string, changes: Record<string, unknown>) =>
  service.client.updateForm(callAs(owner), { id, set: Object.keys(changes), patch: changes });
const trash = (id: string) => service.client.trashForm(callAs(owner), { id });
const restore = (id: string, as: Who = owner) => service.client.restoreForm(callAs(as), { id });

describe('restoring a form', () => {
  it.each(['active', 'archived', 'disabled'])('returns it with the status %s and everything else unchanged', async (status) => {
    const { id } = await create();
    const before = await patch(id, { status, title: 'Survey', slug: `kept-${status}`, favorite: true, closed_message: 'Back on Monday' });
    await trash(id);
    clock.advance(1_000);

    const restored = await restore(id);

    expect(restored).toEqual({ ...before, updated_at: clock.now().toISOString() });
    await expect(service.client.getForm(callAs(owner), { id })).resolves.toEqual(restored);
    await expect(patch(id, { title: 'Again' })).resolves.toMatchObject({ title: 'Again' });
  });

  it('changes and announces nothing if the form is not in the trash', async () => {
    const form = await create();
    const recorded = await service.recordEvents();
    clock.advance(1_000);

    await expect(restore(form.id)).resolves.toEqual(form);

    await trash(form.id);
    await restore(form.id);
    await restore(form.id);
    await eventually(() =>
      expect(recorded(form.id)).toEqual([
        { form_id: form.id, slugs: [], trashed: true },
        { form_id: form.id, slugs: [] },
      ]),
    );
  });

  it('opens it to respondents again by its id and its slug, which no other form could take in the meantime', async () => {
    const { id } = await create();
    await patch(id, { slug: 'reserved' });
    await service.client.publishForm(callAs(owner), { id });
    await trash(id);
    const respondent = { kind: 'respondent', instanceId } as const;
    await expect(service.client.getPublishedForm(callAs(respondent), { form: 'reserved' })).rejects.toEqual(refused('not_found'));
    await expect(patch((await create()).id, { slug: 'reserved' })).rejects.toEqual(refused('bad_request', 'slug: is taken'));

    await restore(id);

    for (const form of [id, 'reserved'])
      await expect(service.client.getPublishedForm(callAs(respondent), { form })).resolves.toMatchObject({ id });
  });

  it('leaves it in its folder, or unfiled if the folder was deleted in the meantime', async () => {
    const [kept, gone] = [newId(), newId()];
    for (const id of [kept, gone]) service.folders.set(id, { instanceId, workspaceId, creator: { kind: 'user', id: owner.id } });
    const [inside, unfiled] = [await create(kept), await create(gone)];
    await Promise.all([trash(inside.id), trash(unfiled.id)]);
    await service.deliverFolderDeleted(instanceId, gone);

    await expect(restore(inside.id)).resolves.toMatchObject({ folder_id: kept });
    await expect(restore(unfiled.id)).resolves.not.toHaveProperty('folder_id');
  });

  it('is allowed only for its owner, like deleting', async () => {
    const { id } = await create();
    await trash(id);
    for (const as of [editor, viewer, robot, aUser({ instanceId })]) {
      await expect(restore(id, as)).rejects.toEqual(refused('forbidden'));
    }
    await expect(restore(id, { kind: 'respondent', instanceId })).rejects.toEqual(refused('forbidden'));
    await expect(restore(id, aUser({ instanceId: newId(), roles: { [workspaceId]: 'owner' } }))).rejects.toEqual(refused('not_found'));
    for (const unknown of [newId(), 'nonsense']) await expect(restore(unknown)).rejects.toEqual(refused('not_found'));
    await expect(service.client.getForm(callAs(owner), { id })).resolves.toMatchObject({ status: 'trashed' });
  });

  it('costs two statements, not counting the event', async () => {
    const { id } = await create();
    await trash(id);
    service.statements.length = 0;
    await restore(id);
    expect(service.statements).toHaveLength(2);
  });
});
