import { newId, type Client as Person } from '@sheaf/kernel';
import { aServiceAccount, aUser } from '@sheaf/testing';
import { clock, create, db, grant, instanceId, later, list, member, useService, patch, robot, statements, trash } from './stage';

useService();

describe('the list', () => {
  const workspace = newId();
  const lister = member('viewer', workspace);
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const maker = member('editor', workspace);
    for (const title of ['Alpha', 'beta 100%', 'BETA_x', 'Gamma\\', 'Gone', 'Ärger']) {
      later();
      ids[title] = (await create(title, maker)).id;
    }
    await trash(ids.Gone ?? '', maker);
    await patch(ids['Ärger'] ?? '', { status: 'archived' }, maker);
    later();
    await patch(ids.Alpha ?? '', { title: 'Alpha' }, maker);
  });

  const titles = async (filter: Parameters<typeof list>[0] = {}, as: Person = lister) =>
    (await list(filter, as)).forms.map(({ title }) => title);

  it('has the forms of the active workspace, the most recently updated first, without the trash', async () => {
    expect(await titles()).toEqual(['Alpha', 'Ärger', 'Gamma\\', 'BETA_x', 'beta 100%']);
    expect((await list({ limit: 1 }, lister)).forms[0]).toEqual({
      id: ids.Alpha,
      title: 'Alpha',
      status: 'active',
      current_version: 0,
      created_at: expect.any(String) as string,
      updated_at: clock.now().toISOString(),
    });
  });

  it('has the exact total on each page, even beyond the end', async () => {
    expect(await list({ limit: 2, offset: 2 }, lister)).toMatchObject({ forms: [{ title: 'Gamma\\' }, { title: 'BETA_x' }], total: 5 });
    expect(await list({ offset: 9 }, lister)).toEqual({ forms: [], total: 5 });
  });

  it('can be filtered by status, including the trash', async () => {
    expect(await titles({ status: 'trashed' })).toEqual(['Gone']);
    expect(await titles({ status: 'archived' })).toEqual(['Ärger']);
    expect(await list({ status: 'disabled' }, lister)).toEqual({ forms: [], total: 0 });
  });

  it.each([
    ['eta', ['BETA_x', 'beta 100%']],
    ['BETA', ['BETA_x', 'beta 100%']],
    ['100%', ['beta 100%']],
    ['äRG', ['Ärger']],
    ['%', ['beta 100%']],
    ['_', ['BETA_x']],
    ['\\', ['Gamma\\']],
    ["'; drop table form; --", []],
    ['', ['Alpha', 'Ärger', 'Gamma\\', 'BETA_x', 'beta 100%']],
  ])('finds %j within titles, in any case but otherwise literally', async (q, found) => {
    expect(await list({ q }, lister)).toMatchObject({ forms: found.map((title) => ({ title })), total: found.length });
  });

  it('orders forms with the same time by id, the newest first', async () => {
    const maker = member('editor', newId());
    const made = [await create('1', maker), await create('2', maker), await create('3', maker)];
    expect((await list({}, maker)).forms.map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
  });

  it('shows a user without a role in the workspace only the forms granted to them, and none that they created before they left', async () => {
    const guest = aUser({ instanceId, workspaceId: workspace });
    await create('Left behind', { ...guest, roles: { [workspace]: 'editor' } });
    const { id: elsewhere } = await create();
    await grant(ids.BETA_x ?? '', guest, 'viewer');
    await grant(elsewhere, guest, 'viewer');

    expect(await list({}, guest)).toMatchObject({ forms: [{ title: 'BETA_x' }], total: 1 });
    expect(await titles()).toContain('Left behind');
    expect(await list({}, { ...guest, workspaceId: undefined })).toEqual({ forms: [], total: 0 });
  });

  it('shows a service account every form of its instance, and no caller those of another', async () => {
    const { forms } = await list({ limit: 100 }, robot);
    const other = await create();

    expect(forms.map(({ id }) => id)).toContain(ids.Alpha);
    expect((await list({ limit: 1 }, robot)).forms[0]?.id).toBe(other.id);
    expect(await list({}, aServiceAccount({ instanceId: newId() }))).toEqual({ forms: [], total: 0 });
    expect(await list({}, { ...lister, instanceId: newId() })).toEqual({ forms: [], total: 0 });
  });

  it.each([
    ['STRASSE', 'Hauptstraße 5'],
    ['hauptstraße', 'HAUPTSTRASSE 6'],
    ['cafe\u0301', 'Café'],
    ['CAFÉ', 'cafe\u0301 two'],
    ['ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύς'],
    ['ﬁn', 'FINAL'],
    ['100%_\\ off', '100%_\\ OFF'],
  ])('matches the search text %j to the title %j, which is equivalent in Unicode', async (q, title) => {
    const [instance, workspace] = [newId(), newId()];
    const reader = aUser({ instanceId: instance, workspaceId: workspace, roles: { [workspace]: 'owner' } });
    for (const one of [title, 'another']) {
      await db.raw(
        `insert into form (id, instance_id, workspace_id, creator_kind, creator_id, title, status, current_version, publish_mode, created_at, updated_at)
         values (gen_random_uuid(), ?, ?, 'user', gen_random_uuid(), ?, 'active', 0, 'draft', now(), now())`,
        [instance, workspace, one],
      );
    }
    expect(await list({ q }, reader)).toMatchObject({ total: 1, forms: [{ title }] });
  });

  it('finds a title among many through an index, in one statement', async () => {
    const [instance, crowd] = [newId(), newId()];
    const reader = aUser({ instanceId: instance, workspaceId: crowd, roles: { [crowd]: 'viewer' } });
    await db.raw(
      `insert into form (id, instance_id, workspace_id, creator_kind, creator_id, title, status, current_version, publish_mode, created_at, updated_at)
       select gen_random_uuid(), ?, ?, 'user', gen_random_uuid(), md5(n::text) || ' ' || n, 'active', 0, 'draft', now(), now() from generate_series(1, 20000) n`,
      [instance, crowd],
    );
    // Stands in for autovacuum, which is off in tests: it moves recent rows from the pending list into the index.
    await db.raw('vacuum analyze form');
    statements.length = 0;

    await expect(list({ q: 'C4CA4238' }, reader)).resolves.toMatchObject({
      total: 1,
      forms: [{ title: 'c4ca4238a0b923820dcc509a6f75849b 1' }],
    });

    expect(statements).toHaveLength(1);
    const [sql = ''] = statements;
    const plan = await db.raw<{ rows: Record<string, string>[] }>(`explain ${sql.replace(/\$\d+/g, '?')}`, [
      instance,
      crowd,
      '%C4CA4238%',
      instance,
      crowd,
      '%C4CA4238%',
      25,
      0,
    ]);
    expect(JSON.stringify(plan.rows)).toContain('form_folded_title');
  });
});
