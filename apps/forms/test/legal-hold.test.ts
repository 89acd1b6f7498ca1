import type { Client as Person, FormRole, User } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, refused } from '@sheaf/testing';
import {
  client,
  create,
  folderIn,
  getSettings,
  grant,
  instanceId,
  member,
  owner,
  putSettings,
  service,
  useService,
  workspaceId,
} from './stage';

useService();

const onlyOthers = refused(
  'forbidden',
  'A legal hold is lifted by owners and admins of the workspace, owners by a grant, and those who run the instance; having created the form is not enough.',
);
const lift = (id: string, as: Person) => putSettings(id, { legal_hold: false }, as);
const isHeld = async (id: string) => ((await getSettings(id, owner)) as { legal_hold?: boolean }).legal_hold === true;

/** A form under legal hold whose creator, an editor, has become a viewer. */
async function heldForm(): Promise<{ id: string; creator: User }> {
  const creator = member('editor');
  const { id } = await create('Evidence', creator);
  await putSettings(id, { legal_hold: true }, owner);
  return { id, creator: { ...creator, roles: { [workspaceId]: 'viewer' } } };
}

describe('a legal hold', () => {
  it('is not lifted by whoever only created the form, whatever they are in its workspace besides its owner', async () => {
    const { id, creator } = await heldForm();
    for (const as of [creator, { ...creator, roles: { [workspaceId]: 'editor' } } as const]) {
      for (const legal_hold of [false, null]) await expect(putSettings(id, { legal_hold }, as)).rejects.toEqual(onlyOthers);
      await expect(putSettings(id, { legal_hold: false, retention: null }, as)).rejects.toEqual(onlyOthers);
    }
    expect(await putSettings(id, { legal_hold: true, retention: { trash_days: 9 } }, creator)).toMatchObject({ legal_hold: true });

    const robot = aServiceAccount({ instanceId });
    const { id: itsOwn } = await client.createForm(callAs(robot), { folder_id: folderIn() });
    await putSettings(itsOwn, { legal_hold: true }, robot);
    await expect(lift(itsOwn, robot)).rejects.toEqual(onlyOthers);
    expect([await isHeld(id), await isHeld(itsOwn)]).toEqual([true, true]);
  });

  it.each<[string, (id: string, creator: User) => Person | Promise<Person>]>([
    ['an owner of the workspace', () => owner],
    ['an admin of the workspace', () => member('admin')],
    ['the creator as an owner of the workspace', (_, creator) => ({ ...creator, roles: { [workspaceId]: 'owner' } })],
    ['an owner by a grant', (id) => granted(id, 'owner')],
    ['the creator, running the instance', (_, creator) => ({ ...creator, instanceRole: 'admin' })],
    ['a viewer who runs the instance', () => ({ ...member('viewer'), instanceRole: 'owner' })],
  ])('is lifted by %s', async (_, who) => {
    const { id, creator } = await heldForm();
    await lift(id, await who(id, creator));
    expect(await isHeld(id)).toBe(false);
  });

  it.each<[string, (id: string) => Person | Promise<Person>]>([
    ['an editor', () => member('editor')],
    ['an editor by a grant', (id) => granted(id, 'editor')],
    ['somebody who runs the instance without a role on the form', () => aUser({ instanceId, instanceRole: 'owner' })],
  ])('is not lifted by %s', async (_, who) => {
    const { id } = await heldForm();
    await expect(lift(id, await who(id))).rejects.toEqual(refused('forbidden'));
    expect(await isHeld(id)).toBe(true);
  });

  it('is changed alone by those who run the instance and do not own the form', async () => {
    const { id } = await heldForm();
    const viewer: User = { ...member('viewer'), instanceRole: 'owner' };
    await expect(putSettings(id, { legal_hold: false, retention: null }, viewer)).rejects.toEqual(refused('forbidden'));
    await lift(id, viewer);
    await expect(putSettings(id, { legal_hold: true }, viewer)).rejects.toEqual(refused('forbidden'));
  });

  it('is not escaped by a grant of owner that the creator gives to themselves, or to somebody else', async () => {
    const { id, creator } = await heldForm();
    const friend = aUser({ instanceId });
    for (const { id: user_id } of [creator, friend]) {
      service.people.set(user_id, { instanceId, name: 'Somebody', email: `${user_id}@example.org` });
      await expect(client.putGrant(callAs(creator), { form_id: id, user_id, role: 'owner' })).rejects.toEqual(refused('forbidden'));
      await expect(client.addGrant(callAs(creator), { form_id: id, email: `${user_id}@example.org`, role: 'owner' })).rejects.toEqual(
        refused('forbidden'),
      );
      await client.putGrant(callAs(creator), { form_id: id, user_id, role: 'editor' });
    }
    await expect(lift(id, creator)).rejects.toEqual(onlyOthers);
    expect(await client.putGrant(callAs(owner), { form_id: id, user_id: friend.id, role: 'owner' })).toMatchObject({ role: 'owner' });
    await lift(id, friend);
  });
});

async function granted(id: string, role: FormRole): Promise<Person> {
  const person = aUser({ instanceId });
  await grant(id, person, role);
  return person;
}
