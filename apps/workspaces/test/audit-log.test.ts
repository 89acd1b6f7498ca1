import { eventSources, type AuditAction } from '@sheaf/contracts';
import {
  audited,
  consume,
  outboxMigration,
  outboxTraceMigration,
  record,
  startRelay,
  type Actor,
  type Broker,
  type Deed,
} from '@sheaf/events';
import { newId, type User, type WorkspaceRole } from '@sheaf/kernel';
import { connectTo, type Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { silentLog } from '@sheaf/runtime';
import { aServiceAccount, aUser, callAs, eventually, freshDatabase, refused, TestClock, testProcess } from '@sheaf/testing';
import { removeOldEntries } from '../src/audit-log/audit-retention';
import { hashPassword } from '../src/sessions/password';
import { storeAudit } from '../src/audit-log/store-audit';
import { startService } from './service';

interface OutboxRow {
  id: string;
  type: string;
  instance_id: string;
  subject: string;
  occurred_at: Date;
  body: string;
}

const clock = new TestClock();
const own = testProcess('workspaces');
const ownerId = newId();
let passwordHash: string;
let instanceId: string;
let workspaceId: string;
let db: Database;
let broker: Broker;
let client: Client<WorkspacesDefinition>;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ db, broker, client, stop } = await startService(clock));
  passwordHash = await hashPassword('correct horse');
});
afterAll(async () => {
  await own.stop();
  await stop();
});

// Each test has its own instance.
beforeEach(async () => {
  [instanceId, workspaceId] = [newId(), newId()];
  const now = clock.now();
  await db('instance').insert({ id: instanceId, name: 'Test', created_at: now });
  await db('workspace').insert({
    id: workspaceId,
    instance_id: instanceId,
    name: 'Main',
    slug: workspaceId,
    color: '',
    created_at: now,
    updated_at: now,
  });
  await db('person').insert({
    id: ownerId,
    instance_id: instanceId,
    email: 'olga@example.org',
    name: 'Olga',
    avatar_url: '',
    password_hash: passwordHash,
    created_at: now,
  });
  await db('member').insert({
    workspace_id: workspaceId,
    instance_id: instanceId,
    person_id: ownerId,
    role: 'owner',
    is_default: true,
    created_at: now,
  });
});

const as = (role: WorkspaceRole, workspace = workspaceId): User =>
  aUser({ id: ownerId, instanceId, workspaceId: workspace, roles: { [workspace]: role }, via: 'session' });
const owner = () => as('owner');
const read = (filter: object = {}, who: User = owner()) => client.listAuditLog(callAs(who), { limit: 100, offset: 0, ...filter });
const actions = async (filter: object = {}, who?: User) => (await read(filter, who)).entries.map(({ action }) => action);
const entry = (deed: Partial<Deed> = {}, by: Actor = owner(), at = clock.now()) =>
  audited(
    { caller: by, call: { requestId: 'request-1', address: '203.0.113.7' } },
    { action: 'form.updated', target: { kind: 'form', id: newId() }, workspaceId, ...deed },
    at,
  );
const store = (...events: ReturnType<typeof entry>[]) => storeAudit({ db }, silentLog(), events);
/** The events that the service has recorded, as its consumer receives them. */
const storeRecorded = async () => {
  const rows = await db<OutboxRow>('outbox').where({ type: 'audit.recorded', instance_id: instanceId });
  await store(
    ...rows.map((row) => ({
      id: row.id,
      type: 'audit.recorded' as const,
      instanceId,
      subject: row.subject,
      occurredAt: row.occurred_at,
      body: row.body,
    })),
  );
};

describe('an entry', () => {
  it('contains actor, action, target, time and address', async () => {
    const [formId, session] = [newId(), owner()];
    await store(entry({ target: { kind: 'form', id: formId }, formId, details: { changed: ['title'] } }, session));

    const { entries, total } = await read();

    expect(total).toBe(1);
    expect({ ...entries[0], details: JSON.parse(entries[0]?.details?.toString() ?? '') as unknown }).toMatchObject({
      action: 'form.updated',
      actor: { kind: 'user', id: ownerId, name: 'Olga', email: 'olga@example.org', via: 'session', credential_id: session.credentialId },
      target: { kind: 'form', id: formId },
      workspace_id: workspaceId,
      form_id: formId,
      address: '203.0.113.7',
      request_id: 'request-1',
      details: { changed: ['title'] },
      occurred_at: clock.now().toISOString(),
    });
  });

  it('names service accounts and services, and no actor if none is known', async () => {
    const account = await client.createServiceAccount(callAs(owner()), { name: 'Importer', scopes: [] });
    await store(
      entry({}, aServiceAccount({ id: account.id, instanceId })),
      entry({}, { kind: 'service', id: 'delivery', instanceId }),
      entry({}, { kind: 'respondent', instanceId }),
    );

    const actors = (await read()).entries.map(({ actor }) => actor);

    expect(actors).toContainEqual(expect.objectContaining({ kind: 'service_account', id: account.id, name: 'Importer', via: 'api_key' }));
    expect(actors).toContainEqual(expect.objectContaining({ kind: 'service', id: 'delivery' }));
    expect(actors.find((actor) => actor?.kind === 'anonymous')?.id).toBeUndefined();
  });

  it('is stored once, however often its event arrives, also at two processes at once', async () => {
    const events = Array.from({ length: 20 }, () => entry());
    await Promise.all([store(...events), store(...[...events].reverse()), store(...events)]);
    await store(...events);

    expect(await read()).toMatchObject({ total: 20, entries: { length: 20 } });
  });

  it('is skipped if it is unreadable, and those in the same batch are stored', async () => {
    const good = entry();
    await store({ ...good, id: newId(), body: 'nonsense' }, { ...good, id: newId(), instanceId: 'x' }, { ...good, id: 'x' }, good);

    expect((await read()).entries.map(({ id }) => id)).toEqual([good.id]);
  });

  it('has no address if the proxy forwarded none', () => {
    const by = (address: string) =>
      audited(
        { caller: owner(), call: { requestId: 'r', address } },
        { action: 'form.updated', target: { kind: 'form', id: newId() } },
        clock.now(),
      );
    expect(by('<script>').body).not.toContain('script');
    expect(by('2001:db8::1').body).toContain('2001:db8::1');
  });

  it('arrives from every service, which then deletes it', async () => {
    const outboxes: Database[] = [];
    for (const source of eventSources) {
      consume(own, { broker, durable: 'workspaces', source, of: 'every', handle: (events) => storeAudit({ db }, silentLog(), events) });
      const { db: theirs } = await freshDatabase([outboxMigration, outboxTraceMigration]);
      outboxes.push(theirs);
      const process = testProcess(source);
      own.onStop(source, () => process.stop().then(() => theirs.destroy()));
      const outbox = startRelay(process, { db: theirs, broker, source, clock, settings: { OUTBOX_REPUBLISH_MS: 0, OUTBOX_POLL_MS: 100 } });
      await outbox.transaction((trx) => record(trx, entry()));
    }

    await eventually(async () => expect(await read()).toMatchObject({ total: eventSources.length }));
    for (const outbox of outboxes) {
      await eventually(async () => {
        // Due again until it is confirmed: the relay of another test file may receive the confirmation.
        clock.advance(10_000);
        expect(await outbox('outbox').select('id')).toEqual([]);
      });
    }
  });
});

describe('the log', () => {
  it('is in pages, the newest entries first, with the exact total', async () => {
    const at = (second: number) => new Date(clock.now().getTime() + second * 1_000);
    const events = [0, 1, 2, 3, 4].map((second) => entry(second % 2 === 0 ? {} : { workspaceId: undefined }, owner(), at(second)));
    await store(...[...events].reverse());

    const newestFirst = [...events].reverse().map(({ id }) => id);
    for (const offset of [0, 2, 4, 6]) {
      const { entries, total } = await read({ limit: 2, offset });
      expect({ ids: entries.map(({ id }) => id), total }).toEqual({ ids: newestFirst.slice(offset, offset + 2), total: 5 });
    }
  });

  it('can be filtered by actor, action, target and time, and by all of them at once', async () => {
    const [other, target] = [aUser({ instanceId }), newId()];
    const later = new Date(clock.now().getTime() + 60_000);
    await store(
      entry(),
      entry({}, other),
      entry({ action: 'form.trashed', target: { kind: 'form', id: target } }, other, later),
      entry({ action: 'form.trashed' }),
    );

    expect(await read({ actor_id: other.id })).toMatchObject({ total: 2, entries: { length: 2 } });
    expect(await read({ action: 'form.trashed' })).toMatchObject({ total: 2, entries: { length: 2 } });
    expect(await read({ target_id: target })).toMatchObject({ total: 1, entries: [{ target: { id: target } }] });
    expect(await read({ from: later.toISOString() })).toMatchObject({ total: 1, entries: [{ target: { id: target } }] });
    expect(await read({ to: later.toISOString() })).toMatchObject({ total: 3, entries: { length: 3 } });
    expect(await read({ actor_id: other.id, action: 'form.trashed', from: later.toISOString() })).toMatchObject({
      total: 1,
      entries: { length: 1 },
    });
    expect(await read({ actor_id: "' or true --" })).toMatchObject({ total: 0, entries: [] });
  });

  it('counts filtered entries up to a bound, and later entries can still be read', async () => {
    await db.raw(
      `insert into audit_entry (id, instance_id, workspace_id, action, actor_kind, target_kind, target_id, request_id, occurred_at)
       select gen_random_uuid(), :instance, :workspace, 'draft.saved', 'anonymous', 'form', 'x', 'r', cast(:now as timestamptz) - n * interval '1 second'
         from generate_series(1, 10005) n`,
      { instance: instanceId, workspace: workspaceId, now: clock.now() },
    );
    expect(await read({ action: 'draft.saved', offset: 10_004 })).toMatchObject({ total: 10_000, entries: { length: 1 } });
  });

  it.each([
    ['no filter', {}],
    ['an actor', { actor_id: newId() }],
    ['an action', { action: 'form.updated' }],
    ['a target', { target_id: newId() }],
    ['a time', { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }],
  ])('reads only through an index with the filter: %s', async (_, filter) => {
    const heard: { sql: string; bindings: readonly unknown[] }[] = [];
    const listen = (query: { sql: string; bindings: readonly unknown[] }) => void heard.push(query);
    db.on('query', listen);
    await read(filter);
    db.off('query', listen);
    const [query] = heard.filter(({ sql }) => sql.includes('audit_entry'));

    const plan = await db.transaction(async (trx) => {
      await trx.raw('set local enable_seqscan = off');
      const { rows } = await trx.raw<{ rows: Record<string, string>[] }>(
        `explain ${query?.sql.replace(/\$\d+/g, '?') ?? ''}`,
        query?.bindings as string[],
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('audit_entry_');
    expect(plan).not.toMatch(/Seq Scan on audit_entry/);
  });

  describe('can be read by', () => {
    const instanceWide = () => entry({ action: 'api_key.created', workspaceId: undefined });

    it.each(['owner', 'admin'] as const)('a workspace %s: the entries of the workspace and of the whole instance', async (role) => {
      await store(entry(), instanceWide(), entry({ action: 'form.trashed', workspaceId: newId() }));
      expect((await actions({}, as(role))).sort()).toEqual(['api_key.created', 'form.updated']);
    });

    it.each(['editor', 'viewer'] as const)('no %s', async (role) => {
      await expect(read({}, as(role))).rejects.toEqual(refused('forbidden'));
    });

    it('no caller without a workspace, and no service account', async () => {
      await expect(read({}, aUser({ instanceId }))).rejects.toEqual(refused('forbidden'));
      await expect(client.listAuditLog(callAs(aServiceAccount({ instanceId })), { limit: 1, offset: 0 })).rejects.toEqual(
        refused('forbidden'),
      );
    });

    it('a user who owns one workspace and edits another: only the entries of the first', async () => {
      const edited = newId();
      await store(entry(), entry({ action: 'form.trashed', workspaceId: edited }));
      expect(await actions({}, { ...owner(), roles: { [workspaceId]: 'owner', [edited]: 'editor' } })).toEqual(['form.updated']);
    });

    it('no user of another instance', async () => {
      await store(entry(), instanceWide());
      const elsewhere = newId();
      expect(await actions({}, { ...owner(), instanceId: newId(), roles: { [elsewhere]: 'owner' } })).toEqual([]);
    });
  });
});

describe('a change in this service', () => {
  const recorded = async (): Promise<AuditAction[]> => {
    await storeRecorded();
    return (await actions()).sort() as AuditAction[];
  };
  const gateway = () => ({ ...callAs({ kind: 'service', id: 'gateway' }), address: '203.0.113.9' });

  it('is recorded: keys, accounts, members, folders', async () => {
    const call = () => callAs(owner());
    const key = await client.createApiKey(call(), { name: 'CI' });
    await client.revokeApiKey(call(), { id: key.id });
    const account = await client.createServiceAccount(call(), { name: 'Importer', scopes: [] });
    await client.deleteServiceAccount(call(), { id: account.id });
    const { member } = await client.addMember(call(), { workspace_id: workspaceId, email: `${newId()}@example.org`, role: 'viewer' });
    await client.removeMember(call(), { workspace_id: workspaceId, user_id: member?.user_id ?? '' });
    const folder = await client.createFolder(call(), { label: 'Visits' });
    await client.updateFolder(call(), { id: folder.id, patch: { label: 'Inspections' }, set: ['label'] });
    await client.deleteFolder(call(), { id: folder.id });

    expect(await recorded()).toEqual([
      'api_key.created',
      'api_key.revoked',
      'folder.created',
      'folder.deleted',
      'folder.updated',
      'member.added',
      'member.removed',
      'service_account.created',
      'service_account.deleted',
    ]);
  });

  it('is recorded: profiles, workspaces, roles, the keys of accounts', async () => {
    const call = () => callAs(owner());
    await client.updateProfile(call(), { patch: { name: 'Olga' }, set: ['name'] });
    await client.updateWorkspace(call(), { id: workspaceId, patch: { name: 'Renamed' }, set: ['name'] });
    const made = await client.createWorkspace(call(), { name: `Second ${newId()}` });
    const { member } = await client.addMember(call(), { workspace_id: workspaceId, email: `${newId()}@example.org`, role: 'viewer' });
    await client.changeMemberRole(call(), { workspace_id: workspaceId, user_id: member?.user_id ?? '', role: 'editor' });
    const { id } = await client.createServiceAccount(call(), { name: 'Importer', scopes: [] });
    await client.updateServiceAccount(call(), { id, patch: { scopes: ['forms:read'] }, set: ['scopes'] });
    const key = await client.createServiceAccountKey(call(), { service_account_id: id });
    await client.revokeServiceAccountKey(call(), { service_account_id: id, id: key.id });

    expect(await recorded()).toEqual([
      'member.added',
      'member.role_changed',
      'profile.updated',
      'service_account.created',
      'service_account.key_created',
      'service_account.key_revoked',
      'service_account.updated',
      'workspace.updated',
    ]);
    expect(await actions({}, as('owner', made.workspace?.id))).toContain('workspace.created');
  });

  it('is recorded with the session that it opens or ends: signing in, accepting an invitation, signing out', async () => {
    const { token } = await client.signIn(gateway(), { instance_id: instanceId, email: 'olga@example.org', password: 'correct horse' });
    const { credential_id } = await client.authenticate(gateway(), { instance_id: instanceId, credential: token });
    await client.endSession(callAs({ ...owner(), credentialId: credential_id }), {});
    const { invitation_token = '', member } = await client.addMember(callAs(owner()), {
      workspace_id: workspaceId,
      email: `${newId()}@example.org`,
      role: 'viewer',
    });
    await client.acceptInvitation(gateway(), {
      instance_id: instanceId,
      token: invitation_token,
      name: 'Vera',
      password: 'a long password',
    });

    expect(await recorded()).toEqual(['invitation.accepted', 'member.added', 'session.created', 'session.created', 'session.ended']);
    expect((await read({ target_id: credential_id, action: 'session.created' })).entries).toMatchObject([
      { actor: { id: ownerId, via: 'session', credential_id }, address: '203.0.113.9' },
    ]);
    expect((await read({ action: 'invitation.accepted' })).entries).toMatchObject([
      { actor: { name: 'Vera' }, target: { kind: 'user', id: member?.user_id } },
    ]);
  });

  it('is also recorded for a failed sign-in, without the input', async () => {
    const fail = (email: string) =>
      expect(client.signIn(gateway(), { instance_id: instanceId, email, password: 'hunter2hunter2' })).rejects.toEqual(
        refused('unauthorized'),
      );
    await fail('olga@example.org');
    await fail('not-an-address-but-a-password');
    await storeRecorded();

    const { entries } = await read({ action: 'session.failed' });
    expect(entries.map(({ actor, target }) => [actor?.kind, target])).toEqual(
      expect.arrayContaining([
        ['anonymous', { kind: 'user', id: ownerId }],
        ['anonymous', { kind: 'instance', id: instanceId }],
      ]),
    );
    expect(JSON.stringify(await db('audit_entry').where({ instance_id: instanceId }))).not.toMatch(/hunter2|password/);
  });

  it('is not recorded if it was refused', async () => {
    await expect(client.createServiceAccount(callAs(as('editor')), { name: 'X', scopes: [] })).rejects.toEqual(refused('forbidden'));
    await expect(client.removeMember(callAs(owner()), { workspace_id: workspaceId, user_id: ownerId })).rejects.toEqual(
      refused('bad_request'),
    );
    expect(await recorded()).toEqual([]);
  });
});

describe('old entries', () => {
  const settings = { AUDIT_LOG_DAYS: 30 };
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 24 * 60 * 60 * 1_000);

  it('are removed after their retention, and leave the total', async () => {
    await store(
      entry({}, owner(), daysAgo(31)),
      entry({ workspaceId: undefined }, owner(), daysAgo(400)),
      entry({ action: 'form.trashed' }, owner(), daysAgo(29)),
    );

    await removeOldEntries({ db, clock, settings });

    expect(await read()).toMatchObject({ total: 1, entries: [{ action: 'form.trashed' }] });
  });

  it('are removed in bounded batches, and once by several processes', async () => {
    const ago = daysAgo(31);
    await store(...Array.from({ length: 2_500 }, () => entry({}, owner(), ago)), entry());

    const removed = await Promise.all([removeOldEntries({ db, clock, settings }), removeOldEntries({ db, clock, settings })]);

    expect(removed.reduce((sum, one) => sum + one, 0)).toBe(2_500);
    expect(await read()).toMatchObject({ total: 1 });
  });
});

describe('the table', () => {
  it.each([
    ['update', () => db('audit_entry').update({ action: 'form.created' })],
    ['delete', () => db('audit_entry').delete()],
    ['truncate', () => db.raw('truncate audit_entry')],
  ])('is append-only: %s is refused', async (_, change) => {
    await store(entry());
    await expect(change()).rejects.toThrow('the audit log is append-only');
    expect(await read()).toMatchObject({ total: 1 });
  });

  describe('as the role of the service', () => {
    const role = `service_${newId().replaceAll('-', '')}`;
    let service: Database;
    beforeAll(async () => {
      await db.raw('create role ?? login', [role]);
      await db.raw('grant select, insert, update, delete on all tables in schema public to ??', [role]);
      const [{ name }] = (await db.raw<{ rows: [{ name: string }] }>('select current_database() as name')).rows;
      service = connectTo(
        Object.assign(new URL(process.env.TEST_DATABASE_URL ?? ''), { username: role, pathname: `/${name}` }).href,
        'workspaces',
        1,
      );
    });
    afterAll(async () => {
      await service.destroy();
      await db.raw('drop owned by ??', [role]);
      await db.raw('drop role ??', [role]);
    });

    it.each([
      ['disabling the trigger', 'must be owner', 'alter table audit_entry disable trigger all'],
      ['dropping it', 'must be owner', 'drop trigger audit_entry_is_append_only on audit_entry'],
      [
        'replacing its function',
        'permission denied',
        'create or replace function refuse_to_change_the_audit_log() returns trigger language plpgsql as $$ begin return null; end $$',
      ],
      ['acting as a replica', 'permission denied', `set session_replication_role = 'replica'; delete from audit_entry`],
      ['truncating', 'permission denied', 'truncate audit_entry'],
      ['the setting that removal uses', 'append-only', `set sheaf.removes_old_audit_entries = 'yes'; delete from audit_entry`],
    ])('cannot be emptied by %s', async (_, refusal, sql) => {
      await store(entry());
      await expect(service.raw(sql)).rejects.toThrow(refusal);
      await service.raw('reset all');
      expect(await read()).toMatchObject({ total: 1 });
    });

    it('keeps the entries of the last day when old entries are removed', async () => {
      const [{ now }] = (await db.raw<{ rows: [{ now: Date }] }>('select now()')).rows;
      await store(entry({}, owner(), now));
      await service.raw(`select remove_old_audit_entries('infinity', 1000)`);
      expect(await read()).toMatchObject({ total: 1 });
    });
  });
});
