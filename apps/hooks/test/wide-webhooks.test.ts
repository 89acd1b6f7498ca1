import type { DomainEvent } from '@sheaf/events';
import { newId, type User } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aServiceAccount, aUser, callAs, eventually, expectCursorsChecked, forged, refused, TestClock } from '@sheaf/testing';
import { deactivateGone } from '../src/subscription/deactivate-gone';
import { endUnentitled } from '../src/entitlement/end-unentitled';
import { eraseForms } from '../src/erasing/erase-form';
import { eraseWorkspaces } from '../src/erasing/erase-workspace';
import { followForms } from '../src/entitlement/follow-forms';
import { startService, type KnownForm, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
const most = 3;
const forms = new Map<string, KnownForm>();
let service: Service;
beforeAll(async () => {
  service = await startService(clock, forms, { HOOK_SOURCES: ['zapier', 'make'], HOOKS_MAX_PER_FORM: most });
});
afterAll(() => service.stop());

// A workspace for each test, so that none meets the webhooks of another; those of the instance are deleted.
let workspaceId: string;
beforeEach(async () => {
  workspaceId = newId();
  await service.db('subscription').whereNull('form_id').delete();
});

type Role = 'owner' | 'admin' | 'editor' | 'viewer';
type As = Parameters<typeof callAs>[0];
const member = (role: Role) => aUser({ instanceId, workspaceId, roles: { [workspaceId]: role } });
const running = () => aUser({ instanceId, instanceRole: 'admin' });
const robot = aServiceAccount({ instanceId, scopes: ['hooks:manage', 'submissions:read'] });
const delivery = { kind: 'service', id: 'delivery' } as const;

function aForm(given: Partial<KnownForm> = {}): string {
  const id = newId();
  forms.set(id, { instanceId, workspaceId, status: 'active', grants: {}, ...given });
  return id;
}
const url = 'https://hooks.example.org/a';
const created = 'submission.created';
const changed = 'submission.status_changed';
const ofWorkspace = () => ({ workspace_id: workspaceId });
const create = (given: { form_id?: string; workspace_id?: string; events?: string[]; event?: string; target_url?: string }, as: As) =>
  service.client.createWebhook(callAs(as), { target_url: url, ...(given.events ? {} : { event: created }), ...given });
const listeners = async (form_id: string, event = created, places: { form_id: string; workspace_id: string }[] = []) => {
  const reply = await service.client.listListeners(callAs(delivery), { topics: [{ instance_id: instanceId, form_id, event }], places });
  return { ids: reply.listeners.map(({ id }) => id), unplaced: reply.unplaced_form_ids, listeners: reply.listeners };
};
const placed = (form_id: string, inWorkspace = workspaceId) => listeners(form_id, created, [{ form_id, workspace_id: inWorkspace }]);
const anEvent = (type: DomainEvent['type'], body: object): DomainEvent => ({
  id: newId(),
  type,
  instanceId,
  subject: newId(),
  occurredAt: clock.now(),
  body: JSON.stringify(body),
});

describe('a webhook of a workspace', () => {
  it('listens to every form of the workspace, and to no form of another', async () => {
    const { id, form_id, workspace_id } = await create(ofWorkspace(), member('owner'));
    expect({ form_id, workspace_id }).toEqual({ form_id: '', workspace_id: workspaceId });
    const [one, another, elsewhere] = [aForm(), aForm(), aForm()];
    expect((await placed(one)).ids).toEqual([id]);
    expect((await placed(another)).listeners).toEqual([expect.objectContaining({ id, form_id: another, event: created, wide: true })]);
    expect((await placed(elsewhere, newId())).ids).toEqual([]);
  });

  it('makes delivery ask for the workspace of a form, once', async () => {
    const form = aForm();
    expect(await listeners(form)).toMatchObject({ ids: [], unplaced: [] });
    const { id } = await create(ofWorkspace(), member('owner'));
    expect(await listeners(form)).toMatchObject({ ids: [], unplaced: [form] });
    expect(await listeners(form, changed)).toMatchObject({ ids: [], unplaced: [] });
    expect(await placed(form)).toMatchObject({ ids: [id], unplaced: [] });
    expect(await listeners(form)).toMatchObject({ ids: [id], unplaced: [] });
  });

  it('leaves out a form that moves away, even if its former place arrives later', async () => {
    const { id } = await create(ofWorkspace(), member('owner'));
    const [known, unknown] = [aForm(), aForm()];
    expect((await placed(known)).ids).toEqual([id]);
    const moves = [known, unknown].map((form_id) => anEvent('form.moved', { form_id, workspace_id: newId() }));
    await followForms(service.deps, silentLog(), moves);
    expect((await placed(known)).ids).toEqual([]);
    expect((await placed(unknown)).ids).toEqual([]);
  });

  it.each([
    ['owner', true],
    ['admin', true],
    ['editor', false],
    ['viewer', false],
  ] as const)('is for owners and admins: %s', async (role, allowed) => {
    const attempt = create(ofWorkspace(), member(role));
    if (allowed) await expect(attempt).resolves.toMatchObject({ active: true });
    else
      await expect(attempt).rejects.toEqual(refused('forbidden', /^Your role does not allow you to manage webhooks of this workspace\.$/));
  });

  it('is refused to service accounts, which are members of no workspace, and to people of other workspaces', async () => {
    await expect(create(ofWorkspace(), robot)).rejects.toEqual(
      refused('forbidden', /^Only members can use the webhooks of a workspace\.$/),
    );
    await expect(create({ workspace_id: newId() }, member('owner'))).rejects.toEqual(refused('not_found', /workspace/));
    await expect(service.client.listWebhooks(callAs(member('viewer')), ofWorkspace())).rejects.toEqual(refused('forbidden', /./));
  });

  it('is deactivated once its creator is neither owner nor admin there', async () => {
    const admin = member('admin');
    const { id } = await create(ofWorkspace(), admin);
    await endUnentitled(service.deps, silentLog(), [
      anEvent('standing.changed', { id: admin.id, kind: 'user', roles: { [workspaceId]: 'editor' }, scopes: [] }),
    ]);
    expect(await service.client.getWebhook(callAs(member('owner')), { ...ofWorkspace(), id })).toMatchObject({
      active: false,
      deactivated: { reason: 'access_ended', at: clock.now().toISOString() },
    });
    expect((await placed(aForm())).ids).toEqual([]);
  });

  it('cannot be created by somebody who lost their role a moment ago', async () => {
    const owner = member('owner');
    await endUnentitled(service.deps, silentLog(), [anEvent('standing.changed', { id: owner.id, kind: 'user', roles: {}, scopes: [] })]);
    await expect(create(ofWorkspace(), owner)).rejects.toEqual(refused('forbidden', /./));
  });

  it('is deleted with its workspace', async () => {
    const { id } = await create(ofWorkspace(), member('owner'));
    await eraseWorkspaces(service.deps, silentLog(), [anEvent('workspace.erased', { workspace_id: workspaceId, erasure_id: newId() })]);
    await expect(service.client.getWebhook(callAs(member('owner')), { ...ofWorkspace(), id })).rejects.toEqual(
      refused('not_found', /webhook/),
    );
    await eventually(() => expect(service.announced(id).at(-1)).toMatchObject({ id, state: 'deleted', revision: 2 }));
  });

  it('is one of at most a maximum', async () => {
    const owner = member('owner');
    for (let number = 0; number < most; number++) await create({ ...ofWorkspace(), target_url: `${url}/${number}` }, owner);
    await expect(create(ofWorkspace(), owner)).rejects.toEqual(
      refused('bad_request', /^The workspace already has 3 webhooks and subscriptions, the maximum\.$/),
    );
  });
});

describe('a webhook of the instance', () => {
  it('listens to every form of the instance, without the place of any', async () => {
    const { id, form_id, workspace_id } = await create({}, running());
    expect({ form_id, workspace_id }).toEqual({ form_id: '', workspace_id: undefined });
    expect(await listeners(aForm())).toMatchObject({ ids: [id], unplaced: [] });
    await eventually(() =>
      expect(service.announced(id)).toEqual([
        {
          id,
          form_id: instanceId,
          wide: true,
          event: created,
          events: [created],
          url,
          state: 'active',
          options: '',
          revision: 1,
          retry: 'standard',
        },
      ]),
    );
  });

  it('is for owners and admins of the instance, and for service accounts, but not for those of a workspace', async () => {
    await expect(create({}, robot)).resolves.toMatchObject({ created_by: { kind: 'service_account', id: robot.id } });
    const refusal = refused('forbidden', /^Only owners and admins of the instance can manage webhooks of this instance\.$/);
    await expect(create({}, member('owner'))).rejects.toEqual(refusal);
    await expect(service.client.listWebhooks(callAs(member('owner')), {})).rejects.toEqual(refusal);
  });

  describe('ends with the role of its creator in the instance', () => {
    const told = (id: string, change: object) =>
      endUnentitled(service.deps, silentLog(), [
        anEvent('standing.changed', { id, kind: 'user', roles: { [workspaceId]: 'owner' }, scopes: [], ...change }),
      ]);
    const isListening = async (id: string) => (await listeners(aForm())).ids.includes(id);

    it('and only then, whatever their roles in workspaces', async () => {
      const creator = running();
      const { id } = await create({}, creator);
      await told(creator.id, { instance_role: 'owner' });
      expect(await isListening(id)).toBe(true);
      await told(creator.id, { instance_role: null });
      expect(await isListening(id)).toBe(false);
      await expect(create({ target_url: `${url}/again` }, creator)).rejects.toEqual(refused('forbidden', /./));
    });

    it('but not while nothing has told the role, as a version before of the sender does not', async () => {
      const creator = running();
      const { id } = await create({}, creator);
      await service.db('standing').where({ principal_id: creator.id }).update({ instance_role: null });
      await told(creator.id, {});
      expect(await isListening(id)).toBe(true);
      await told(creator.id, { instance_role: 'of a later version' });
      expect(await isListening(id)).toBe(false);
    });
  });

  it('is deactivated when its service account loses the scope', async () => {
    const account = aServiceAccount({ instanceId, scopes: ['hooks:manage', 'submissions:read'] });
    const { id } = await create({}, account);
    await endUnentitled(service.deps, silentLog(), [
      anEvent('standing.changed', { id: account.id, kind: 'service_account', roles: {}, scopes: ['forms:read'] }),
    ]);
    expect((await listeners(aForm())).ids).not.toContain(id);
  });

  it('is not found under a form or a workspace, and webhooks of those are not found there', async () => {
    const owner: User = { ...member('owner'), instanceRole: 'owner' };
    const wide = await create({}, owner);
    const narrow = await create({ form_id: aForm() }, owner);
    const get = (where: { form_id?: string; workspace_id?: string }, { id }: { id: string }) =>
      service.client.getWebhook(callAs(owner), { ...where, id });
    await expect(get({ form_id: narrow.form_id }, wide)).rejects.toEqual(refused('not_found', /webhook/));
    await expect(get(ofWorkspace(), wide)).rejects.toEqual(refused('not_found', /webhook/));
    await expect(get({}, narrow)).rejects.toEqual(refused('not_found', /webhook/));
    await expect(get({}, wide)).resolves.toEqual(wide);
  });

  it('cannot be ended through v1, even by its creator', async () => {
    const owner: User = { ...member('owner'), instanceRole: 'owner' };
    const { id } = await create({}, owner);
    const inApplication = refused('bad_request', /^This webhook was created in the application/);
    await expect(service.client.unsubscribe(callAs(owner), { id })).rejects.toEqual(inApplication);
    await expect(service.client.unsubscribe(callAs({ ...member('owner'), instanceRole: 'owner' }), { id })).rejects.toEqual(inApplication);
  });
});

describe('a webhook for several events', () => {
  it('listens to each of them, in the order of the contract', async () => {
    const form_id = aForm();
    const { id, event, events } = await create({ form_id, events: [changed, created] }, member('editor'));
    expect({ event, events }).toEqual({ event: created, events: [created, changed] });
    expect(await listeners(form_id, created)).toMatchObject({ ids: [id], listeners: [{ event: created, events: [created, changed] }] });
    expect((await listeners(form_id, changed)).ids).toEqual([id]);
    expect((await listeners(form_id, 'submission.deleted')).ids).toEqual([]);
  });

  it('conflicts with another one for any of its events and the same address', async () => {
    const form_id = aForm();
    const editor = member('editor');
    await create({ form_id, events: [created, changed] }, editor);
    const conflict = refused('conflict', /^target_url: a webhook for this event and address already exists$/);
    await expect(create({ form_id, event: changed }, editor)).rejects.toEqual(conflict);
    const other = await create({ form_id, event: 'submission.deleted' }, editor);
    await expect(
      service.client.updateWebhook(callAs(editor), { form_id, id: other.id, events: ['submission.deleted', changed] }),
    ).rejects.toEqual(conflict);
    await expect(create({ form_id: aForm(), event: changed }, editor)).resolves.toMatchObject({ active: true });
  });

  it('is changed to others, which delivery hears of', async () => {
    const form_id = aForm();
    const editor = member('editor');
    const { id } = await create({ form_id, events: [created, changed] }, editor);
    expect(await service.client.updateWebhook(callAs(editor), { form_id, id, event: 'submission.deleted' })).toMatchObject({
      event: 'submission.deleted',
      events: ['submission.deleted'],
    });
    expect((await listeners(form_id, changed)).ids).toEqual([]);
    expect((await listeners(form_id, 'submission.deleted')).ids).toEqual([id]);
  });
});

it('a webhook with named payloads tells delivery so, with the origin of its links', async () => {
  const form_id = aForm();
  const link_origin = 'https://forms.example.org';
  const wanted = { form_id, event: created, target_url: url, payload: 'named', link_origin };
  const { id, payload } = await service.client.createWebhook(callAs(member('editor')), wanted);
  expect(payload).toBe('named');
  expect((await listeners(form_id)).listeners).toEqual([expect.objectContaining({ id, payload: 'named', link_origin, wide: false })]);
  await eventually(() =>
    expect(service.announced(id)).toEqual([
      {
        id,
        form_id,
        event: created,
        events: [created],
        url,
        state: 'active',
        options: '',
        revision: 1,
        payload: 'named',
        link_origin,
        retry: 'standard',
      },
    ]),
  );
});

describe('why a webhook is inactive', () => {
  const get = (form_id: string, id: string) => service.client.getWebhook(callAs(member('editor')), { form_id, id });

  it('is shown if it was switched off, and forgotten once it is active again', async () => {
    const form_id = aForm();
    const editor = member('editor');
    const { id, deactivated } = await create({ form_id }, editor);
    expect(deactivated).toBeNull();
    await service.client.updateWebhook(callAs(editor), { form_id, id, active: false });
    expect((await get(form_id, id)).deactivated).toEqual({ reason: 'switched_off', at: clock.now().toISOString() });
    await service.client.updateWebhook(callAs(editor), { form_id, id, active: true });
    expect((await get(form_id, id)).deactivated).toBeNull();
  });

  it('is shown if it failed for days, with the last failure', async () => {
    const form_id = aForm();
    const editor = member('editor');
    const { id } = await create({ form_id }, editor);
    await deactivateGone(service.deps, silentLog(), [
      anEvent('subscription.gone', { id, revision: 1, reason: 'failing', detail: 'HTTP 503' }),
    ]);
    expect(await service.client.getWebhook(callAs(editor), { form_id, id })).toMatchObject({
      active: false,
      deactivated: { reason: 'failing', at: clock.now().toISOString(), detail: 'HTTP 503' },
    });
  });
});

describe("the caller's own hooks", () => {
  it('are those that the caller created, of any scope and source, the newest first, a page at a time', async () => {
    const owner: User = { ...member('owner'), instanceRole: 'owner' };
    const form_id = aForm();
    const made = [
      await create({ form_id }, owner),
      await service.client.subscribe(callAs(owner), { form_id, target_url: url, event: created, source: 'zapier' }),
      await create(ofWorkspace(), owner),
      await create({}, owner),
    ].map(({ id }) => id);
    await create({ form_id, target_url: `${url}/other` }, member('owner'));

    const own = (page: { limit: number; cursor?: string }) => service.client.listOwnHooks(callAs(owner), page);
    const first = await own({ limit: 3 });
    const second = await own({ limit: 3, cursor: first.next_cursor ?? '' });
    expect([...first.webhooks, ...second.webhooks].map(({ id }) => id)).toEqual(made.reverse());
    expect(second.next_cursor).toBeUndefined();
    expect(first.webhooks.map(({ url: shown }) => shown)).toEqual([url, url, url]);
  });

  it("refuse a cursor of somebody else's list", async () => {
    const [one, another] = [member('owner'), member('owner')];
    for (const target of ['1', '2']) await create({ form_id: aForm(), target_url: `${url}/${target}` }, one);
    const { next_cursor: cursor = '' } = await service.client.listOwnHooks(callAs(one), { limit: 1 });
    await expect(service.client.listOwnHooks(callAs(another), { limit: 1, cursor })).rejects.toEqual(refused('bad_request', /^cursor: /));
  });

  it('refuse a cursor to a place that cannot exist, even with the right checksum', async () => {
    const one = member('owner');
    await expectCursorsChecked({ list: ['own hooks', one.kind, one.id], real: [newId()], place: [forged.id()] }, (cursor) =>
      service.client.listOwnHooks(callAs(one), { limit: 1, cursor }),
    );
  });
});

it('forgets the place of a form that is erased', async () => {
  await create(ofWorkspace(), member('owner'));
  const form = aForm();
  await placed(form);
  await eraseForms(service.deps, silentLog(), [anEvent('form.erased', { form_id: form, workspace_id: workspaceId, erasure_id: newId() })]);
  expect((await listeners(form)).unplaced).toEqual([form]);
});
