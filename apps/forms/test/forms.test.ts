import { newId, type Client as Person } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, eventually, refused } from '@sheaf/testing';
import { removeOldVacated } from '../src/slug-quarantine';
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
  recordEvents,
  instanceId,
  later,
  list,
  listFields,
  member,
  useService,
  outsider,
  owner,
  patch,
  publish,
  published,
  putDraft,
  respondent,
  robot,
  statements,
  stranger,
  text,
  trash,
  viewer,
  workspaceId,
} from './stage';

useService();

describe('creating a form', () => {
  it('creates a blank, active form that its creator owns, in their active workspace', async () => {
    const form = await create('  Site visit  ');

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

  it.each([undefined, '', ' \n '])('calls it "Untitled Form" when the title is %j', async (title) => {
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
  ])('shows a form to %s', async (_, who, role) => {
    const { id } = await create();
    await expect(get(id, who())).resolves.toMatchObject({ role });
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

describe('a patch', () => {
  const full = {
    title: 'Site visit',
    slug: 'site-visit',
    status: 'disabled',
    publish_mode: 'auto',
    opens_at: '2026-07-01T00:00:00Z',
    closes_at: '2026-08-01T00:00:00.000Z',
    max_submissions: 0,
    closed_message: 'Back on Monday',
    timezone: 'Europe/Berlin',
  };
  let free = 0;
  const given = async (changes: Record<string, unknown> = {}) => {
    const { id } = await create();
    return patch(id, { ...full, slug: `free-${++free}`, ...changes });
  };

  it('sets every field', async () => {
    const form = await given({ slug: full.slug, favorite: true });

    expect(form).toMatchObject({ ...full, favorite: true, opens_at: '2026-07-01T00:00:00.000Z' });
    await expect(get(form.id)).resolves.toEqual(form);
  });

  it.each(['slug', 'opens_at', 'closes_at', 'max_submissions', 'closed_message', 'timezone'])(
    'clears %s with null and touches nothing else',
    async (name) => {
      const before = await given();
      later();

      const after = await patch(before.id, { [name]: null });

      expect(after).toEqual({
        ...Object.fromEntries(Object.entries(before).filter(([field]) => field !== name)),
        updated_at: clock.now().toISOString(),
      });
      await expect(get(before.id)).resolves.toEqual(after);
    },
  );

  it.each(['title', 'status', 'favorite', 'publish_mode'])('refuses null for %s', async (name) => {
    const { id } = await given();
    await expect(patch(id, { [name]: null })).rejects.toEqual(refused('bad_request', new RegExp(`^${name}: `)));
  });

  it('keeps absent fields and, if it is empty, also the time of the update', async () => {
    const before = await given();
    later();

    await expect(patch(before.id, {})).resolves.toEqual(before);
    await expect(client.updateForm(callAs(editor), { id: before.id, set: [], patch: { title: 'not named' } })).resolves.toEqual(before);
    await expect(client.updateForm(callAs(editor), { id: before.id })).resolves.toEqual(before);
    await expect(patch(before.id, { closed_message: '' })).resolves.toEqual({
      ...before,
      closed_message: '',
      updated_at: clock.now().toISOString(),
    });
  });

  it('ignores the name of an unknown field', async () => {
    const { id, ...before } = await given();
    await expect(
      client.updateForm(callAs(editor), { id, set: ['id', 'role', '__proto__', 'constructor'], patch: {} }),
    ).resolves.toMatchObject(before);
  });

  it.each([
    ['an empty title', { title: '  ' }, /^title: /],
    ['a status that clients cannot set', { status: 'trashed' }, /^status: /],
    ['a slug with capitals', { slug: 'Site' }, /^slug: /],
    ['a slug that looks like an identifier', { slug: newId() }, /^slug: /],
    ['an unknown mode', { publish_mode: 'manual' }, /^publish_mode: /],
    ['a negative limit', { max_submissions: -1 }, /^max_submissions: /],
    ['a long message', { closed_message: 'x'.repeat(501) }, /^closed_message: /],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, /^timezone: /],
    ['an offset as a time zone', { timezone: '+02:00' }, /^timezone: /],
    ['text that is not a time', { opens_at: 'tomorrow' }, /^opens_at: /],
    ['a day that does not exist', { opens_at: '2026-02-30T00:00:00Z' }, /^opens_at: /],
    ['a year of five digits', { closes_at: '9999-12-31T23:59:59-01:00' }, /^closes_at: /],
    ['closing before opening', { opens_at: '2026-07-02T00:00:00Z', closes_at: '2026-07-01T00:00:00Z' }, /^closes_at: /],
    ['closing at the moment of opening', { closes_at: full.opens_at }, /^closes_at: /],
    ['opening after closing', { opens_at: '2026-09-01T00:00:00Z' }, /^opens_at: /],
    ['an unknown folder', { folder_id: newId() }, /^folder_id: there is no such folder/],
  ])('refuses %s and names the field', async (_, changes, message) => {
    const before = await given();
    await expect(patch(before.id, { title: 'changed', ...changes })).rejects.toEqual(refused('bad_request', message));
    await expect(get(before.id)).resolves.toEqual(before);
  });

  it('accepts a null folder for an unfiled form', async () => {
    const { id } = await given();
    await expect(patch(id, { folder_id: null })).resolves.not.toHaveProperty('folder_id');
  });

  it('reads a time without an offset in the time zone that the form has afterwards', async () => {
    const { id } = await create();

    await expect(patch(id, { opens_at: '2026-07-01T09:00:00' })).resolves.toMatchObject({ opens_at: '2026-07-01T09:00:00.000Z' });
    await expect(patch(id, { opens_at: '2026-07-01T09:00:00', timezone: 'Asia/Tokyo' })).resolves.toMatchObject({
      opens_at: '2026-07-01T00:00:00.000Z',
    });
    await expect(patch(id, { closes_at: '2026-07-02T09:00:00' })).resolves.toMatchObject({
      opens_at: '2026-07-01T00:00:00.000Z',
      closes_at: '2026-07-02T00:00:00.000Z',
    });
    await expect(patch(id, { timezone: null })).resolves.toMatchObject({ opens_at: '2026-07-01T00:00:00.000Z' });
  });

  it('makes a form a favourite for the caller only, without updating it', async () => {
    const before = await create();
    later();

    await expect(patch(before.id, { favorite: true })).resolves.toEqual({ ...before, favorite: true });
    await expect(patch(before.id, { favorite: true })).resolves.toEqual({ ...before, favorite: true });
    await expect(get(before.id, owner)).resolves.toMatchObject({ favorite: false });
    await expect(patch(before.id, { favorite: true }, robot)).resolves.toMatchObject({ favorite: true });
    await expect(patch(before.id, { favorite: false })).resolves.toEqual(before);
  });

  it('lets only one form of an instance have a slug', async () => {
    const { id } = await create();
    const { id: other } = await create();
    await patch(id, { slug: 'contact' });

    await expect(patch(other, { slug: 'contact' })).rejects.toEqual(refused('bad_request', 'slug: is taken'));
    await expect(patch(id, { slug: 'contact' })).resolves.toMatchObject({ slug: 'contact' });
    const foreign = await create('X', stranger);
    await expect(patch(foreign.id, { slug: 'contact' }, stranger)).resolves.toMatchObject({ slug: 'contact' });
  });

  it('reserves a released slug for 90 days for the form that had it', async () => {
    const day = 24 * 60 * 60 * 1_000;
    const [{ id }, { id: other }] = [await create(), await create()];
    await patch(id, { slug: 'moved' });
    await patch(id, { slug: 'elsewhere' });
    const until = new Date(clock.now().getTime() + 90 * day).toISOString();
    await expect(published('moved')).rejects.toEqual(refused('not_found'));
    await expect(patch(other, { slug: 'moved' })).rejects.toEqual(
      refused('bad_request', `slug: is reserved until ${until} for the form that released it`),
    );
    await expect(get(other)).resolves.not.toHaveProperty('slug', 'moved');
    const foreign = await create('X', stranger);
    await expect(patch(foreign.id, { slug: 'moved' }, stranger)).resolves.toMatchObject({ slug: 'moved' });

    await expect(patch(id, { slug: 'moved' })).resolves.toMatchObject({ slug: 'moved' });
    await patch(id, { slug: null });
    clock.advance(90 * day - 1);
    await expect(patch(other, { slug: 'moved' })).rejects.toEqual(refused('bad_request'));
    clock.advance(1);
    await expect(patch(other, { slug: 'moved' })).resolves.toMatchObject({ slug: 'moved' });
    await expect(patch(id, { slug: 'moved' })).rejects.toEqual(refused('bad_request', 'slug: is taken'));
  });

  it('refuses a slug to another form that requests it while it is released', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [{ id }, { id: other }] = [await create(), await create()];
      await patch(id, { slug: `hurry-${round}` });
      const [gaveUp, took] = await Promise.allSettled([patch(id, { slug: null }), patch(other, { slug: `hurry-${round}` })]);
      expect([gaveUp.status, took]).toEqual([
        'fulfilled',
        expect.objectContaining({ status: 'rejected', reason: refused('bad_request', /^slug: is (taken|reserved)/) }),
      ]);
    }
  });

  it('refuses a slug to a form that waited while it was released', async () => {
    const [{ id }, { id: other }] = [await create(), await create()];
    await patch(id, { slug: 'awaited' });
    let took: Promise<unknown> = Promise.resolve();
    await db.transaction(async (trx) => {
      await trx('form').where({ id }).update({ slug: null });
      took = expect(patch(other, { slug: 'awaited' })).rejects.toEqual(refused('bad_request', /^slug: is reserved/));
      await eventually(async () =>
        expect(
          (
            await db.raw<{ rows: unknown[] }>(
              "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            )
          ).rows,
        ).not.toEqual([]),
      );
      await trx('vacated_slug').insert({ instance_id: instanceId, slug: 'awaited', form_id: id, vacated_at: clock.now() });
    });
    await took;
  });

  it('removes only expired slug reservations, in batches and by several processes at once', async () => {
    const { id } = await create();
    await patch(id, { slug: 'lasting' });
    await patch(id, { slug: null });
    const row = (vacated_at: Date) => ({ instance_id: instanceId, slug: newId(), form_id: id, vacated_at });
    const old = new Date(clock.now().getTime() - 90 * 24 * 60 * 60 * 1_000);
    await db('vacated_slug').insert(Array.from({ length: 1_200 }, () => row(old)));
    const sweep = () => removeOldVacated({ db, clock, settings: { SLUG_QUARANTINE_DAYS: 90 } });

    const removed = await Promise.all([sweep(), sweep()]);

    expect(removed[0] + removed[1]).toBeGreaterThanOrEqual(1_200);
    await expect(db('vacated_slug').where({ form_id: id }).select('slug')).resolves.toEqual([{ slug: 'lasting' }]);
    await expect(sweep()).resolves.toBe(0);
  });

  it('gives a slug to one of two concurrent requests', async () => {
    const [one, two] = [await create(), await create()];

    const outcomes = await Promise.allSettled([one, two].map(({ id }) => patch(id, { slug: 'race' })));

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'bad_request', message: 'slug: is taken' },
    });
  });

  it('keeps both of two concurrent changes', async () => {
    const { id } = await create();
    await Promise.all([patch(id, { title: 'New' }), patch(id, { closed_message: 'Closed' }, owner)]);
    await expect(get(id)).resolves.toMatchObject({ title: 'New', closed_message: 'Closed' });
  });
});

describe('the trash', () => {
  it('takes a form, and accepts a repetition', async () => {
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

    const told = {
      form_id: id,
      workspace_id: workspaceId,
      creator_kind: 'user',
      creator_id: editor.id,
      grants: { [friend.id]: 'viewer' },
      status: 'active',
    };
    await expect(access(id, outsider)).resolves.toEqual(told);
    await expect(access(id, robot)).resolves.toEqual(told);
    await expect(access((await create()).id)).resolves.toMatchObject({ grants: {} });
  });
});

describe('every change', () => {
  it('is signalled to every process with the slugs before and after it, unless nothing changed', async () => {
    const told = await recordEvents();
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
    await eventually(() => expect(told(id)).toHaveLength(slugs.length));
    expect(told(id)).toEqual(slugs.map((known) => ({ form_id: id, slugs: known })));
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
    ['PublishForm', 4, (id) => publish(id)],
  ])('of %s is %i, besides the event', async (_, count, act) => {
    const { id } = await create();
    await publish(id);
    statements.length = 0;

    await act(id);

    expect(statements).toHaveLength(count);
  });
});
