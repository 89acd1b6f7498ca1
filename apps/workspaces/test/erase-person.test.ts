import { commandOutbox } from '@sheaf/events';
import { newId, operatorIn, type User } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aUser, callAs, connectionsDieAt, eventually, refused } from '@sheaf/testing';
import { erasePerson } from '../src/people/erase-person';
import { forgetErased } from '../src/people/forget-addresses';
import { storeFromEvery } from '../src/store-from-every';
import {
  authenticate,
  client,
  clock,
  db,
  instanceId,
  newPerson,
  newWorkspace,
  owner,
  password,
  signIn,
  useService,
  workspaceId,
} from './stage';

useService();

const address = '198.51.100.7';
const from = (as: User) => ({ ...callAs(as), address });
const erase = (id: string, as: User = owner()) => client.erasePerson(callAs(as), { id });
const eraseSelf = (as: User, given = password) => client.eraseProfile(from(as), { password: given });
const bodiesOf = async (...subjects: string[]) =>
  (
    await db<{ subject: string; type: string; body: string; position: number }>('outbox').whereIn('subject', subjects).orderBy('position')
  ).map(({ type, body }) => [type, JSON.parse(body) as Record<string, unknown>] as const);
const forget = () => forgetErased({ db, outbox: commandOutbox(db), clock });
/** Stores the audit log entries that the service has recorded so far. */
const storeAudit = async () => {
  const rows = await db<Record<string, unknown> & { type: string }>('outbox').where({ type: 'audit.recorded' }).orderBy('position');
  await storeFromEvery(
    { db },
    silentLog(),
    rows.map(({ id, type, instance_id, subject, occurred_at, body }) => ({
      id: id as string,
      type: type as 'audit.recorded',
      instanceId: instance_id as string,
      subject: subject as string,
      occurredAt: occurred_at as Date,
      body: body as string,
    })),
  );
};
/** Everything that is stored anywhere, except for events that wait to be sent. */
const tablesWith = async (text: string): Promise<string[]> => {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: with_ } = await db.raw<{ rows: unknown[] }>('select from ?? as r where r::text ilike ? limit 1', [name, `%${text}%`]);
    if (with_.length > 0) found.push(name);
  }
  return found;
};

describe('an erased person', () => {
  it('leaves nothing but their id, and their sessions, keys and invitations have ended', async () => {
    const id = newId();
    const email = `${id}@gone.example`;
    const other = await newWorkspace();
    const person = await newPerson(id, { [workspaceId]: 'editor', [other]: 'viewer' }, email);
    await client.updateProfile(callAs(person), { patch: { name: 'Gone Girl' }, set: ['name'] });
    const { token } = await client.signIn(
      { ...callAs({ kind: 'service', id: 'gateway' }), address },
      { instance_id: instanceId, email, password },
    );
    const { key } = await client.createApiKey(callAs(person), { name: 'Key of Gone Girl' });
    expect((await db('sign_in_place').whereNotNull('account')).length).toBe(1);

    const everywhere = aUser({ ...owner(), roles: { [workspaceId]: 'owner', [other]: 'owner' } });
    await erase(id, everywhere);

    for (const credential of [token, key ?? '']) await expect(authenticate(credential)).rejects.toEqual(refused('unauthorized'));
    await expect(signIn(email)).rejects.toEqual(refused('unauthorized'));
    for (const text of [email, 'Gone Girl']) expect(await tablesWith(text)).toEqual([]);
    expect((await tablesWith(id)).filter((table) => table !== 'outbox')).toEqual(['erased_person']);
    expect(await db('sign_in_place').whereNotNull('account')).toEqual([]);
    await expect(erase(id, everywhere)).rejects.toEqual(refused('not_found'));
  });

  it('is announced to the services that know their id, after their roles have ended, and to the audit log', async () => {
    const { id } = await newPerson(newId(), { [workspaceId]: 'viewer' });
    const { erasure_id } = await erase(id);
    expect(await bodiesOf(id)).toMatchObject([
      ['standing.changed', { id, roles: {} }],
      ['person.erased', { erasure_id, person_id: id }],
      ['audit.recorded', { action: 'person.erased', target: { kind: 'user', id }, details: { erasure: erasure_id } }],
    ]);
    expect(await bodiesOf(erasure_id)).toMatchObject([
      ['erasure.begun', { kind: 'person', target_id: id, reason: 'requested', awaited: ['workspaces', 'forms', 'hooks'] }],
    ]);
  });

  it.each(['before delete on member', 'before delete on person', 'before insert on outbox'])(
    'is there as before if the process died %s',
    async (point) => {
      const { id } = await newPerson(newId(), { [workspaceId]: 'viewer' });
      const breaking = await connectionsDieAt(db, point);
      await expect(erase(id)).rejects.toMatchObject({ code: 'unavailable' });
      await eventually(async () => expect(await breaking.deaths()).toBe(1));
      await breaking.end();
      await expect(signIn(`${id}@example.org`)).resolves.toMatchObject({ user: { id } });
      await erase(id);
    },
  );
});

describe('the audit log', () => {
  const anErasedPerson = async () => {
    const { id } = await newPerson(newId(), { [workspaceId]: 'editor' });
    const call = { ...callAs({ kind: 'service', id: 'gateway' }), address };
    await client.signIn(call, { instance_id: instanceId, email: `${id}@example.org`, password });
    await client.signIn(call, { instance_id: instanceId, email: `${id}@example.org`, password: 'wrong' }).catch(() => undefined);
    await storeAudit();
    const entries = () =>
      db<{ actor_id: string; target_id: string; address: string | null }>('audit_entry').where({ actor_id: id }).orWhere({ target_id: id });
    expect((await entries()).filter((entry) => entry.address === address)).toHaveLength(2);
    const { erasure_id } = await erase(id);
    return { entries, erasure_id };
  };

  it('keeps the entries of an erased person, without their IP addresses, and this is confirmed', async () => {
    const { entries, erasure_id } = await anErasedPerson();
    await forget();
    expect((await entries()).map((entry) => entry.address)).toEqual([null, null]);
    expect(await forget()).toBe(0);
    clock.advance(5_000);
    expect(await forget()).toBeGreaterThan(0);
    expect((await bodiesOf(erasure_id)).at(-1)).toMatchObject([
      'erasure.confirmed',
      { service: 'workspaces', counts: { people: 1, addresses: 2 } },
    ]);
    expect(await forget()).toBe(0);
  });

  it('stores entries that arrive later without the address', async () => {
    const { id } = await newPerson(newId(), { [workspaceId]: 'editor' });
    await client.updateProfile(from(aUser({ id, instanceId })), { patch: { name: 'Ada' }, set: ['name'] });
    await erase(id);
    await storeAudit();
    const entry = await db<{ actor_id: string; address: string | null }>('audit_entry').where({ actor_id: id }).first();
    expect(entry).toMatchObject({ action: 'profile.updated', address: null });
  });

  it('stores a failed sign-in to their account that arrives later without the address', async () => {
    const { id } = await newPerson(newId(), { [workspaceId]: 'editor' });
    const call = { ...callAs({ kind: 'service', id: 'gateway' }), address };
    await expect(client.signIn(call, { instance_id: instanceId, email: `${id}@example.org`, password: 'wrong' })).rejects.toEqual(
      refused('unauthorized'),
    );
    await erase(id);
    await storeAudit();
    const entries = db<{ action: string; target_id: string; address: string | null }>('audit_entry');
    expect(await entries.where({ action: 'session.failed', target_id: id })).toMatchObject([{ address: null }]);
  });

  it.each(['before update on audit_entry', 'before update on erased_person', 'before insert on outbox'])(
    'loses the addresses in the next round if the process died %s',
    async (point) => {
      const { entries, erasure_id } = await anErasedPerson();
      clock.advance(5_000);
      const breaking = await connectionsDieAt(db, point);
      await expect(forget()).rejects.toThrow();
      await breaking.end();
      await forget();
      expect((await entries()).map((entry) => entry.address)).toEqual([null, null]);
      expect((await bodiesOf(erasure_id)).at(-1)).toMatchObject(['erasure.confirmed', { counts: { addresses: 2 } }]);
    },
  );

  it('loses no address of a person who was not erased', async () => {
    const { id } = await newPerson(newId(), { [workspaceId]: 'editor' });
    await expect(db.raw('select forget_audit_addresses(?, ?, 10)', [instanceId, id])).rejects.toThrow('the person was not erased');
  });
});

describe('erasing a person', () => {
  it('is for those who run the instance, and for nobody by right of a role in their workspaces', async () => {
    const elsewhere = await newWorkspace();
    const { id } = await newPerson(newId(), { [workspaceId]: 'editor', [elsewhere]: 'editor' });
    const ofWorkspaces = aUser({ instanceId, roles: { [workspaceId]: 'owner', [elsewhere]: 'owner' } });
    await expect(erase(id, ofWorkspaces)).rejects.toEqual(refused('forbidden'));
    const elsewhereToo = aUser({ instanceId: newId(), roles: { [workspaceId]: 'owner' }, instanceRole: 'owner' });
    await expect(erase(id, elsewhereToo)).rejects.toEqual(refused('not_found'));
    await erase(id, aUser({ instanceId, instanceRole: 'admin' }));
  });

  it('of an owner of the instance is for another one, and refused for the last', async () => {
    const { id } = await newPerson(newId(), { [workspaceId]: 'viewer' });
    await db('instance_member').insert({ instance_id: instanceId, person_id: id, role: 'owner', created_at: clock.now() });
    await expect(erase(id, aUser({ instanceId, instanceRole: 'admin' }))).rejects.toEqual(refused('forbidden'));
    await db('instance_member').where({ person_id: owner().id }).update({ role: 'admin' });
    await expect(erase(id)).rejects.toEqual(refused('conflict', /last owner of the instance/));
    await expect(eraseSelf(aUser({ id, instanceId }))).rejects.toEqual(refused('conflict', /last owner of the instance/));
    await db('instance_member').where({ person_id: owner().id }).update({ role: 'owner' });
    await erase(id);
    expect(await db('instance_member').where({ person_id: id })).toEqual([]);
  });

  it('is refused for the last owner of a workspace, and names it', async () => {
    const alone = await newWorkspace();
    await db('workspace').where({ id: alone }).update({ name: 'Field work' });
    const person = await newPerson(newId(), { [alone]: 'owner' });
    await expect(erase(person.id)).rejects.toEqual(refused('conflict', /Field work/));
    await expect(eraseSelf(person)).rejects.toEqual(refused('conflict', /Field work/));
  });

  it('leaves one of two owners who erase each other at the same time', async () => {
    const both = await newWorkspace();
    const [one, two] = [await newPerson(newId(), { [both]: 'owner' }), await newPerson(newId(), { [both]: 'owner' })];
    const results = await Promise.allSettled([erase(one.id), erase(two.id)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await db('member').where({ workspace_id: both })).toHaveLength(1);
  });
});

describe('erasing oneself', () => {
  it('needs the password, and is done under the own name without an IP address', async () => {
    const person = await newPerson(newId(), { [workspaceId]: 'viewer' });
    await expect(erase(person.id, person)).rejects.toEqual(refused('forbidden'));
    await expect(erase(owner().id)).rejects.toEqual(refused('bad_request', /^id: must be another person/));
    await expect(eraseSelf(person, 'wrong')).rejects.toEqual(refused('bad_request', /^password: /));
    const { erasure_id } = await eraseSelf(person);
    const [, audit] = (await bodiesOf(person.id)).at(-1) ?? [];
    expect(audit).toMatchObject({ action: 'person.erased', actor: { id: person.id } });
    expect(audit).not.toHaveProperty('address');
    expect(await bodiesOf(erasure_id)).toMatchObject([['erasure.begun', { reason: 'person' }]]);
  });
});

it('the operator erases any person but the last owner of a workspace, and is the actor', async () => {
  const asOperator = (id: string) =>
    erasePerson({ outbox: commandOutbox(db), clock }, { caller: operatorIn(instanceId), call: { requestId: newId() } }, { id });
  const { id } = await newPerson(newId(), { [workspaceId]: 'owner' });
  await asOperator(id);
  expect((await bodiesOf(id)).at(-1)).toMatchObject([
    'audit.recorded',
    { action: 'person.erased', actor: { kind: 'service', id: 'operator' } },
  ]);
  await expect(asOperator(owner().id)).rejects.toEqual(refused('conflict'));
  await expect(asOperator('nonsense')).rejects.toEqual(refused('not_found'));
});
