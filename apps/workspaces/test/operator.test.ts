import { commandOutbox, type Broker } from '@sheaf/events';
import { newId, operatorIn, type Caller } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { callAs, eventually, refused, TestClock } from '@sheaf/testing';
import { addMember } from '../src/members/add-member';
import { createWorkspaceFor } from '../src/workspace/create-workspace';
import type { CommandDeps } from '../src/deps';
import { createInstance } from '../src/instances/create-instance';
import { recordRestore } from '../src/instances/record-restore';
import { setPassword } from '../src/sessions/set-password';
import { startService } from './service';

const clock = new TestClock();
const gateway: Caller = { kind: 'service', id: 'gateway' };
const password = 'correct horse battery';
let db: Database;
let broker: Broker;
let client: Client<WorkspacesDefinition>;
let stop: () => Promise<void>;
/** The dependencies of a command: the running service publishes the events of its outbox. */
let deps: CommandDeps;

beforeAll(async () => {
  ({ db, broker, client, stop } = await startService(clock));
  deps = { db, outbox: commandOutbox(db), clock, settings: { INVITATION_DAYS: 7, SLUG_QUARANTINE_DAYS: 90 } };
});
afterAll(() => stop());

const newInstance = async (email = `${newId()}@example.org`) => {
  const slug = newId();
  return db.transaction((trx) =>
    createInstance(trx, { name: 'Acme', workspace: { name: 'Acme', slug }, owner: { name: 'Olga', email } }, clock.now()),
  );
};
const by = (instanceId: string) => ({ caller: operatorIn(instanceId), call: { requestId: newId() } });
const signIn = (instanceId: string, email: string, given = password) =>
  client.signIn(callAs(gateway), { instance_id: instanceId, email, password: given });
const authenticate = (instanceId: string, credential: string) =>
  client.authenticate(callAs(gateway), { instance_id: instanceId, credential });
const entriesAbout = (target: string) =>
  db<{ type: string; subject: string; position: number; body: string; instance_id: string }>('outbox')
    .where({ type: 'audit.recorded', subject: target })
    .orderBy('position');

describe('a password set by the operator', () => {
  it('is refused for a user that does not exist in this instance', async () => {
    const [{ instance_id }, other] = [await newInstance(), await newInstance()];
    for (const email of ['nobody@example.org', other.user.email])
      await expect(setPassword(deps, by(instance_id), { email, password })).rejects.toEqual(refused('not_found', /There is no such user/));
    await expect(signIn(other.instance_id, other.user.email, other.user.password)).resolves.toHaveProperty('token');
  });

  it('ends only the sessions of this user in this instance', async () => {
    const first = await newInstance();
    const second = await newInstance(first.user.email);
    const sessions = await Promise.all([first, second].map(({ instance_id, user }) => signIn(instance_id, user.email, user.password)));

    await setPassword(deps, by(first.instance_id), { email: first.user.email.toUpperCase(), password });

    await expect(authenticate(first.instance_id, sessions[0]?.token ?? '')).rejects.toEqual(refused('unauthorized'));
    await expect(signIn(first.instance_id, first.user.email, first.user.password)).rejects.toEqual(refused('unauthorized'));
    await expect(signIn(first.instance_id, first.user.email)).resolves.toHaveProperty('token');
    await expect(authenticate(second.instance_id, sessions[1]?.token ?? '')).resolves.toMatchObject({ id: second.user.id });
    const told = (await entriesAbout(first.user.id))
      .filter(({ body }) => body.includes('password.changed'))
      .map(({ instance_id, body }) => ({ instance_id, ...(JSON.parse(body) as object) }));
    expect(told).toMatchObject([
      { instance_id: first.instance_id, action: 'password.changed', actor: { kind: 'service', id: 'operator' } },
    ]);
  });

  it('keeps API keys valid and ends the invitation', async () => {
    const { instance_id, workspace_id, api_key, user } = await newInstance();
    await setPassword(deps, by(instance_id), { email: user.email, password });
    await expect(authenticate(instance_id, api_key)).resolves.toMatchObject({ id: user.id });

    const email = `${newId()}@example.org`;
    const { invitation } = await addMember(deps, by(instance_id), { workspaceId: workspace_id, email, name: undefined, role: 'viewer' });
    await setPassword(deps, by(instance_id), { email, password });
    const accept = client.acceptInvitation(callAs(gateway), {
      instance_id,
      token: invitation?.token ?? '',
      name: 'Somebody else',
      password,
    });
    await expect(accept).rejects.toEqual(refused('not_found'));
  });

  it('is known to every process when the command ends', async () => {
    const { instance_id, user } = await newInstance();
    const told: string[] = [];
    const subscription = broker.connection.subscribe('sheaf.>', { callback: (_, message) => void told.push(message.string()) });
    await setPassword(deps, by(instance_id), { email: user.email, password });
    await eventually(() => expect(told.filter((body) => body.includes('principal_ids') && body.includes(user.id))).toHaveLength(1));
    expect(await db('outbox').where({ type: 'access.changed' }).where('body', 'like', `%${user.id}%`)).toEqual([]);
    subscription.unsubscribe();
  });
});

describe('a workspace created by the operator', () => {
  it('has an owner, who is invited only if they cannot sign in yet', async () => {
    const { instance_id, user } = await newInstance();
    const fresh = await createWorkspaceFor(deps, by(instance_id), {
      name: 'Surveys',
      owner: { email: `${newId()}@example.org`, name: 'Ada' },
    });
    expect(fresh).toMatchObject({
      workspace: { name: 'Surveys', instance_id },
      owner: { name: 'Ada' },
      invitationToken: expect.any(String) as unknown,
    });

    const known = await createWorkspaceFor(deps, by(instance_id), {
      name: 'Surveys',
      owner: { email: user.email.toUpperCase(), name: 'Not Olga' },
    });
    expect(known).toMatchObject({ owner: { id: user.id, name: 'Olga' }, invitationToken: undefined });
    expect(known.workspace.slug).not.toBe(fresh.workspace.slug);
  });

  it('is not created, and no invitation is made, under a slug that is taken', async () => {
    const { instance_id } = await newInstance();
    const email = `${newId()}@example.org`;
    const { workspace } = await createWorkspaceFor(deps, by(instance_id), {
      name: 'Surveys',
      owner: { email: `${newId()}@example.org`, name: undefined },
    });
    await expect(
      createWorkspaceFor(deps, by(instance_id), { name: 'Other', slug: workspace.slug, owner: { email, name: undefined } }),
    ).rejects.toEqual(refused('bad_request'));
    expect(await db('person').where({ email })).toEqual([]);
  });
});

it('the operator may add an owner, and the first audit log entry of an instance is its creation', async () => {
  const { instance_id, workspace_id } = await newInstance();
  const { role } = await addMember(deps, by(instance_id), {
    workspaceId: workspace_id,
    email: `${newId()}@example.org`,
    name: undefined,
    role: 'owner',
  });
  expect(role).toBe('owner');
  expect(await entriesAbout(instance_id)).toMatchObject([{ instance_id }]);
});

it('a restore from a backup is in the audit log of each instance, with the time of the backup', async () => {
  const instances = [await newInstance(), await newInstance()];
  await recordRestore(deps, new Date('2026-11-26T10:00:00Z'));
  for (const { instance_id: id } of instances) {
    const entries = await entriesAbout(id);
    const { body, instance_id: instanceId } = entries.at(-1) ?? {};
    expect(instanceId).toBe(id);
    expect(JSON.parse(body ?? '')).toMatchObject({
      action: 'instance.restored',
      actor: { kind: 'service', id: 'operator' },
      details: { backup_at: '2026-11-26T10:00:00.000Z' },
    });
  }
});
