import { maxViews, type ViewSearch } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { aServiceAccount, aUser, callAs, refused, TestClock } from '@sheaf/testing';
import { startService, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const member = (role: 'owner' | 'editor' | 'viewer') => aUser({ instanceId, workspaceId, roles: { [workspaceId]: role } });
const owner = member('owner');
const editor = member('editor');
const viewer = member('viewer');
const robot = aServiceAccount({ instanceId });
const stranger = aUser({ instanceId, workspaceId: newId(), roles: {} });

let service: Service;
beforeAll(async () => {
  service = await startService(clock);
});
afterAll(() => service.stop());

type Who = Parameters<typeof callAs>[0];
interface Given {
  name?: string;
  shared?: boolean;
  pinned?: boolean;
  search?: ViewSearch;
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const aForm = async () => (await service.client.createForm(callAs(owner), { title: 'Survey' })).id;
const keep = (form_id: string, as: Who, { search = {}, ...given }: Given = {}) =>
  service.client.createView(callAs(as), { form_id, name: 'New', shared: false, pinned: false, ...given, search: json(search) });
const change = (form_id: string, id: string, as: Who, patch: Omit<Given, 'search'> & { position?: number; if_updated_at?: string }) =>
  service.client.updateView(callAs(as), { form_id, id, patch, set: Object.keys(patch) });
const remove = (form_id: string, id: string, as: Who) => service.client.deleteView(callAs(as), { form_id, id });
const seen = async (form_id: string, as: Who) => (await service.client.listViews(callAs(as), { form_id })).views;
const names = async (form_id: string, as: Who) => (await seen(form_id, as)).map(({ name }) => name);
const notAllowed = (action: string) => refused('forbidden', `Your role does not allow you to ${action}.`);

describe('a view', () => {
  it('of one person is seen, changed and deleted by them alone, whatever the others may do', async () => {
    const form = await aForm();
    const own = await keep(form, viewer, {
      name: 'Mine',
      search: { q: 'oak', filter: [{ key: 'tree', comparison: 'eq', values: ['oak'] }] },
    });
    expect(await seen(form, viewer)).toEqual([own]);
    expect(JSON.parse(own.search.toString())).toEqual({ q: 'oak', filter: [{ key: 'tree', comparison: 'eq', values: ['oak'] }] });
    for (const other of [owner, editor, robot]) {
      expect(await seen(form, other)).toEqual([]);
      await expect(change(form, own.id, other, { name: 'Ours' })).rejects.toEqual(refused('not_found'));
      await expect(remove(form, own.id, other)).rejects.toEqual(refused('not_found'));
    }
    await expect(change(form, own.id, viewer, { name: 'Still mine', pinned: true })).resolves.toMatchObject({ pinned: true });
    const columns = json({ order: ['received'], hidden: [], widths: {} });
    const patch = { search: json({ q: 'elm' }), columns };
    await service.client.updateView(callAs(viewer), { form_id: form, id: own.id, patch, set: ['search', 'columns'] });
    expect(await seen(form, viewer)).toMatchObject([{ name: 'Still mine', pinned: true, ...patch }]);
    await service.client.updateView(callAs(viewer), { form_id: form, id: own.id, patch: {}, set: ['columns'] });
    const [after] = await seen(form, viewer);
    expect(after).toMatchObject({ search: patch.search });
    expect(after).not.toHaveProperty('columns');
    await remove(form, own.id, viewer);
    expect(await seen(form, viewer)).toEqual([]);
  });

  it('that is shared is seen by every role, and changed by those who may change the form', async () => {
    const form = await aForm();
    const shared = await keep(form, editor, { shared: true, name: 'To review' });
    for (const each of [owner, editor, viewer, robot]) expect(await seen(form, each)).toEqual([shared]);
    await expect(keep(form, viewer, { shared: true })).rejects.toEqual(notAllowed('change this form'));
    await expect(change(form, shared.id, viewer, { name: 'Mine' })).rejects.toEqual(notAllowed('change this form'));
    await expect(change(form, shared.id, viewer, { shared: false })).rejects.toEqual(notAllowed('change this form'));
    await expect(remove(form, shared.id, viewer)).rejects.toEqual(notAllowed('change this form'));
    await change(form, shared.id, robot, { name: 'Reviewed', pinned: true });
    await change(form, shared.id, owner, { shared: false });
    expect(await names(form, editor)).toEqual([]);
    await change(form, shared.id, owner, { shared: true });
    expect(await names(form, viewer)).toEqual(['Reviewed']);
  });

  it('is not changed by whoever has not seen its last change', async () => {
    const form = await aForm();
    const before = await keep(form, editor, { shared: true });
    const first = { name: 'First', if_updated_at: before.updated_at };
    const second = { name: 'Second', if_updated_at: before.updated_at };
    const outcomes = await Promise.allSettled([change(form, before.id, editor, first), change(form, before.id, owner, second)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = outcomes.find((each) => each.status === 'rejected')?.reason as unknown;
    expect(refusal).toEqual(refused('conflict', /^The view was last changed at .*, not at if_updated_at\./));
    // Also within a millisecond: the clock of the test stands still.
    const [after] = await seen(form, viewer);
    expect(Date.parse(after?.updated_at ?? '')).toBeGreaterThan(Date.parse(before.updated_at));
    await expect(change(form, before.id, owner, { name: 'Third', if_updated_at: after?.updated_at ?? '' })).resolves.toMatchObject({
      name: 'Third',
    });
    await change(form, before.id, editor, { name: 'Fourth' });
    expect(await names(form, viewer)).toEqual(['Fourth']);
    expect((await audited(form)).at(-2)).toMatchObject({ details: { changed: ['name'] } });
  });

  it('that a viewer has is not shared by them', async () => {
    const form = await aForm();
    const { id } = await keep(form, viewer);
    await expect(change(form, id, viewer, { shared: true })).rejects.toEqual(notAllowed('change this form'));
    expect(await seen(form, editor)).toEqual([]);
  });

  it('is closed to whoever has no role on the form', async () => {
    const form = await aForm();
    const { id } = await keep(form, owner, { shared: true });
    for (const ask of [seen(form, stranger), keep(form, stranger), change(form, id, stranger, { name: 'X' }), remove(form, id, stranger)])
      await expect(ask).rejects.toEqual(notAllowed('read submissions of this form'));
    const elsewhere = aUser({ instanceId: newId(), workspaceId, roles: { [workspaceId]: 'owner' } });
    await expect(seen(form, elsewhere)).rejects.toEqual(refused('not_found'));
  });

  it('of its own is none that a service account has', async () => {
    await expect(keep(await aForm(), robot)).rejects.toEqual(
      refused('bad_request', 'shared: must be true, as a service account has no views of its own'),
    );
  });

  it('stays as it is while the form is in the trash', async () => {
    const form = await aForm();
    const { id } = await keep(form, owner);
    await service.client.trashForm(callAs(owner), { id: form });
    await expect(change(form, id, owner, { name: 'X' })).rejects.toEqual(refused('bad_request'));
    expect(await names(form, owner)).toEqual(['New']);
  });
});

describe('the views of a form', () => {
  it('have different names, but for those of different people', async () => {
    const form = await aForm();
    for (const as of [viewer, editor]) await keep(form, as, { name: 'New' });
    const shared = await keep(form, editor, { name: 'New', shared: true });
    const taken = refused('bad_request', 'name: another view of the form has this name');
    await expect(keep(form, viewer)).rejects.toEqual(taken);
    await expect(change(form, shared.id, editor, { shared: false })).rejects.toEqual(taken);
    const results = await Promise.allSettled([1, 2, 3].map(() => keep(form, viewer, { name: 'At once' })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('are at most so many, of which fewer are pinned', async () => {
    const form = await aForm();
    for (let n = 0; n < maxViews.kept; n++) await keep(form, viewer, { name: `View ${n}`, pinned: n < maxViews.pinned });
    await expect(keep(form, viewer, { name: 'One more' })).rejects.toEqual(
      refused('bad_request', 'name: there are already 50 views, the maximum'),
    );
    const last = (await seen(form, viewer)).at(-1)?.id ?? '';
    await expect(change(form, last, viewer, { pinned: true })).rejects.toEqual(
      refused('bad_request', 'pinned: 20 views are pinned already, the maximum'),
    );
    await keep(form, editor, { name: 'Room for others', pinned: true });
  });

  it('have an order, the shared ones first', async () => {
    const form = await aForm();
    await keep(form, owner, { name: 'own' });
    for (const name of ['a', 'b', 'c']) await keep(form, owner, { name, shared: true });
    const [, , c] = await seen(form, owner);
    await change(form, c?.id ?? '', owner, { position: 0 });
    expect(await names(form, owner)).toEqual(['c', 'a', 'b', 'own']);
    await change(form, c?.id ?? '', owner, { position: 1 });
    await keep(form, editor, { name: 'd', shared: true });
    expect(await names(form, owner)).toEqual(['a', 'c', 'b', 'd', 'own']);
  });

  it('that are shared are in a copy of it; those of people are not', async () => {
    const form = await aForm();
    await keep(form, owner, { name: 'Shared', shared: true, pinned: true, search: { status: ['new'] } });
    await keep(form, owner, { name: 'Own' });
    const copy = await service.client.duplicateForm(callAs(owner), { id: form });
    const [first, ...rest] = await seen(copy.id, owner);
    expect(first).toMatchObject({ name: 'Shared', pinned: true, search: json({ status: ['new'] }) });
    expect(rest).toEqual([]);
    await remove(copy.id, first?.id ?? '', owner);
    expect(await names(form, owner)).toEqual(['Shared', 'Own']);
  });

  it('stay where they are when it is copied into another workspace, as searches may have answers', async () => {
    const form = await aForm();
    await keep(form, owner, { shared: true, search: { q: 'ada@example.com' } });
    const home = newId();
    const guest = aUser({ instanceId, workspaceId: home, roles: { [home]: 'owner' } });
    await service.db('form_grant').insert({ form_id: form, user_id: guest.id, role: 'editor', created_at: clock.now() });
    const copy = await service.client.duplicateForm(callAs(guest), { id: form });
    expect(await names(form, guest)).toEqual(['New']);
    expect(await names(copy.id, guest)).toEqual([]);
  });

  it('are erased with it, also by a version that knows nothing of them', async () => {
    const [form, other] = [await aForm(), await aForm()];
    for (const id of [form, other]) await keep(id, owner, { shared: true });
    await service.client.trashForm(callAs(owner), { id: form });
    await service.client.eraseForm(callAs(owner), { id: form });
    await rowsOf(service.db, 'delete from draft where form_id = ?', [other]);
    await rowsOf(service.db, 'delete from form where id = ?', [other]);
    expect(await rowsOf(service.db, 'select id from submission_view where form_id = any(?::uuid[])', [[form, other]])).toEqual([]);
  });

  it('are changed on the record if they are shared, without their names', async () => {
    const form = await aForm();
    const { id } = await keep(form, owner, { name: 'Of Ada', shared: true });
    await change(form, id, owner, { name: 'Of Grace' });
    await remove(form, id, owner);
    await keep(form, owner, { name: 'Own' });
    expect(await audited(form)).toEqual([
      { action: 'view.created', target: { kind: 'view', id } },
      { action: 'view.updated', target: { kind: 'view', id }, details: { changed: ['name'] } },
      { action: 'view.deleted', target: { kind: 'view', id } },
    ]);
  });
});

async function audited(form: string): Promise<object[]> {
  const rows = await rowsOf<{ body: string }>(
    service.db,
    `select body from outbox where type = 'audit.recorded' and form_id = ? order by id`,
    [form],
  );
  return rows
    .map(({ body }) => JSON.parse(body) as { action: string; target: object; details?: object; actor: object })
    .filter(({ action }) => action.startsWith('view.'))
    .map(({ action, target, details }) => ({ action, target, ...(details && { details }) }));
}
