import { newId, type User } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { aUser, callAs, refused, TestClock } from '@sheaf/testing';
import { sweep } from '../src/sweep';
import { startService } from './service';

const clock = new TestClock();
const gateway = { kind: 'service', id: 'gateway' } as const;

let db: Database;
let client: Client<WorkspacesDefinition>;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ db, client, stop } = await startService(clock));
});
afterAll(() => stop());

interface Place {
  instanceId: string;
  workspaceId: string;
  owner: User;
}

async function newWorkspace(on: Database, instance_id: string): Promise<string> {
  const id = newId();
  await on('workspace').insert({ id, instance_id, name: 'Main', slug: id, color: '', created_at: clock.now(), updated_at: clock.now() });
  return id;
}

async function aPlace(on: Database): Promise<Place> {
  const instanceId = newId();
  await on('instance').insert({ id: instanceId, name: 'Test', created_at: clock.now() });
  const workspaceId = await newWorkspace(on, instanceId);
  return { instanceId, workspaceId, owner: aUser({ instanceId, roles: { [workspaceId]: 'owner' }, via: 'session' }) };
}

/** Creates an instance with a workspace and its owner. */
async function anInstance(): Promise<Place> {
  const place = await aPlace(db);
  const {
    instanceId: instance_id,
    workspaceId: workspace_id,
    owner: { id },
  } = place;
  await db('person').insert({
    id,
    instance_id,
    email: `${id}@example.org`,
    name: 'Olga',
    avatar_url: '',
    password_hash: 'x',
    created_at: clock.now(),
  });
  await db('member').insert({ workspace_id, instance_id, person_id: id, role: 'owner', is_default: true, created_at: clock.now() });
  return place;
}

const signIn = ({ instanceId }: Place, email: string, password: string) =>
  client.signIn(callAs(gateway), { instance_id: instanceId, email, password });
const authenticate = ({ instanceId }: Place, credential: string) =>
  client.authenticate(callAs(gateway), { instance_id: instanceId, credential });
const add = async ({ owner, workspaceId }: Place, email: string, workspace_id = workspaceId) => {
  const { member, invitation_token: token = '' } = await client.addMember(
    callAs({ ...owner, roles: { ...owner.roles, [workspace_id]: 'owner' } }),
    { workspace_id, email, role: 'editor' },
  );
  return { id: member?.user_id ?? '', token };
};
const accept = ({ instanceId }: Place, token: string, password: string) =>
  client.acceptInvitation(callAs(gateway), { instance_id: instanceId, token, name: 'Vera', password });
const remove = ({ owner, workspaceId }: Place, user_id: string) =>
  client.removeMember(callAs(owner), { workspace_id: workspaceId, user_id });

describe('an address', () => {
  it('belongs to a different person in each instance, so a person of one cannot accept an invitation of another', async () => {
    const [theirs, ours] = [await anInstance(), await anInstance()];
    const email = `vera-${newId()}@example.org`;
    const taken = await add(theirs, email);
    await accept(theirs, taken.token, 'the password of a stranger');

    const invited = await add(ours, email);
    expect(invited.id).not.toBe(taken.id);
    expect(invited.token).not.toBe('');
    await expect(accept(theirs, invited.token, 'the password of a stranger')).rejects.toEqual(refused('not_found'));
    await expect(signIn(ours, email, 'the password of a stranger')).rejects.toEqual(refused('unauthorized'));
    await accept(ours, invited.token, 'a good long password');

    await expect(signIn(ours, email, 'a good long password')).resolves.toMatchObject({ user: { id: invited.id } });
    await expect(signIn(ours, email, 'the password of a stranger')).rejects.toEqual(refused('unauthorized'));
    await expect(signIn(theirs, email, 'the password of a stranger')).resolves.toMatchObject({ user: { id: taken.id } });
  });

  it('is throttled in one instance only', async () => {
    const [theirs, ours] = [await anInstance(), await anInstance()];
    const email = `vera-${newId()}@example.org`;
    await accept(ours, (await add(ours, email)).token, 'a good long password');
    const code = (place: Place) =>
      signIn(place, email, 'wrong').then(
        () => 'in',
        (error: unknown) => (error as { code: string }).code,
      );
    for (let failures = 0; failures < 10; failures += 1) await code(theirs);
    expect(await code(theirs)).toBe('too_many_requests');
    await expect(signIn(ours, email, 'a good long password')).resolves.toMatchObject({ user: { email } });
  });
});

describe('a person who is removed', () => {
  async function aMember(place: Place) {
    const email = `${newId()}@example.org`;
    const { id, token } = await add(place, email);
    const session = await accept(place, token, 'a good long password');
    const asThem = aUser({ id, instanceId: place.instanceId, via: 'session' });
    const { key = '' } = await client.createApiKey(callAs(asThem), { name: 'CI' });
    return { id, email, credentials: [session.token, key] };
  }

  it('from their last workspace has no valid key or session until they are added again', async () => {
    const place = await anInstance();
    const { id, email, credentials } = await aMember(place);
    await remove(place, id);
    for (const credential of credentials) await expect(authenticate(place, credential)).rejects.toEqual(refused('unauthorized'));

    expect((await add(place, email)).id).toBe(id);
    for (const credential of credentials) await expect(authenticate(place, credential)).resolves.toMatchObject({ id });
  });

  it('from one of several workspaces keeps their keys and sessions', async () => {
    const place = await anInstance();
    const { id, email, credentials } = await aMember(place);
    const other = await newWorkspace(db, place.instanceId);
    await add(place, email, other);
    await remove(place, id);
    for (const credential of credentials)
      await expect(authenticate(place, credential)).resolves.toMatchObject({ id, roles: { [other]: 'editor' } });
  });

  it('before they accepted their invitation can no longer accept it', async () => {
    const place = await anInstance();
    const { id, token } = await add(place, `${newId()}@example.org`);
    await remove(place, id);
    await expect(accept(place, token, 'a good long password')).rejects.toEqual(refused('not_found'));
  });
});

describe('sessions and invitations', () => {
  it('are removed only after they have expired, in batches and by several processes at once', async () => {
    const place = await anInstance();
    const { id, token } = await add(place, `${newId()}@example.org`);
    const hours = (count: number) => new Date(clock.now().getTime() + count * 3_600_000);
    const session = (expires_at: Date, ended_at: Date | null = null) => ({
      id: newId(),
      instance_id: place.instanceId,
      person_id: id,
      created_at: hours(-9),
      expires_at,
      ended_at,
    });
    const good = session(hours(1));
    await db('session').insert([
      good,
      ...Array.from({ length: 1_200 }, () => session(hours(-1))),
      session(hours(1), hours(-1)),
      session(hours(-1), hours(-2)),
    ]);
    await db('invitation').insert({
      token_hash: Buffer.from(newId()),
      instance_id: place.instanceId,
      person_id: id,
      created_at: hours(-9),
      expires_at: hours(-1),
    });

    const removed = await Promise.all([
      sweep({ db, clock, settings: { SLUG_QUARANTINE_DAYS: 90 } }),
      sweep({ db, clock, settings: { SLUG_QUARANTINE_DAYS: 90 } }),
    ]);

    expect(removed[0] + removed[1]).toBeGreaterThanOrEqual(1_203);
    expect(await db('session').where({ person_id: id }).select('id')).toEqual([{ id: good.id }]);
    await expect(accept(place, token, 'a good long password')).resolves.toMatchObject({ user: { id } });
    expect(await sweep({ db, clock, settings: { SLUG_QUARANTINE_DAYS: 90 } })).toBe(0);
  });
});
