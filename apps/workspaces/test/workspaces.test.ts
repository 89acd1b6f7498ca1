import { newId, type User } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, eventually, refused } from '@sheaf/testing';
import { sweep } from '../src/sweep';
import { client, clock, db, instanceId, newPerson, owner, patched, recordEvents, useService, workspaceId } from './stage';

useService();

describe('workspaces', () => {
  const day = 24 * 60 * 60 * 1_000;
  const create = (input: { name: string; slug?: string; color?: string }, as = owner()) => client.createWorkspace(callAs(as), input);
  const update = (id: string, patch: object, as: User) => client.updateWorkspace(callAs(as), { id, ...patched(patch) });
  const ownerOf = (id: string) => ({ ...owner(), roles: { [id]: 'owner' as const } });

  it('belong to their creator, under a slug made from the name', async () => {
    const name = `Field Work ${newId()}`;
    const { workspace, slug } = await create({ name, color: 'teal' });
    expect(workspace).toMatchObject({ name, color: 'teal', role: 'owner' });
    expect(slug).toBe(name.toLowerCase().replaceAll(' ', '-'));
    expect((await client.listWorkspaces(callAs(owner()), {})).workspaces).toContainEqual(workspace);

    const again = await create({ name });
    expect(again.slug).toMatch(new RegExp(`^${slug.slice(0, 20)}.*-[0-9a-f]{6}$`));
  });

  it('never get a reserved slug from their name', async () => {
    const { slug } = await create({ name: 'Admin' });
    expect(slug).toMatch(/^admin-[0-9a-f]{6}$/);
  });

  it('are not created under a slug that is taken or cannot be part of a host name', async () => {
    const slug = `taken-${newId()}`;
    await create({ name: 'First', slug });
    const before = (await client.listWorkspaces(callAs(owner()), {})).workspaces.length;
    await expect(create({ name: 'Second', slug })).rejects.toEqual(refused('bad_request', 'slug: is taken'));
    for (const wrong of ['', 'A', '-a', 'a.b', 'a'.repeat(64)])
      await expect(create({ name: 'Second', slug: wrong })).rejects.toEqual(refused('bad_request'));
    expect((await client.listWorkspaces(callAs(owner()), {})).workspaces).toHaveLength(before);
  });

  it('are created by owners and admins of the instance', async () => {
    for (const role of ['owner', 'viewer'] as const)
      await expect(create({ name: 'Mine' }, aUser({ instanceId, roles: { [workspaceId]: role } }))).rejects.toEqual(refused('forbidden'));
    await expect(client.createWorkspace(callAs(aServiceAccount({ instanceId })), { name: 'Mine' })).rejects.toEqual(refused('forbidden'));
    const admin = await newPerson(newId(), { [workspaceId]: 'viewer' });
    await expect(create({ name: 'Mine' }, { ...admin, instanceRole: 'admin' })).resolves.toMatchObject({ workspace: { role: 'owner' } });
  });

  it('are changed by their owners and admins', async () => {
    const id = (await create({ name: 'Before', color: 'teal' })).workspace?.id ?? '';
    clock.advance(1_000);
    await expect(update(id, { name: 'After' }, ownerOf(id))).resolves.toMatchObject({
      workspace: { name: 'After', color: 'teal', updated_at: clock.now().toISOString() },
    });
    await expect(update(id, { color: null }, { ...owner(), roles: { [id]: 'admin' } })).resolves.toMatchObject({
      workspace: { name: 'After', color: '', role: 'admin' },
    });
    clock.advance(1_000);
    await expect(update(id, {}, ownerOf(id))).resolves.toMatchObject({
      workspace: { updated_at: new Date(clock.now().getTime() - 1_000).toISOString() },
    });

    await expect(update(id, { name: 'Mine' }, { ...owner(), roles: { [id]: 'editor' } })).rejects.toEqual(refused('forbidden'));
    await expect(update(id, { name: 'Mine' }, owner())).rejects.toEqual(refused('forbidden'));
    for (const other of [newId(), 'nonsense']) await expect(update(other, { name: 'Mine' }, owner())).rejects.toEqual(refused('not_found'));
    await expect(update(id, { slug: workspaceId }, ownerOf(id))).rejects.toEqual(refused('bad_request', 'slug: is taken'));
  });

  it('reserve a released slug for 90 days for the workspace that had it', async () => {
    const slug = `vacated-${newId()}`;
    const id = (await create({ name: 'Moving', slug })).workspace?.id ?? '';
    const other = (await create({ name: 'Another' })).workspace?.id ?? '';
    await update(id, { slug: `moved-${id}` }, ownerOf(id));
    const reserved = () =>
      refused('bad_request', `slug: is reserved until ${new Date(releasedAt + 90 * day).toISOString()} for the workspace that released it`);
    let releasedAt = clock.now().getTime();
    await expect(update(other, { slug }, ownerOf(other))).rejects.toEqual(reserved());
    await expect(create({ name: 'Taking', slug })).rejects.toEqual(reserved());
    await expect(db('workspace').where({ name: 'Taking' })).resolves.toEqual([]);
    // This slug was derived from the name, so another one is chosen.
    expect((await create({ name: slug })).slug).toMatch(/^vacated-.*-[0-9a-f]{6}$/);

    clock.advance(day);
    await expect(update(id, { slug }, ownerOf(id))).resolves.toMatchObject({ slug });
    await update(id, { slug: `moved-${id}` }, ownerOf(id));
    releasedAt = clock.now().getTime();
    clock.advance(90 * day - 1);
    await expect(update(other, { slug }, ownerOf(other))).rejects.toEqual(reserved());
    clock.advance(1);
    await expect(update(other, { slug }, ownerOf(other))).resolves.toMatchObject({ slug });
    await expect(update(id, { slug }, ownerOf(id))).rejects.toEqual(refused('bad_request', 'slug: is taken'));
  });

  it('refuse a slug to a workspace that waited while it was released', async () => {
    const slug = `awaited-${newId()}`;
    const id = (await create({ name: 'Moving', slug })).workspace?.id ?? '';
    let waiting: Promise<unknown> = Promise.resolve();
    await db.transaction(async (trx) => {
      await trx('workspace')
        .where({ id })
        .update({ slug: `moved-${id}` });
      waiting = expect(create({ name: 'Waiting', slug })).rejects.toEqual(
        expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(/^slug: is reserved/) as unknown }),
      );
      await eventually(async () =>
        expect(
          (
            await db.raw<{ rows: unknown[] }>(
              "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            )
          ).rows,
        ).not.toEqual([]),
      );
      await trx('vacated_slug').insert({ slug, workspace_id: id, vacated_at: clock.now() });
    });
    await waiting;
  });

  it('lose only their expired slug reservations', async () => {
    const row = (days: number) => ({ slug: newId(), workspace_id: newId(), vacated_at: new Date(clock.now().getTime() - days * day) });
    const [expired, current] = [row(90), row(89)];
    await db('vacated_slug').insert([expired, current]);
    await sweep({ db, clock, settings: { SLUG_QUARANTINE_DAYS: 90 } });
    await expect(db('vacated_slug').whereIn('slug', [expired.slug, current.slug]).select('slug')).resolves.toEqual([
      { slug: current.slug },
    ]);
  });

  it('signal every change of their host to every process, and no other change', async () => {
    const { workspace, slug } = await create({ name: `Moving ${newId()}` });
    const id = workspace?.id ?? '';
    const events = await recordEvents('sheaf.events.workspaces.workspace.moved');

    await update(id, { name: 'Renamed', slug }, ownerOf(id));
    await update(id, { slug: `moved-${id}` }, ownerOf(id));
    await eventually(() => expect(events).toEqual([JSON.stringify({ workspace_id: id, from: slug, to: `moved-${id}` })]));
  });
});
