import { newId } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, refused } from '@sheaf/testing';
import {
  client,
  create,
  editor,
  instanceId,
  member,
  outsider,
  owner,
  robot,
  service,
  stranger,
  useService,
  viewer,
  workspaceId,
} from './stage';

useService();

const roleOf = async (form_id: string, user_id: string, as: Parameters<typeof callAs>[0] = owner) =>
  (await client.getPersonRole(callAs(as), { form_id, user_id })).role;
const known = (roles: Record<string, string>, instance = instanceId) => {
  const { id } = aUser({ instanceId: instance });
  service.people.set(id, { instanceId: instance, name: 'Grace', email: `${id}@example.org`, roles });
  return id;
};

it('the role of a person follows from the workspace, a grant, or both', async () => {
  const { id } = await create();
  expect(await roleOf(id, known({ [workspaceId]: 'admin' }))).toBe('owner');
  expect(await roleOf(id, known({ [workspaceId]: 'viewer' }))).toBe('viewer');
  expect(await roleOf(id, known({ [newId()]: 'owner' }))).toBeUndefined();
  const friend = known({ [newId()]: 'viewer' });
  await client.putGrant(callAs(owner), { form_id: id, user_id: friend, role: 'editor' });
  expect(await roleOf(id, friend)).toBe('editor');
  expect(await roleOf(id, known({ [workspaceId]: 'archivist' }))).toBeUndefined();
});

it('the role of somebody without a membership in the instance is none', async () => {
  const { id } = await create();
  for (const nobody of [newId(), 'nonsense', known({ [workspaceId]: 'owner' }, newId())]) expect(await roleOf(id, nobody)).toBeUndefined();
});

it('the role of a person is told to callers who may change submissions of the form', async () => {
  const { id } = await create();
  const somebody = known({ [workspaceId]: 'viewer' });
  for (const as of [owner, editor, robot, member('admin')]) expect(await roleOf(id, somebody, as)).toBe('viewer');
  for (const as of [viewer, outsider]) await expect(roleOf(id, somebody, as)).rejects.toEqual(refused('forbidden'));
  await expect(roleOf(id, somebody, stranger)).rejects.toEqual(refused('not_found'));
  await expect(roleOf(newId(), somebody)).rejects.toEqual(refused('not_found'));
});

it('the access to several forms is told without that to forms of another instance, or to forms that do not exist', async () => {
  const [one, two] = [(await create()).id, (await create()).id];
  const told = async (as: Parameters<typeof callAs>[0]) =>
    (await client.listFormAccess(callAs(as), { form_ids: [one, newId(), two, 'nonsense'] })).forms.map(({ form_id }) => form_id).sort();
  expect(await told(robot)).toEqual([one, two].sort());
  for (const as of [stranger, aServiceAccount({ instanceId: newId() })]) expect(await told(as)).toEqual([]);
});
