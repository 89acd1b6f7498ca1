import { newId, type Client as Person } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, eventually, refused } from '@sheaf/testing';
import {
  access,
  client,
  clock,
  create,
  db,
  duplicate,
  editor,
  get,
  getDraft,
  grant,
  instanceId,
  later,
  list,
  listFields,
  member,
  outsider,
  owner,
  patch,
  publish,
  published,
  putDraft,
  recordEvents,
  respondent,
  robot,
  statements,
  stranger,
  text,
  trash,
  useService,
  viewer,
  workspaceId,
} from './stage';

useService();

describe('creating a form', () => {
  const once = (title: string, key: string, as: Person = editor) => client.createForm(callAs(as), { title, idempotency_key: key });

  it('creates one form for all requests with the same key, also at the same time, which is then told as it is now', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => once('Harvest', 'key-1')));
    const [first] = all;
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    await patch(first?.id ?? '', { title: 'The harvest' });
    expect(await once('Harvest', 'key-1')).toMatchObject({ id: first?.id, title: 'The harvest' });
    expect(await db('form').where({ title: 'Harvest' })).toEqual([]);
  });

  it('takes no key again for another form, and the key of one person is not that of another', async () => {
    const { id } = await once('Harvest', 'key-2');
    await expect(once('Orchard', 'key-2')).rejects.toEqual(refused('bad_request', /^Idempotency-Key: was already used/));
    expect((await once('Harvest', 'key-2', owner)).id).not.toBe(id);
    expect((await once('Harvest', 'key-3')).id).not.toBe(id);
  });

  it('creates a blank, active form that its creator owns, in their active workspace', async () => {
    const form = await create('Site visit');

    expect(form).toEqual({
      id: form.id,
      title: 'Site visit',
      status: 'active',
      favorite: false,
      current_version: 0,
      publish_mode: 'draft',
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
      role: 'owner',
    });
    await expect(get(form.id)).resolves.toEqual(form);
    await expect(getDraft(form.id)).resolves.toMatchObject({ fields: Buffer.from('[]'), revision: 0 });
  });

  it.each([undefined, ''])('calls it "Untitled Form" when the title is %j', async (title) => {
    await expect(create(title)).resolves.toMatchObject({ title: 'Untitled Form' });
  });

  it('refuses a title that is too long or cannot be stored', async () => {
    await expect(create('x'.repeat(201))).rejects.toEqual(refused('bad_request', /^title: /));
    await expect(create('a\0b')).rejects.toEqual(refused('bad_request', /^title: /));
  });

  it('requires edit access to the workspace', async () => {
    await expect(create('X', viewer)).rejects.toEqual(refused('forbidden'));
    await expect(create('X', outsider)).rejects.toEqual(refused('forbidden'));
    await expect(create('X', aUser({ instanceId }))).rejects.toEqual(refused('forbidden'));
  });

  it('refuses an unknown folder, and a service account without a folder', async () => {
    await expect(client.createForm(callAs(editor), { folder_id: newId() })).rejects.toEqual(
      refused('bad_request', 'folder_id: there is no such folder'),
    );
    await expect(create('X', robot)).rejects.toEqual(refused('bad_request', /^folder_id: is required/));
  });
});

describe('roles', () => {
  it.each<[string, () => Person, string]>([
    ['its creator', () => editor, 'owner'],
    ['an owner of the workspace', () => owner, 'owner'],
    ['an admin of the workspace', () => member('admin'), 'owner'],
    ['another editor of the workspace', () => member('editor'), 'editor'],
    ['a viewer of the workspace', () => viewer, 'viewer'],
    ['a service account', () => robot, 'editor'],
  ])('shows a form to %s', async (_, person, role) => {
    const { id } = await create();
    await expect(get(id, person())).resolves.toMatchObject({ role });
  });

  it('lets outsiders do what they were granted', async () => {
    const { id } = await create();
    const friend = aUser({ instanceId });
    await expect(get(id, friend)).rejects.toEqual(refused('forbidden'));

    await grant(id, friend, 'editor');

    await expect(get(id, friend)).resolves.toMatchObject({ role: 'editor' });
    await expect(patch(id, { title: 'Mine' }, friend)).resolves.toMatchObject({ title: 'Mine', role: 'editor' });
    await expect(trash(id, friend)).rejects.toEqual(refused('forbidden'));
  });

  it.each<[string, (id: string, as: Person) => Promise<unknown>, { viewer: boolean; editor: boolean }]>([
    ['read', (id, as) => get(id, as), { viewer: true, editor: true }],
    ['list the fields', (id, as) => listFields(id, as), { viewer: true, editor: true }],
    ['change', (id, as) => patch(id, { title: 'X' }, as), { viewer: false, editor: true }],
    ['read the draft', (id, as) => getDraft(id, as), { viewer: false, editor: true }],
    ['save the draft', (id, as) => putDraft(id, [text('a')], 0, as), { viewer: false, editor: true }],
    ['duplicate', (id, as) => duplicate(id, as), { viewer: true, editor: true }],
    ['publish', (id, as) => publish(id, as), { viewer: false, editor: true }],
    ['delete', (id, as) => trash(id, as), { viewer: false, editor: false }],
  ])('decide whether a caller may %s', async (_, act, may) => {
    const of = async (as: Person) => {
      const { id } = await create('X', owner);
      return act(id, as).then(
        () => true,
        (error: unknown) => (expect(error).toEqual(refused('forbidden')), false),
      );
    };

    await expect(of(owner)).resolves.toBe(true);
    await expect(of(editor)).resolves.toBe(may.editor);
    await expect(of(robot)).resolves.toBe(may.editor);
    await expect(of(viewer)).resolves.toBe(may.viewer);
    await expect(of(outsider)).resolves.toBe(false);
  });

  it.each<[string, (id: string, as: Person) => Promise<unknown>]>([
    ['GetForm', get],
    ['UpdateForm', (id, as) => patch(id, { title: 'X' }, as)],
    ['TrashForm', trash],
    ['DuplicateForm', duplicate],
    ['PublishForm', publish],
    ['ListFields', listFields],
    ['GetDraft', getDraft],
    ['PutDraft', (id, as) => putDraft(id, [], 0, as)],
    ['GetFormAccess', access],
    ['GetPublishedForm', (id, { instanceId }) => published(id, { kind: 'respondent', instanceId })],
  ])('do not matter for %s without a form: unknown and malformed ids and other instances are not found', async (_, act) => {
    const { id } = await create();
    await publish(id);

    for (const unknown of [newId(), 'x', '', id.toUpperCase(), `${id}\0`, 'x'.repeat(3_000)])
      await expect(act(unknown, owner)).rejects.toEqual(refused('not_found'));
    await expect(act(id, stranger)).rejects.toEqual(refused('not_found'));
    await expect(act(id, aServiceAccount({ instanceId: newId() }))).rejects.toEqual(refused('not_found'));
  });

  it('let respondents see only the published form', async () => {
    const { id } = await create();
    await expect(client.getForm(callAs(respondent), { id })).rejects.toEqual(refused('forbidden'));
    await expect(client.getFormAccess(callAs(respondent), { form_id: id })).rejects.toEqual(refused('forbidden'));
    await expect(published(id, { kind: 'service', id: 'delivery' })).rejects.toEqual(refused('forbidden'));
  });
});

describe('the trash', () => {
  it('takes a form, and accepts a repeated request', async () => {
    const { id } = await create();
    await patch(id, { status: 'archived' });
    later();
    await trash(id);
    const form = await get(id);
    expect(form).toMatchObject({ status: 'trashed', updated_at: clock.now().toISOString() });

    later();
    await trash(id);

    await expect(get(id)).resolves.toEqual(form);
    await expect(db('form').where({ id }).first('status_before_trash')).resolves.toEqual({ status_before_trash: 'archived' });
  });

  it('holds forms that can be read but not changed', async () => {
    const { id } = await create();
    await putDraft(id, [text('a')]);
    await publish(id);
    await trash(id);
    const inTrash = refused('bad_request', 'The form is in the trash and cannot be changed.');

    await expect(listFields(id)).resolves.toMatchObject({ fields: [{ key: 'a' }] });
    await expect(getDraft(id)).resolves.toMatchObject({ revision: 1 });
    await expect(access(id)).resolves.toMatchObject({ status: 'trashed' });
    await expect(patch(id, { title: 'X' })).rejects.toEqual(inTrash);
    await expect(patch(id, { favorite: true })).rejects.toEqual(inTrash);
    await expect(publish(id)).rejects.toEqual(inTrash);
    await expect(putDraft(id, [], 1)).rejects.toEqual(inTrash);
    await expect(published(id)).rejects.toEqual(refused('not_found'));
  });
});

describe('access', () => {
  it('is returned in full to other services, for every caller', async () => {
    const { id } = await create();
    const friend = aUser({ instanceId });
    await grant(id, friend, 'viewer');

    const full = {
      form_id: id,
      workspace_id: workspaceId,
      creator_kind: 'user',
      creator_id: editor.id,
      grants: { [friend.id]: 'viewer' },
      status: 'active',
      legal_hold: false,
    };
    await expect(access(id, outsider)).resolves.toEqual(full);
    await expect(access(id, robot)).resolves.toEqual(full);
    await expect(access((await create()).id)).resolves.toMatchObject({ grants: {} });
  });
});

describe('every change', () => {
  it('is signalled to every process with the slugs before and after it, unless nothing changed', async () => {
    const eventsOf = await recordEvents();
    const { id } = await create();
    await patch(id, { slug: 'before' });
    await patch(id, { slug: 'after' });
    await patch(id, { favorite: true });
    await patch(id, {});
    await putDraft(id, [text('a')]);
    await publish(id);
    await patch(id, { slug: null });
    await trash(id);
    await trash(id);

    const slugs = [[], ['before'], ['before', 'after'], ['after'], ['after'], ['after'], []];
    await eventually(() => expect(eventsOf(id)).toHaveLength(slugs.length));
    const changes = slugs.map((ofForm) => ({ form_id: id, slugs: ofForm }));
    expect(eventsOf(id)).toEqual([...changes.slice(0, -1), { ...changes.at(-1), trashed: true }]);
  });

  it('leaves no trace if it is refused', async () => {
    const { id } = await create();
    await patch(id, { slug: 'occupied' });
    const { id: other } = await create();
    await putDraft(other, [text('a')]);

    await expect(patch(other, { slug: 'occupied', publish_mode: 'auto', favorite: true })).rejects.toEqual(refused('bad_request'));

    await expect(get(other)).resolves.toMatchObject({ current_version: 0, publish_mode: 'draft', favorite: false });
    await expect(db('version').where({ form_id: other })).resolves.toEqual([]);
  });
});

describe('the number of statements', () => {
  it.each<[string, number, (id: string) => Promise<unknown>]>([
    ['GetForm', 1, (id) => get(id)],
    ['GetFormAccess', 1, (id) => access(id)],
    ['GetPublishedForm', 1, (id) => published(id)],
    ['ListForms', 1, () => list()],
    ['GetDraft', 2, (id) => getDraft(id)],
    ['ListFields', 2, (id) => listFields(id)],
    ['UpdateForm', 2, (id) => patch(id, { title: 'X' })],
    ['PutDraft', 3, (id) => putDraft(id, [])],
    // The last one reads the texts of which translations may be missing.
    ['PublishForm', 5, (id) => publish(id)],
  ])('of %s is %i, not counting the event', async (_, count, act) => {
    const { id } = await create();
    await publish(id);
    statements.length = 0;

    await act(id);

    expect(statements).toHaveLength(count);
  });
});
