import { newId } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, TestClock } from '@sheaf/testing';
import { createInstance } from '../src/instances/create-instance';
import { startService } from './service';

const clock = new TestClock();
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService(clock);
});
afterAll(() => service.stop());

const anInstance = async (slug: string) => {
  const { user, workspace_id } = await service.db.transaction((trx) =>
    createInstance(
      trx,
      { name: slug, workspace: { name: slug, slug }, owner: { name: `Owner of ${slug}`, email: `owner@${slug}.example` } },
      clock.now(),
    ),
  );
  const { instance_id } = (await service
    .db<{ id: string; instance_id: string }>('workspace')
    .where({ id: workspace_id })
    .first('instance_id')) ?? { instance_id: '' };
  return {
    instanceId: instance_id,
    workspaceId: workspace_id,
    person: { id: user.id, name: `Owner of ${slug}`, email: `owner@${slug}.example`, roles: { [workspace_id]: 'owner' } },
  };
};

it('findPeople returns only members of the instance, with their roles, in one statement for many ids', async () => {
  const [here, there] = [await anInstance('here'), await anInstance('there')];
  const find = async (as: Parameters<typeof callAs>[0], ...ids: string[]) => (await service.client.findPeople(callAs(as), { ids })).people;
  const everybody = [here.person.id, there.person.id, newId(), 'nonsense', '', here.person.id];

  for (const as of [aUser({ instanceId: here.instanceId }), aServiceAccount({ instanceId: here.instanceId })]) {
    await expect(find(as, ...everybody)).resolves.toEqual([here.person]);
  }
  await expect(find(aUser({ instanceId: there.instanceId }), ...everybody)).resolves.toEqual([there.person]);
  await expect(find(aUser({ instanceId: here.instanceId }))).resolves.toEqual([]);
  await expect(find({ kind: 'respondent', instanceId: here.instanceId }, ...everybody)).rejects.toMatchObject({ code: 'forbidden' });

  await service.db('member').where({ person_id: here.person.id }).delete();
  await expect(find(aUser({ instanceId: here.instanceId }), here.person.id)).resolves.toEqual([]);
});

it('findPersonByEmail returns the member of the instance with this address, whatever its case', async () => {
  const [here, there] = [await anInstance('near'), await anInstance('far')];
  const find = async (as: Parameters<typeof callAs>[0], email: string) =>
    (await service.client.findPersonByEmail(callAs(as), { email })).people;
  const as = aUser({ instanceId: here.instanceId });

  await expect(find(as, 'Owner@Near.example')).resolves.toEqual([here.person]);
  await expect(find(as, there.person.email)).resolves.toEqual([]);
  await service.db('member').where({ person_id: here.person.id }).delete();
  await expect(find(as, here.person.email)).resolves.toEqual([]);
});
