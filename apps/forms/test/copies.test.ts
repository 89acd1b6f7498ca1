import { newId } from '@sheaf/kernel';
import { aUser, refused } from '@sheaf/testing';
import {
  access,
  clock,
  create,
  createIn,
  duplicate,
  editor,
  folderIn,
  get,
  getDraft,
  grant,
  instanceId,
  json,
  list,
  listFields,
  useService,
  outsider,
  owner,
  patch,
  publish,
  putDraft,
  robot,
  service,
  text,
  trash,
  viewer,
  workspaceId,
} from './stage';

useService();

describe('a copy', () => {
  it('has only the draft and the settings of the form', async () => {
    const folder = folderIn();
    const { id } = await createIn(folder, owner);
    await putDraft(id, [text('a')]);
    await publish(id);
    await putDraft(id, [text('a'), text('b')], 1);
    const settings = {
      publish_mode: 'auto',
      opens_at: '2026-07-01T00:00:00.000Z',
      closes_at: '2026-08-01T00:00:00.000Z',
      max_submissions: 5,
      closed_message: 'Back on Monday',
      timezone: 'Europe/Berlin',
    };
    await patch(id, { ...settings, title: 'Site visit', slug: 'copied', favorite: true, status: 'disabled' });
    await grant(id, outsider, 'editor');
    clock.advance(1_000);

    const copy = await duplicate(id);

    expect(copy).toEqual({
      ...settings,
      id: copy.id,
      title: 'Copy of Site visit',
      status: 'active',
      favorite: false,
      current_version: 0,
      folder_id: folder,
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
      role: 'owner',
    });
    expect(copy.id).not.toBe(id);
    expect(json((await getDraft(copy.id)).fields)).toEqual(json((await getDraft(id)).fields));
    await expect(listFields(copy.id)).resolves.toMatchObject({ fields: [] });
    await expect(get(copy.id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(publish(copy.id)).resolves.toMatchObject({ version: 1 });
  });

  it('made by a viewer has the published version instead of the draft', async () => {
    const { id } = await create();
    await putDraft(id, [text('secret')]);
    const before = await duplicate(id, viewer);
    expect(await getDraft(before.id, viewer)).toMatchObject({ revision: 0 });
    expect(json((await getDraft(before.id, viewer)).fields)).toEqual([]);

    await putDraft(id, [text('shown')], 1);
    await publish(id);
    await putDraft(id, [text('secret')], 2);
    const after = await duplicate(id, viewer);
    expect(json((await getDraft(after.id, viewer)).fields)).toEqual([expect.objectContaining({ key: 'shown' })]);
    await expect(publish(after.id, viewer)).resolves.toMatchObject({ version: 1 });
  });

  it('of a form in a foreign workspace is unfiled and in the active workspace of its creator', async () => {
    const { id } = await createIn(folderIn(), owner);
    const home = newId();
    const guest = aUser({ instanceId, workspaceId: home, roles: { [home]: 'viewer' } });
    await grant(id, guest, 'editor');

    const copy = await duplicate(id, guest);

    expect(copy).toMatchObject({ role: 'owner' });
    expect(copy).not.toHaveProperty('folder_id');
    expect((await list({}, guest)).forms).toMatchObject([{ id: copy.id }]);
    await expect(access(copy.id)).resolves.toMatchObject({ workspace_id: home });
    await expect(get(copy.id, editor)).rejects.toEqual(refused('forbidden'));

    const both = { ...guest, roles: { ...guest.roles, [workspaceId]: 'viewer' as const } };
    await expect(access((await duplicate(id, both)).id)).resolves.toMatchObject({ workspace_id: workspaceId });
  });

  it('is refused to somebody whose active workspace is not theirs any more, and leaves nothing there', async () => {
    const { id } = await createIn(folderIn(), owner);
    const left = newId();
    const guest = aUser({ instanceId, workspaceId: left, roles: {} });
    await grant(id, guest, 'editor');
    await expect(duplicate(id, guest)).rejects.toEqual(
      refused('forbidden', /^You are not a member of any workspace that could hold the copy\.$/),
    );
    const admin = aUser({ instanceId, workspaceId: left, roles: { [left]: 'owner' } });
    expect((await list({}, admin)).forms).toEqual([]);
  });

  it('belongs to its creator, even a viewer, and is unfiled if they may not edit the folder', async () => {
    const { id } = await createIn(folderIn());

    const copy = await duplicate(id, viewer);

    expect(copy).toMatchObject({ role: 'owner' });
    expect(copy).not.toHaveProperty('folder_id');
    await expect(patch(copy.id, { title: 'Mine' }, viewer)).resolves.toMatchObject({ title: 'Mine' });
    await expect(get(copy.id, editor)).resolves.toMatchObject({ role: 'editor' });
  });

  it('made by a service account is owned by it and stays in the folder', async () => {
    const folder = folderIn();
    const copy = await duplicate((await createIn(folder)).id, robot);
    expect(copy).toMatchObject({ role: 'owner', folder_id: folder });
    await expect(trash(copy.id, robot)).resolves.toBeDefined();
  });

  it('can be made of a form in the trash, and is active', async () => {
    const { id } = await create();
    await trash(id);
    await expect(duplicate(id, owner)).resolves.toMatchObject({ status: 'active' });
  });

  it('is unfiled if the folder was deleted, even before the event arrives', async () => {
    const folder = folderIn();
    const { id } = await createIn(folder);
    service.folders.delete(folder);
    await expect(duplicate(id)).resolves.not.toHaveProperty('folder_id');
  });
});
