import { commandOutbox, type Broker } from '@sheaf/events';
import { newId, operatorIn, type Caller } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { brokerUrl, callAs, eventually, refused, TestClock } from '@sheaf/testing';
import { revokePersonKey } from '../src/credentials/api-keys';
import {
  createServiceAccount,
  createServiceAccountKey,
  deleteServiceAccount,
  revokeServiceAccountKey,
} from '../src/credentials/service-accounts';
import type { CommandDeps } from '../src/deps';
import { createInstance } from '../src/instances/create-instance';
import { addMember } from '../src/members/add-member';
import { replay } from '../src/operator/replay';
import { erasePerson } from '../src/people/erase-person';
import { startService } from './service';

const clock = new TestClock();
const gateway: Caller = { kind: 'service', id: 'gateway' };
const nats = { NATS_URL: brokerUrl() };
let db: Database;
let broker: Broker;
let client: Client<WorkspacesDefinition>;
let stop: () => Promise<void>;
let deps: CommandDeps;
beforeAll(async () => {
  ({ db, broker, client, stop } = await startService(clock));
  deps = { db, outbox: commandOutbox(db), clock, settings: { INVITATION_DAYS: 7, SLUG_QUARANTINE_DAYS: 90 } };
  await broker.ensureStream();
});
afterAll(() => stop());

const by = (instanceId: string) => ({ caller: operatorIn(instanceId), call: { requestId: newId() } });

it('ends again what was ended after the backup and is back, keys first, once, and nothing else', async () => {
  const { instance_id, workspace_id, api_key, user } = await db.transaction((trx) =>
    createInstance(
      trx,
      { name: 'Acme', workspace: { name: 'Acme', slug: newId() }, owner: { name: 'Olga', email: `${newId()}@example.org` } },
      clock.now(),
    ),
  );
  const aMember = () => ({ workspaceId: workspace_id, email: `${newId()}@example.org`, name: 'Mira', role: 'viewer' as const });
  const { person } = await addMember(deps, by(instance_id), aMember());
  const { person: mistaken } = await addMember(deps, by(instance_id), aMember());
  const erased = [person.id, mistaken.id];
  const keyId = (await db('api_key').where({ instance_id }).first<{ id: string }>('id')).id;
  const { account } = await createServiceAccount(deps, by(instance_id), { name: 'Importer', scopes: [] });
  const { row: replaced } = await createServiceAccountKey(deps, by(instance_id), { serviceAccountId: account.id, expiresAt: undefined });
  const { account: gone } = await createServiceAccount(deps, by(instance_id), { name: 'Former', scopes: [] });
  const since = clock.now();
  const backup = { people: await db('person').whereIn('id', erased), members: await db('member').whereIn('person_id', erased) };

  // Earlier entries were confirmed. The relay may hold some of them, in another order.
  await eventually(() => db('outbox').where({ type: 'audit.recorded' }).delete());

  clock.advance(1_000);
  for (const id of erased) await erasePerson(deps, by(instance_id), { id });
  await deleteServiceAccount(deps, by(instance_id), { id: gone.id });
  await revokeServiceAccountKey(deps, by(instance_id), { serviceAccountId: account.id, id: replaced.id });
  await revokePersonKey(deps, by(instance_id), user.id, keyId);
  const subjects = [keyId, account.id, gone.id, ...erased];
  await eventually(async () =>
    expect(await db('outbox').whereIn('subject', subjects).where({ type: 'audit.recorded', publications: 0 })).toEqual([]),
  );

  // The restore.
  await db('api_key').where({ instance_id }).update({ revoked_at: null });
  await db('service_account').where({ id: gone.id }).update({ deleted_at: null });
  await db('erased_person').whereIn('person_id', erased).delete();
  await db('person').insert(backup.people);
  await db('member').insert(backup.members);
  const authenticate = () => client.authenticate(callAs(gateway), { instance_id, credential: api_key });
  await expect(authenticate()).resolves.toMatchObject({ id: user.id });

  const ours = async (apply: boolean, except: string[] = []) => {
    const { ended } = await replay(deps, nats, { since, apply, except });
    return ended.filter((one) => one.instance_id === instance_id).map(({ action, id, done }) => ({ action, id, done }));
  };
  const all = (done: boolean) => [
    { action: 'api_key.revoked', id: keyId, done },
    { action: 'service_account.key_revoked', id: replaced.id, done },
    { action: 'service_account.deleted', id: gone.id, done },
    { action: 'person.erased', id: person.id, done },
  ];
  await expect(ours(false)).resolves.toEqual([...all(false), { action: 'person.erased', id: mistaken.id, done: false }]);
  await expect(authenticate()).resolves.toMatchObject({ id: user.id });
  await expect(ours(true, [mistaken.id])).resolves.toEqual(all(true));
  await expect(authenticate()).rejects.toEqual(refused('unauthorized'));
  await expect(db('person').whereIn('id', erased).pluck('id')).resolves.toEqual([mistaken.id]);
  // The account and its first key stay.
  const valid = db('api_key').where({ instance_id, revoked_at: null }).pluck('service_account_id');
  await expect(valid).resolves.toEqual([account.id]);
  await expect(ours(true, [mistaken.id])).resolves.toEqual([]);
});

it('goes on after a refusal, and says why', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => aRestoredErasure()));
  const { workspace_id, person } = first ?? { workspace_id: '', person: '' };
  // As it was before others became owners, and after the last of them had gone.
  await db('member').where({ workspace_id }).update({ role: 'viewer' });
  await db('member').where({ workspace_id, person_id: person }).update({ role: 'owner' });
  const { ended } = await replay(deps, nats, { since: first?.since ?? clock.now(), apply: true, except: [] });
  expect(ended.find(({ id }) => id === person)).toMatchObject({ done: false, refused: expect.stringContaining('last owner') as string });
  expect(ended.find(({ id }) => id === second?.person)).toMatchObject({ done: true });
});

/** A person who was erased, and is back. */
async function aRestoredErasure() {
  const { instance_id, workspace_id } = await db.transaction((trx) =>
    createInstance(
      trx,
      { name: 'Acme', workspace: { name: 'Acme', slug: newId() }, owner: { name: 'Olga', email: `${newId()}@example.org` } },
      clock.now(),
    ),
  );
  const member = { workspaceId: workspace_id, email: `${newId()}@example.org`, name: 'Mira', role: 'viewer' as const };
  const { person } = await addMember(deps, by(instance_id), member);
  const since = clock.now();
  const backup = { people: await db('person').where({ id: person.id }), members: await db('member').where({ person_id: person.id }) };
  await eventually(() => db('outbox').where({ subject: person.id }).delete());
  await erasePerson(deps, by(instance_id), { id: person.id });
  await eventually(async () =>
    expect(await db('outbox').where({ subject: person.id, type: 'audit.recorded', publications: 0 })).toEqual([]),
  );
  await db('erased_person').where({ person_id: person.id }).delete();
  await db('person').insert(backup.people);
  await db('member').insert(backup.members);
  return { workspace_id, person: person.id, since };
}

it('says that a stream which began after the backup cannot tell everything', async () => {
  const longAgo = new Date('2020-01-01T00:00:00Z');
  await expect(replay(deps, nats, { since: longAgo, apply: false, except: [] })).resolves.toMatchObject({ complete: false });
});
