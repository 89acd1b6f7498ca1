import { newId } from '@sheaf/kernel';
import { connectTo, type Database } from '@sheaf/postgres';
import { removeOldEntries } from '../src/audit-log/audit-retention';
import { clock, db, entry, owner, read, store, useAuditLog } from './audit-stage';

useAuditLog();

describe('old entries', () => {
  const settings = { AUDIT_LOG_DAYS: 30 };
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 24 * 60 * 60 * 1_000);

  it('are removed after their retention, and no longer count in the total', async () => {
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
