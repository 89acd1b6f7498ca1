import { eventSources } from '@sheaf/contracts';
import { audited, consume, outboxRequestId, outboxTable, record, startRelay } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
import { aServiceAccount, aUser, callAs, eventually, freshDatabase, refused, testProcess } from '@sheaf/testing';
import { storeAudit } from '../src/audit-log/store-audit';
import {
  actions,
  as,
  broker,
  client,
  clock,
  db,
  entry,
  instanceId,
  owner,
  ownerId,
  read,
  store,
  useAuditLog,
  workspaceId,
} from './audit-stage';

useAuditLog();

const consumer = testProcess('workspaces');
afterAll(() => consumer.stop());

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

  it('is stored once, however often its event arrives, even in two processes at once', async () => {
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
      consume(consumer, {
        broker,
        durable: 'workspaces',
        source,
        of: 'every',
        handle: (events) => storeAudit({ db }, silentLog(), events),
      });
      const { db: sourceDb } = await freshDatabase([{ name: 'outbox', up: (own) => own.raw(`${outboxTable} ${outboxRequestId}`) }]);
      outboxes.push(sourceDb);
      const process = testProcess(source);
      consumer.onStop(source, () => process.stop().then(() => sourceDb.destroy()));
      const outbox = startRelay(process, {
        db: sourceDb,
        broker,
        source,
        clock,
        settings: { OUTBOX_REPUBLISH_MS: 0, OUTBOX_POLL_MS: 100 },
      });
      await outbox.transaction((trx) => record(trx, entry()));
    }

    await eventually(async () => expect(await read()).toMatchObject({ total: eventSources.length }));
    for (const outbox of outboxes) {
      await eventually(async () => {
        // Let the event fall due again until it is confirmed: the relay of another test file may receive the confirmation.
        clock.advance(10_000);
        expect(await outbox('outbox').select('id')).toEqual([]);
      });
    }
  });
});

describe('the log', () => {
  it('comes in pages, the newest entries first, with the exact total', async () => {
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
    expect(await read({ actions: ['form.trashed'] })).toMatchObject({ total: 2, entries: { length: 2 } });
    expect(await read({ target_id: target })).toMatchObject({ total: 1, entries: [{ target: { id: target } }] });
    expect(await read({ from: later.toISOString() })).toMatchObject({ total: 1, entries: [{ target: { id: target } }] });
    expect(await read({ to: later.toISOString() })).toMatchObject({ total: 3, entries: { length: 3 } });
    expect(await read({ actor_id: other.id, actions: ['form.trashed'], from: later.toISOString() })).toMatchObject({
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
    expect(await read({ actions: ['draft.saved'], offset: 10_004 })).toMatchObject({ total: 10_000, entries: { length: 1 } });
  });

  it.each([
    ['no filter', {}],
    ['an actor', { actor_id: newId() }],
    ['an action', { action: 'form.updated' }],
    ['a target', { target_id: newId() }],
    ['a time', { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }],
  ])('reads only through an index with the filter: %s', async (_, filter) => {
    const queries: { sql: string; bindings: readonly unknown[] }[] = [];
    const listen = (query: { sql: string; bindings: readonly unknown[] }) => void queries.push(query);
    db.on('query', listen);
    await read(filter);
    db.off('query', listen);
    const [query] = queries.filter(({ sql }) => sql.includes('audit_entry'));

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

    it.each(['owner', 'admin'] as const)('a workspace %s: the entries of the workspace, and none of the whole instance', async (role) => {
      await store(entry(), instanceWide(), entry({ action: 'form.trashed', workspaceId: newId() }));
      expect(await actions({}, as(role))).toEqual(['form.updated']);
    });

    it.each(['owner', 'admin'] as const)('an %s of the instance: all entries, whatever their roles in workspaces', async (instanceRole) => {
      const other = newId();
      const now = clock.now();
      const workspace = { instance_id: instanceId, name: 'Other', slug: other, color: '', created_at: now, updated_at: now };
      await db('workspace').insert({ id: other, ...workspace });
      await store(entry(), instanceWide(), entry({ action: 'form.trashed', workspaceId: other }));
      const running = aUser({ instanceId, instanceRole });
      expect((await actions({}, running)).sort()).toEqual(['api_key.created', 'form.trashed', 'form.updated']);
      expect(await actions({ workspace_id: other }, running)).toEqual(['form.trashed']);
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
      expect(await actions({}, { ...as('owner'), roles: { [workspaceId]: 'owner', [edited]: 'editor' } })).toEqual(['form.updated']);
    });

    it('no user of another instance', async () => {
      await store(entry(), instanceWide());
      const elsewhere = newId();
      expect(await actions({}, { ...owner(), instanceId: newId(), roles: { [elsewhere]: 'owner' } })).toEqual([]);
    });
  });
});

describe('a filter', () => {
  it('takes several actions, a form and a workspace, alone and together', async () => {
    const [formId, otherWorkspace] = [newId(), newId()];
    const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000);
    const both = { ...as('owner'), roles: { [workspaceId]: 'owner', [otherWorkspace]: 'owner' } } as const;
    await store(
      entry({ action: 'form.created', formId }, owner(), at(1)),
      entry({ action: 'form.published', formId }, owner(), at(2)),
      entry({ action: 'form.trashed' }, owner(), at(3)),
      entry({ action: 'form.created', workspaceId: otherWorkspace }, owner(), at(4)),
    );

    expect(await actions({ actions: ['form.created', 'form.trashed'] })).toEqual(['form.trashed', 'form.created']);
    expect(await actions({ form_id: formId })).toEqual(['form.published', 'form.created']);
    expect(await actions({ form_id: formId, actions: ['form.created', 'form.trashed'] })).toEqual(['form.created']);
    expect(await read({ workspace_id: otherWorkspace }, both)).toMatchObject({ total: 1, entries: [{ action: 'form.created' }] });
    expect(await read({ actions: ['form.created', 'form.trashed'], limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      entries: [{ action: 'form.created' }],
    });
  });

  it('that names what the caller may not read about finds nothing', async () => {
    await store(entry({ formId: newId() }));
    for (const filter of [{ form_id: 'nonsense' }, { form_id: newId() }, { workspace_id: newId() }, { workspace_id: instanceId }])
      expect(await read(filter)).toEqual({ entries: [], total: 0 });
  });
});
