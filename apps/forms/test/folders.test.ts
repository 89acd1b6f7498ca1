import { newId } from '@sheaf/kernel';
import { aUser, eventually, refused } from '@sheaf/testing';
import {
  access, clock, create, createIn, db, editor, folderIn, get, grant, heardOf, hearOfDeleted, instanceId, onStage, outsider, owner, patch,
  robot, service, trash, viewer, workspaceId,
} from './stage';

onStage();

describe('a folder', () => {
  it('takes a form of a person only in their active workspace, whatever their role is elsewhere', async () => {
    const elsewhere = newId();
    const inBoth = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor', [elsewhere]: 'owner' } });
    const outside = refused('bad_request', 'folder_id: must be in the active workspace');

    await expect(createIn(folderIn(elsewhere), inBoth)).rejects.toEqual(outside);
    const { id } = await createIn(folderIn(), inBoth);
    await expect(patch(id, { folder_id: folderIn(elsewhere) }, inBoth)).rejects.toEqual(outside);
    await expect(patch(id, { folder_id: folderIn() }, { ...inBoth, workspaceId: elsewhere })).rejects.toEqual(outside);
    await expect(patch(id, { folder_id: folderIn(elsewhere) }, { ...inBoth, workspaceId: elsewhere })).rejects.toEqual(refused('bad_request', /^folder_id: must be in the workspace of the form/));
  });

  it('is how a service account says where a new form goes, which is then its own', async () => {
    const folder = folderIn();
    const form = await createIn(folder, robot);
    expect(form).toMatchObject({ folder_id: folder, role: 'owner' });
    await expect(access(form.id)).resolves.toMatchObject({ workspace_id: workspaceId, creator_kind: 'service_account', creator_id: robot.id });
  });

  it('takes nothing from somebody without edit access to it', async () => {
    const folder = folderIn();
    await expect(createIn(folder, viewer)).rejects.toEqual(refused('forbidden'));
    const guest = { ...outsider, workspaceId };
    await expect(createIn(folder, guest)).rejects.toEqual(refused('forbidden'));
    const { id } = await create();
    await grant(id, guest, 'editor');
    await expect(patch(id, { folder_id: folder }, guest)).rejects.toEqual(refused('forbidden'));
  });

  it('that its creator made gives no right to create forms to somebody who only views its workspace by now', async () => {
    const folder = folderIn(workspaceId, { kind: 'user', id: viewer.id });
    await expect(createIn(folder, viewer)).rejects.toEqual(refused('forbidden', /create forms in this workspace/));
  });

  it('is left, changed and kept by a patch with null, with another one, and without one', async () => {
    const [first, second] = [folderIn(), folderIn()];
    const { id } = await createIn(first);

    await expect(patch(id, { folder_id: second })).resolves.toMatchObject({ folder_id: second });
    await expect(patch(id, { title: 'Still there' })).resolves.toMatchObject({ folder_id: second });
    await expect(patch(id, { folder_id: null })).resolves.not.toHaveProperty('folder_id');
  });

  it.each<[string, () => string]>([
    ['is malformed', () => 'x'],
    ['is not there', newId],
    ['is empty', () => ''],
    ['is one of another instance', () => {
      const id = folderIn();
      service.folders.set(id, { instanceId: newId(), workspaceId, creator: { kind: 'user', id: owner.id } });
      return id;
    }],
  ])('is refused when it %s', async (_, unknown) => {
    const folder = unknown();
    const { id } = await create();
    for (const as of [editor, robot]) {
      await expect(createIn(folder, as)).rejects.toEqual(refused('bad_request', 'folder_id: there is no such folder'));
      await expect(patch(id, { folder_id: folder }, as)).rejects.toEqual(refused('bad_request', 'folder_id: there is no such folder'));
    }
  });

  it('is refused when it was deleted between the question and the change', async () => {
    const folder = folderIn();
    await hearOfDeleted(folder);
    await expect(createIn(folder)).rejects.toEqual(refused('bad_request', 'folder_id: there is no such folder'));
  });

  it('of another workspace is refused for a form that exists', async () => {
    const { id } = await create();
    await expect(patch(id, { folder_id: folderIn(newId()) }, robot)).rejects.toEqual(refused('bad_request', 'folder_id: must be in the workspace of the form'));
  });

  it('that is deleted leaves its forms unfiled and otherwise as they were, tells every process, and bears being told twice', async () => {
    const [folder, other] = [folderIn(), folderIn()];
    const [inside, trashed, outside] = [await createIn(folder), await createIn(folder), await createIn(other)];
    await trash(trashed.id);
    const heard = await heardOf();
    clock.advance(60_000);

    await hearOfDeleted(folder, folder);

    const { folder_id: _, ...unfiled } = inside;
    await expect(get(inside.id)).resolves.toEqual(unfiled);
    await expect(get(trashed.id)).resolves.not.toHaveProperty('folder_id');
    await expect(get(outside.id)).resolves.toMatchObject({ folder_id: other });
    await eventually(() => expect(heard(inside.id)).toEqual([{ form_id: inside.id, slugs: [] }]));
  });

  it('is emptied in several steps when it holds many forms', async () => {
    const folder = folderIn();
    const { id } = await createIn(folder);
    const [row] = await db<Record<string, unknown>>('form').where({ id });
    await db('form').insert(Array.from({ length: 450 }, () => ({ ...row, id: newId() })));

    await hearOfDeleted(folder);

    await expect(db('form').where({ folder_id: folder })).resolves.toEqual([]);
  });

  it('does not keep a form that comes while it is deleted', async () => {
    const folder = folderIn();
    const outcomes = await Promise.allSettled([...Array.from({ length: 10 }, () => createIn(folder)), hearOfDeleted(folder)]);

    expect(outcomes.at(-1)).toMatchObject({ status: 'fulfilled' });
    await expect(db('form').where({ folder_id: folder })).resolves.toEqual([]);
  });
});
