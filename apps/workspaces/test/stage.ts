import type { Broker } from '@sheaf/events';
import { newId, type Caller, type User, type WorkspaceRole } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { aUser, callAs, eachOnce, TestClock } from '@sheaf/testing';
import { cheapHash } from './cheap-hash';
import { startService } from './service';

export const clock = new TestClock();
export const instanceId = newId();
export const workspaceId = newId();
export const ownerId = newId();
export const password = 'correct horse battery';
export let db: Database;
export let broker: Broker;
export let client: Client<WorkspacesDefinition>;

/** Runs the service during the tests of a file, with one instance that has a workspace and its owner, Olga, who also owns the instance. */
export function useService(): void {
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ db, broker, client, stop } = await startService(clock));
    await db('instance').insert({ id: instanceId, name: 'Test', created_at: clock.now() });
    await newWorkspace(workspaceId);
    await newPerson(ownerId, { [workspaceId]: 'owner' }, 'olga@example.org');
    await db('instance_member').insert({ instance_id: instanceId, person_id: ownerId, role: 'owner', created_at: clock.now() });
  });
  afterAll(() => stop());
}

export async function newWorkspace(id = newId()): Promise<string> {
  const now = clock.now();
  await db('workspace').insert({ id, instance_id: instanceId, name: 'Main', slug: id, color: '', created_at: now, updated_at: now });
  return id;
}

/** Creates a person with a password and these roles; the first workspace is their default. */
export async function newPerson(id: string, roles: Record<string, WorkspaceRole>, email = `${id}@example.org`): Promise<User> {
  const now = clock.now();
  await db('person').insert({
    id,
    instance_id: instanceId,
    email,
    name: 'Olga',
    avatar_url: '',
    password_hash: await cheapHash(password),
    created_at: now,
  });
  for (const [index, [workspace_id, role]] of Object.entries(roles).entries()) {
    await db('member').insert({ workspace_id, instance_id: instanceId, person_id: id, role, is_default: index === 0, created_at: now });
  }
  return aUser({ id, instanceId, roles, via: 'session' });
}

export const gateway: Caller = { kind: 'service', id: 'gateway' };
export const owner = (): User =>
  aUser({ id: ownerId, instanceId, workspaceId, roles: { [workspaceId]: 'owner' }, instanceRole: 'owner', via: 'session' });
export const authenticate = (credential: string, instance_id = instanceId) =>
  client.authenticate(callAs(gateway), { instance_id, credential });
export const signIn = (email = 'olga@example.org', withPassword = password) =>
  client.signIn(callAs(gateway), { instance_id: instanceId, email, password: withPassword });

/** A patch as the gateway sends it: null is a name without a value. */
export const patched = (patch: object) => ({
  patch: Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null)),
  set: Object.keys(patch),
});

/** The bodies of the events that the service publishes from now on. */
export async function recordEvents(subject = 'sheaf.events.workspaces.>'): Promise<string[]> {
  const bodies: string[] = [];
  broker.listen(subject, { onEvent: eachOnce((event) => bodies.push(event.body)), onGap: () => undefined });
  await broker.connection.flush();
  return bodies;
}
