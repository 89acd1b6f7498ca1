import { newId, type Client as Person } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, expectCursorsChecked, forged, refused } from '@sheaf/testing';
import {
  client,
  create,
  createIn,
  folderIn,
  grant,
  instanceId,
  later,
  member,
  patch,
  publish,
  putDraft,
  robot,
  statements,
  text,
  trash,
  useService,
} from './stage';

useService();

type Filter = Partial<Parameters<typeof client.findForms>[1]>;
const find = (filter: Filter = {}, as: Person = lister) =>
  client.findForms(callAs(as), { limit: 25, favorite: false, shared: false, sort: 'updated', ...filter });
const titles = async (filter: Filter = {}, as: Person = lister) => (await find(filter, as)).forms.map(({ form }) => form?.title);
const workspace = newId();
const lister = member('viewer', workspace);
const maker = member('editor', workspace);
const ids: Record<string, string> = {};

/** All titles of a list, read in pages of this size. */
async function inPages(filter: Filter, as: Person, limit = 2): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  let cursor: string | undefined;
  do {
    const page = await find({ ...filter, limit, ...(cursor === undefined ? {} : { cursor }) }, as);
    found.push(...page.forms.map(({ form }) => form?.title));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
}

describe('the list of forms', () => {
  let folder: string;

  beforeAll(async () => {
    folder = folderIn(workspace);
    for (const title of ['zebra', 'Ärger', 'Apfel', 'beta']) {
      later();
      ids[title] = (await create(title, maker)).id;
    }
    later();
    ids.filed = (await createIn(folder, maker)).id;
    later();
    ids.gone = (await create('Gone', maker)).id;
    await trash(ids.gone, maker);
    later();
    await patch(ids.Apfel ?? '', { status: 'archived' }, maker);
  });

  it('has the forms of the active workspace, the most recently updated first, without the trash', async () => {
    expect(await titles()).toEqual(['Apfel', 'Filed', 'beta', 'Ärger', 'zebra']);
    expect(await find({ limit: 1 })).toEqual({
      forms: [
        {
          form: expect.objectContaining({ id: ids.Apfel, title: 'Apfel', status: 'archived', role: 'viewer', favorite: false }) as unknown,
          workspace_id: workspace,
          unpublished_changes: false,
        },
      ],
      total: 5,
      next_cursor: expect.any(String) as unknown,
    });
  });

  it.each([
    ['updated', ['Apfel', 'Filed', 'beta', 'Ärger', 'zebra']],
    ['created', ['Filed', 'beta', 'Apfel', 'Ärger', 'zebra']],
    ['title', ['Apfel', 'Ärger', 'beta', 'Filed', 'zebra']],
  ])('is sorted by %s, and backwards, the same in one page or several', async (sort, order) => {
    for (const limit of [1, 2, 25]) {
      expect(await inPages({ sort }, lister, limit)).toEqual(order);
      expect(await inPages({ sort: `-${sort}` }, lister, limit)).toEqual([...order].reverse());
    }
  });

  it('can be filtered by folder, status and title, in every order', async () => {
    expect(await titles({ folder_id: folder })).toEqual(['Filed']);
    expect(await titles({ folder_id: 'none' })).toEqual(['Apfel', 'beta', 'Ärger', 'zebra']);
    expect(await titles({ folder_id: newId() })).toEqual([]);
    expect(await titles({ folder_id: 'no id' })).toEqual([]);
    expect(await titles({ status: 'archived' })).toEqual(['Apfel']);
    expect(await titles({ status: 'trashed' })).toEqual(['Gone']);
    expect(await titles({ q: 'E', sort: 'title' })).toEqual(['Apfel', 'Ärger', 'beta', 'Filed', 'zebra']);
    expect(await inPages({ q: 'r', sort: 'title' }, lister, 1)).toEqual(['Ärger', 'zebra']);
    expect(await titles({ q: '%' })).toEqual([]);
    expect(await find({ q: 'ZEB' })).toMatchObject({ total: 1, forms: [{ form: { title: 'zebra' } }] });
  });

  it('tells whether the draft has changes that are not published', async () => {
    const { id } = await create('Changing', maker);
    const isChanged = async () => (await find({ q: 'Changing' })).forms[0]?.unpublished_changes;
    expect(await isChanged()).toBe(false);
    await putDraft(id, [text('a')], 0, maker);
    expect(await isChanged()).toBe(true);
    await publish(id, maker);
    expect(await isChanged()).toBe(false);
    await putDraft(id, [text('a'), text('b')], 1, maker);
    expect(await isChanged()).toBe(true);
    await putDraft(id, [text('a')], 2, maker);
    expect(await isChanged()).toBe(false);
    await trash(id, maker);
  });

  it("has the caller's own favourites", async () => {
    await patch(ids.beta ?? '', { favorite: true }, maker);
    expect(await find({ favorite: true }, maker)).toMatchObject({ total: 1, forms: [{ form: { title: 'beta', favorite: true } }] });
    expect(await find({ favorite: true })).toMatchObject({ total: 0, forms: [] });
    expect(await titles({ favorite: true, q: 'zebra' }, maker)).toEqual([]);
  });
});

describe('a list of a caller', () => {
  it('who is in no workspace has the forms granted to them there, and as shared those of all workspaces that they are not in', async () => {
    const other = newId();
    const elsewhere = await create('Elsewhere', member('editor', other));
    const home = newId();
    const guest = aUser({ instanceId, workspaceId: home, roles: { [home]: 'editor' } });
    const mine = await create('Mine', guest);
    for (const form of [elsewhere.id, mine.id, ids.beta ?? '']) await grant(form, guest, 'viewer');
    expect(await titles({}, guest)).toEqual(['Mine']);
    expect(await titles({ workspace_id: workspace }, guest)).toEqual(['beta']);
    expect(await inPages({ shared: true, sort: 'title' }, guest, 1)).toEqual(['beta', 'Elsewhere']);
    expect(await titles({ shared: true, workspace_id: other }, guest)).toEqual(['Elsewhere']);
    expect(await titles({ shared: true, workspace_id: home }, guest)).toEqual([]);
    expect((await find({ shared: true, q: 'beta' }, guest)).forms).toMatchObject([{ form: { role: 'viewer' }, workspace_id: workspace }]);
    expect(await titles({}, aUser({ instanceId }))).toEqual([]);
  });

  it('has nothing of another instance', async () => {
    const stranger = aUser({ instanceId: newId(), workspaceId: workspace, roles: { [workspace]: 'owner' } });
    expect(await find({}, stranger)).toEqual({ forms: [], total: 0 });
    expect(await find({}, aServiceAccount({ instanceId: newId() }))).toEqual({ forms: [], total: 0 });
  });

  it('who is a program has all forms of the instance, or those of a workspace', async () => {
    const last = await create('Last');
    expect((await find({ limit: 1, sort: 'created' }, robot)).forms[0]?.form?.id).toBe(last.id);
    expect(await titles({ workspace_id: workspace, status: 'archived' }, robot)).toEqual(['Apfel']);
    expect(await titles({ shared: true }, robot)).toEqual([]);
    await expect(find({ folder_id: 'none' }, robot)).rejects.toEqual(refused('bad_request', 'folder_id: needs workspace_id'));
  });
});

describe('a cursor', () => {
  it('belongs to its list: one of another filter, order or caller, or one that was made up, is refused', async () => {
    const { next_cursor: cursor = '' } = await find({ limit: 1 });
    const wrong = refused('bad_request', 'cursor: must be a next_cursor of this list');
    for (const filter of [{ status: 'active' }, { sort: 'title' }, { q: 'e' }, { folder_id: 'none' }])
      await expect(find({ ...filter, cursor })).rejects.toEqual(wrong);
    await expect(find({ cursor }, member('viewer', newId()))).rejects.toEqual(wrong);
    for (const made of ['AAAA', '', cursor.slice(1), `${cursor}A`])
      await expect(find({ cursor: made })).rejects.toEqual(refused('bad_request'));
  });

  it.each(['updated', '-created', 'title'])(
    'is refused if its place cannot exist, even with the right checksum, sorted by %s',
    async (sort) => {
      const isByTitle = sort === 'title';
      await expectCursorsChecked(
        {
          list: ['forms', [lister.id, workspace], { favorite: false, shared: false, sort }],
          real: [isByTitle ? 'apfel' : '2026-03-02T09:30:00.123456Z', newId()],
          place: [isByTitle ? forged.text() : forged.time(), forged.id()],
        },
        (cursor) => find({ sort, cursor }),
      );
    },
  );

  it('continues after forms that have the same time', async () => {
    const twin = member('editor', newId());
    for (const title of ['1', '2', '3']) await create(title, twin);
    expect(await inPages({}, twin, 1)).toEqual(['3', '2', '1']);
    expect(await inPages({ sort: '-updated' }, twin, 1)).toEqual(['1', '2', '3']);
  });

  it('continues after titles of any characters', async () => {
    const writer = member('editor', newId());
    const long = ['\u{1D160}', '\u1F82', '각', '\u0001', '"', 'ΐ'].map((character) => character.repeat(200));
    for (const title of long) await create(title, writer);
    expect((await inPages({ sort: 'title' }, writer, 1)).sort()).toEqual([...long].sort());
  });
});

it('is read in a bounded number of statements, whatever the number of forms', async () => {
  const crowded = member('editor', newId());
  await Promise.all(Array.from({ length: 30 }, (_, index) => create(`Form ${index}`, crowded)));
  statements.length = 0;
  await find({}, crowded);
  expect(statements.length).toBeLessThanOrEqual(3);
});
