import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { client, clock, create, editor, get, later, owner, patch, robot, useService } from './stage';

useService();

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
  let slugs = 0;
  const createFull = async (changes: Record<string, unknown> = {}) => {
    const { id } = await create();
    return patch(id, { ...full, slug: `free-${++slugs}`, ...changes });
  };

  it('sets every field', async () => {
    const form = await createFull({ slug: full.slug, favorite: true });

    expect(form).toMatchObject({ ...full, favorite: true, opens_at: '2026-07-01T00:00:00.000Z' });
    await expect(get(form.id)).resolves.toEqual(form);
  });

  it.each(['slug', 'opens_at', 'closes_at', 'max_submissions', 'closed_message', 'timezone'])(
    'clears %s with null and touches nothing else',
    async (name) => {
      const before = await createFull();
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
    const { id } = await createFull();
    await expect(patch(id, { [name]: null })).rejects.toEqual(refused('bad_request', new RegExp(`^${name}: `)));
  });

  it('keeps absent fields, and also the time of the last update if it is empty', async () => {
    const before = await createFull();
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
    const { id, ...before } = await createFull();
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
    ['a five-digit year', { closes_at: '9999-12-31T23:59:59-01:00' }, /^closes_at: /],
    ['closing before opening', { opens_at: '2026-07-02T00:00:00Z', closes_at: '2026-07-01T00:00:00Z' }, /^closes_at: /],
    ['closing at the moment of opening', { closes_at: full.opens_at }, /^closes_at: /],
    ['opening after closing', { opens_at: '2026-09-01T00:00:00Z' }, /^opens_at: /],
    ['an unknown folder', { folder_id: newId() }, /^folder_id: there is no such folder/],
  ])('refuses %s and names the field', async (_, changes, message) => {
    const before = await createFull();
    await expect(patch(before.id, { title: 'changed', ...changes })).rejects.toEqual(refused('bad_request', message));
    await expect(get(before.id)).resolves.toEqual(before);
  });

  it('accepts a null folder for an unfiled form', async () => {
    const { id } = await createFull();
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

  it('keeps both of two concurrent changes', async () => {
    const { id } = await create();
    await Promise.all([patch(id, { title: 'New' }), patch(id, { closed_message: 'Closed' }, owner)]);
    await expect(get(id)).resolves.toMatchObject({ title: 'New', closed_message: 'Closed' });
  });
});
