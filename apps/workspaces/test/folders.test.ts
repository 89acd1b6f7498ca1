import type { Broker, DomainEvent } from '@sheaf/events';
import { newId, type Client as Person, type User, type WorkspaceRole } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { aServiceAccount, aUser, callAs, eventually, refused, TestClock } from '@sheaf/testing';
import { startService } from './service';

const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const elsewhere = newId();
let db: Database;
let client: Client<WorkspacesDefinition>;
let broker: Broker;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ db, broker, client, stop } = await startService(clock));

  const now = clock.now();
  await db('instance').insert({ id: instanceId, name: 'Test', created_at: now });
  for (const [id, slug] of [
    [workspaceId, 'main'],
    [elsewhere, 'elsewhere'],
  ]) {
    await db('workspace').insert({ id, instance_id: instanceId, name: slug, slug, color: '', created_at: now, updated_at: now });
  }
});

afterAll(() => stop());

const member = (role: WorkspaceRole, workspace = workspaceId): User =>
  aUser({ instanceId, workspaceId: workspace, roles: { [workspace]: role } });
const owner = member('owner');
const editor = member('editor');
const viewer = member('viewer');
const outsider = aUser({ instanceId, workspaceId: elsewhere, roles: { [elsewhere]: 'owner' } });
const robot = aServiceAccount({ instanceId });
const stranger = aUser({ instanceId: newId(), workspaceId, roles: { [workspaceId]: 'owner' } });

const create = (wanted: { label?: string; icon?: string; color?: string; parent_id?: string } = {}, as: Person = owner) =>
  client.createFolder(callAs(as), { label: 'Visits', ...wanted });
const list = async (as: Person = owner) => (await client.listFolders(callAs(as), {})).folders;
const remove = (id: string, as: Person = owner) => client.deleteFolder(callAs(as), { id });
const get = async (id: string) => (await list()).find((folder) => folder.id === id);
/** Sends a patch as the gateway does: null is a name without a value. */
const patch = (id: string, changes: Record<string, unknown>, as: Person = owner) =>
  client.updateFolder(callAs(as), {
    id,
    set: Object.keys(changes),
    patch: Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)),
  });

describe('a new folder', () => {
  it('is at the top level, has the icon "folder" and no color, and belongs to its creator', async () => {
    const folder = await create({ label: 'Visits' }, editor);
    expect(folder).toEqual({
      id: folder.id,
      label: 'Visits',
      icon: 'folder',
      color: '',
      sort_order: 0,
      role: 'owner',
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
    });
    await expect(list(editor)).resolves.toContainEqual(folder);
  });

  it('has the given icon, color and parent', async () => {
    const parent = await create();
    await expect(create({ icon: 'star', color: '#ff8800', parent_id: parent.id })).resolves.toMatchObject({
      icon: 'star',
      color: '#ff8800',
      parent_id: parent.id,
    });
    await expect(create({ icon: '' })).resolves.toMatchObject({ icon: 'folder' });
  });

  it('requires edit access to the workspace', async () => {
    for (const as of [viewer, aUser({ instanceId })]) await expect(create({}, as)).rejects.toEqual(refused('forbidden'));
    const parent = await create();
    await expect(create({ parent_id: parent.id }, viewer)).rejects.toEqual(refused('forbidden'));
  });

  it('of a person is in their active workspace, where its parent must be too', async () => {
    const inBoth = aUser({ instanceId, workspaceId: elsewhere, roles: { [workspaceId]: 'owner', [elsewhere]: 'owner' } });
    const [parent, folder] = [await create(), await create()];
    const outside = refused('bad_request', /^parent_id: must be in the active workspace$/);
    for (const as of [inBoth, outsider]) await expect(create({ parent_id: parent.id }, as)).rejects.toEqual(outside);
    await expect(patch(folder.id, { parent_id: parent.id }, inBoth)).rejects.toEqual(outside);
    await expect(patch(folder.id, { parent_id: parent.id }, { ...inBoth, workspaceId })).resolves.toMatchObject({ parent_id: parent.id });
  });

  it('of a service account must have a parent, whose workspace it shares', async () => {
    await expect(create({}, robot)).rejects.toEqual(refused('bad_request', /^parent_id: is required/));
    const parent = await create();
    const folder = await create({ parent_id: parent.id }, robot);
    expect(folder).toMatchObject({ parent_id: parent.id, role: 'owner' });
    await expect(get(folder.id)).resolves.toMatchObject({ role: 'owner' });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['no label', { label: ' ' }, /^label: /],
    ['a label that is too long', { label: 'x'.repeat(101) }, /^label: /],
    ['an icon that is too long', { icon: 'x'.repeat(65) }, /^icon: /],
    ['a color that is too long', { color: 'x'.repeat(33) }, /^color: /],
    ['an unknown parent', { parent_id: newId() }, /^parent_id: there is no such folder/],
    ['a malformed parent', { parent_id: 'x' }, /^parent_id: there is no such folder/],
  ])('is refused with %s', async (_, wanted, message) => {
    await expect(create(wanted)).rejects.toEqual(refused('bad_request', message));
  });

  it('is refused inside a folder of another instance', async () => {
    await expect(create({ parent_id: (await create()).id }, stranger)).rejects.toEqual(
      refused('bad_request', /^parent_id: there is no such folder/),
    );
  });
});

describe('the list', () => {
  it('is ordered by sort_order, then label, then id', async () => {
    const lister = member('editor', elsewhere);
    const made = [];
    for (const label of ['b', 'a', 'a', 'c']) made.push(await create({ label }, lister));
    await patch(made[3]?.id ?? '', { sort_order: -1 }, lister);

    const expected = [made[3], made[1], made[2], made[0]].map((folder) => folder?.id);
    expect((await list(lister)).map(({ id }) => id)).toEqual(expected);
  });

  it('shows callers their own role, and only folders of workspaces where they are members', async () => {
    const { id } = await create();
    const roleFor = async (as: Person) => (await list(as)).find((folder) => folder.id === id)?.role;
    expect([await roleFor(owner), await roleFor(member('admin')), await roleFor(editor), await roleFor(viewer)]).toEqual([
      'owner',
      'owner',
      'editor',
      'viewer',
    ]);
    expect([await roleFor(outsider), await roleFor(stranger)]).toEqual([undefined, undefined]);
  });

  it('is empty for a service account', async () => {
    await expect(list(robot)).resolves.toEqual([]);
  });
});

describe('changing a folder', () => {
  it('changes only the given fields', async () => {
    const parent = await create();
    const before = await create({ icon: 'star', color: 'red', parent_id: parent.id });
    clock.advance(1_000);
    const updated_at = clock.now().toISOString();

    await expect(patch(before.id, { label: ' New ' })).resolves.toEqual({ ...before, label: 'New', updated_at });
    await expect(patch(before.id, { sort_order: 0, color: '' })).resolves.toEqual({ ...before, label: 'New', color: '', updated_at });
    await expect(patch(before.id, { icon: '' })).resolves.toMatchObject({ icon: 'folder' });
    await expect(patch(before.id, { sort_order: -2_147_483_648 })).resolves.toMatchObject({ sort_order: -2_147_483_648 });
    await expect(patch(before.id, { parent_id: null })).resolves.not.toHaveProperty('parent_id');
    await expect(patch(before.id, { parent_id: parent.id })).resolves.toMatchObject({ parent_id: parent.id });
  });

  it('with an empty patch changes nothing, not even the time of the last change', async () => {
    const before = await create();
    clock.advance(1_000);
    await expect(patch(before.id, {})).resolves.toEqual(before);
    await expect(get(before.id)).resolves.toEqual(before);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['an empty label', { label: '' }, /^label: /],
    ['null as a label', { label: null }, /^label: /],
    ['null as an order', { sort_order: null }, /^sort_order: /],
    ['an unknown parent', { parent_id: newId() }, /^parent_id: there is no such folder/],
  ])('is refused with %s', async (_, changes, message) => {
    const { id } = await create();
    await expect(patch(id, changes)).rejects.toEqual(refused('bad_request', message));
  });

  it('refuses a parent in another workspace', async () => {
    const foreign = await create({}, outsider);
    await expect(patch((await create()).id, { parent_id: foreign.id })).rejects.toEqual(
      refused('bad_request', /^parent_id: there is no such folder/),
    );
  });

  it('refuses a parent that is the folder itself or one of its descendants', async () => {
    const outer = await create();
    const inner = await create({ parent_id: outer.id });
    const innermost = await create({ parent_id: inner.id });
    for (const parent_id of [outer.id, inner.id, innermost.id]) {
      await expect(patch(outer.id, { parent_id })).rejects.toEqual(refused('bad_request', /^parent_id: must not be inside/));
    }
  });

  it('never forms a cycle from two concurrent moves', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await create(), await create()];
      const outcomes = await Promise.allSettled([patch(a.id, { parent_id: b.id }), patch(b.id, { parent_id: a.id })]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('requires an editor, and deleting requires the owner', async () => {
    const { id } = await create();
    for (const as of [viewer, outsider]) {
      await expect(patch(id, { label: 'Mine' }, as)).rejects.toEqual(refused('forbidden'));
      await expect(remove(id, as)).rejects.toEqual(refused('forbidden'));
    }
    for (const as of [editor, robot]) {
      await expect(patch(id, { label: 'Ours' }, as)).resolves.toMatchObject({ label: 'Ours', role: 'editor' });
      await expect(remove(id, as)).rejects.toEqual(refused('forbidden'));
    }
    await expect(remove(id, member('admin'))).resolves.toEqual({});
  });

  it.each<[string, (id: string, as: Person) => Promise<unknown>]>([
    ['UpdateFolder', (id, as) => patch(id, { label: 'X' }, as)],
    ['DeleteFolder', remove],
    ['GetFolder', (id, as) => client.getFolder(callAs(as), { id })],
  ])('finds none for %s: unknown and malformed ids and other instances', async (_, act) => {
    const { id } = await create();
    for (const unknown of [newId(), 'x', '', `${id}\0`, 'x'.repeat(3_000)])
      await expect(act(unknown, owner)).rejects.toEqual(refused('not_found'));
    await expect(act(id, stranger)).rejects.toEqual(refused('not_found'));
  });
});

describe('deleting a folder', () => {
  it('only moves its subfolders to its parent', async () => {
    const top = await create();
    const middle = await create({ parent_id: top.id });
    const low = await create({ parent_id: middle.id });
    clock.advance(1_000);

    await remove(middle.id);
    await expect(get(low.id)).resolves.toEqual({ ...low, parent_id: top.id });

    await remove(top.id);
    await expect(get(low.id)).resolves.not.toHaveProperty('parent_id');
    await expect(remove(top.id)).rejects.toEqual(refused('not_found'));
  });

  it('is announced to "forms", which unfiles its forms', async () => {
    const heard: DomainEvent[] = [];
    broker.listen('sheaf.events.workspaces.>', { onEvent: (event) => heard.push(event), onGap: () => undefined });
    await broker.connection.flush();
    const { id } = await create();

    await remove(id);

    await eventually(() =>
      expect(heard).toContainEqual(
        expect.objectContaining({ type: 'folder.deleted', subject: id, body: JSON.stringify({ folder_id: id }) }),
      ),
    );
    await expect(
      db<{ awaiting: string[]; subject: string; type: string }>('outbox').where({ subject: id, type: 'folder.deleted' }).first('awaiting'),
    ).resolves.toEqual({ awaiting: ['forms'] });
  });
});
