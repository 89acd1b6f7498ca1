import { newId } from '@sheaf/kernel';
import { aUser, eventually, refused } from '@sheaf/testing';
import {
  access,
  clock,
  create,
  createIn,
  db,
  editor,
  folderIn,
  get,
  grant,
  recordEvents,
  deliverFolderDeleted,
  instanceId,
  useService,
  outsider,
  owner,
  patch,
  robot,
  service,
  trash,
  viewer,
  workspaceId,
} from './stage';

useService();

describe('a folder', () => {
  it('accepts a form from a person only in their active workspace, whatever their role elsewhere', async () => {
    const elsewhere = newId();
    const inBoth = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor', [elsewhere]: 'owner' } });
    const outside = refused('bad_request', 'folder_id: must be in the active workspace');

    await expect(createIn(folderIn(elsewhere), inBoth)).rejects.toEqual(outside);
    const { id } = await createIn(folderIn(), inBoth);
    await expect(patch(id, { folder_id: folderIn(elsewhere) }, inBoth)).rejects.toEqual(outside);
    await expect(patch(id, { folder_id: folderIn() }, { ...inBoth, workspaceId: elsewhere })).rejects.toEqual(outside);
    await expect(patch(id, { folder_id: folderIn(elsewhere) }, { ...inBoth, workspaceId: elsewhere })).rejects.toEqual(
      refused('bad_request', /^folder_id: must be in the workspace of the form/),
    );
  });

  it('decides the workspace of a form that a service account creates and owns', async () => {
    const folder = folderIn();
    const form = await createIn(folder, robot);
    expect(form).toMatchObject({ folder_id: folder, role: 'owner' });
    await expect(access(form.id)).resolves.toMatchObject({
      workspace_id: workspaceId,
      creator_kind: 'service_account',
      creator_id: robot.id,
    });
  });

  it('accepts no forms from users without edit access to it', async () => {
    const folder = folderIn();
    await expect(createIn(folder, viewer)).rejects.toEqual(refused('forbidden'));
    const guest = { ...outsider, workspaceId };
    await expect(createIn(folder, guest)).rejects.toEqual(refused('forbidden'));
    const { id } = await create();
    await grant(id, guest, 'editor');
    await expect(patch(id, { folder_id: folder }, guest)).rejects.toEqual(refused('forbidden'));
  });

  it('does not let its creator create forms if they are now a viewer of its workspace', async () => {
    const folder = folderIn(workspaceId, { kind: 'user', id: viewer.id });
    await expect(createIn(folder, viewer)).rejects.toEqual(refused('forbidden', /create forms in this workspace/));
  });

  it('is cleared by null, changed by another id, and kept if it is absent from a patch', async () => {
    const [first, second] = [folderIn(), folderIn()];
    const { id } = await createIn(first);

    await expect(patch(id, { folder_id: second })).resolves.toMatchObject({ folder_id: second });
    await expect(patch(id, { title: 'Still there' })).resolves.toMatchObject({ folder_id: second });
    await expect(patch(id, { folder_id: null })).resolves.not.toHaveProperty('folder_id');
  });

  it.each<[string, () => string]>([
    ['is malformed', () => 'x'],
    ['does not exist', newId],
    ['is empty', () => ''],
    [
      'is in another instance',
      () => {
        const id = folderIn();
        service.folders.set(id, { instanceId: newId(), workspaceId, creator: { kind: 'user', id: owner.id } });
        return id;
      },
    ],
  ])('is refused when it %s', async (_, unknown) => {
    const folder = unknown();
    const { id } = await create();
    for (const as of [editor, robot]) {
      await expect(createIn(folder, as)).rejects.toEqual(refused('bad_request', 'folder_id: there is no such folder'));
      await expect(patch(id, { folder_id: folder }, as)).rejects.toEqual(refused('bad_request', 'folder_id: there is no such folder'));
    }
  });

  it('is refused if it was deleted between its check and the change', async () => {
    const folder = folderIn();
    await deliverFolderDeleted(folder);
    await expect(createIn(folder)).rejects.toEqual(refused('bad_request', 'folder_id: there is no such folder'));
  });

  it('in another workspace is refused for an existing form', async () => {
    const { id } = await create();
    await expect(patch(id, { folder_id: folderIn(newId()) }, robot)).rejects.toEqual(
      refused('bad_request', 'folder_id: must be in the workspace of the form'),
    );
  });

  it('that is deleted only unfiles its forms and signals this to every process, even if the event arrives twice', async () => {
    const [folder, other] = [folderIn(), folderIn()];
    const [inside, trashed, outside] = [await createIn(folder), await createIn(folder), await createIn(other)];
    await trash(trashed.id);
    const recorded = await recordEvents();
    clock.advance(60_000);

    await deliverFolderDeleted(folder, folder);

    const { folder_id: _, ...unfiled } = inside;
    await expect(get(inside.id)).resolves.toEqual(unfiled);
    await expect(get(trashed.id)).resolves.not.toHaveProperty('folder_id');
    await expect(get(outside.id)).resolves.toMatchObject({ folder_id: other });
    await eventually(() => expect(recorded(inside.id)).toEqual([{ form_id: inside.id, slugs: [] }]));
  });

  it('with many forms is emptied in several steps', async () => {
    const folder = folderIn();
    const { id } = await createIn(folder);
    const [row] = await db<Record<string, unknown>>('form').where({ id });
    await db('form').insert(Array.from({ length: 450 }, () => ({ ...row, id: newId() })));

    await deliverFolderDeleted(folder);

    await expect(db('form').where({ folder_id: folder })).resolves.toEqual([]);
  });

  it('keeps no form that is filed while it is deleted', async () => {
    const folder = folderIn();
    const outcomes = await Promise.allSettled([...Array.from({ length: 10 }, () => createIn(folder)), deliverFolderDeleted(folder)]);

    expect(outcomes.at(-1)).toMatchObject({ status: 'fulfilled' });
    await expect(db('form').where({ folder_id: folder })).resolves.toEqual([]);
  });
});
