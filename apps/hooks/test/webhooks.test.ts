import { newId } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aServiceAccount, aUser, callAs, eventually, refused, TestClock } from '@sheaf/testing';
import { deactivateGone } from '../src/subscription/deactivate-gone';
import { startService, type KnownForm, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const member = (role: 'owner' | 'editor' | 'viewer') => aUser({ instanceId, workspaceId, roles: { [workspaceId]: role } });
const owner = member('owner');
const editor = member('editor');
const viewer = member('viewer');
const outsider = aUser({ instanceId });
const robot = aServiceAccount({ instanceId, scopes: ['hooks:manage', 'submissions:read'] });
const most = 5;

const forms = new Map<string, KnownForm>();
let service: Service;
beforeAll(async () => {
  service = await startService(clock, forms, { HOOK_SOURCES: ['zapier', 'make'], HOOKS_MAX_PER_FORM: most });
});
afterAll(() => service.stop());

type As = Parameters<typeof callAs>[0];
function aForm(given: Partial<KnownForm> = {}): string {
  const id = newId();
  forms.set(id, { instanceId, workspaceId, status: 'active', grants: {}, ...given });
  return id;
}
const trash = (id: string) => forms.set(id, { instanceId, workspaceId, status: 'trashed', grants: {} });
const url = 'https://hooks.example.org/a';
const event = 'submission.created';
const create = (form_id: string, given: { event?: string; target_url?: string; retry?: string } = {}, as: As = editor) =>
  service.client.createWebhook(callAs(as), { form_id, event, target_url: url, ...given });
const subscribe = (form_id: string, given: { event?: string; target_url?: string; source?: string } = {}, as: As = editor) =>
  service.client.subscribe(callAs(as), { form_id, event, target_url: url, source: 'zapier', ...given });
const update = (
  form_id: string,
  id: string,
  patch: { active?: boolean; event?: string; target_url?: string; retry?: string },
  as: As = editor,
) => service.client.updateWebhook(callAs(as), { form_id, id, ...patch });
const remove = (form_id: string, id: string, as: As = editor) => service.client.deleteWebhook(callAs(as), { form_id, id });
const list = async (form_id: string, as: As = editor) => (await service.client.listWebhooks(callAs(as), { form_id })).webhooks;
const listenersOf = async (form_id: string) =>
  (
    await service.client.listListeners(callAs({ kind: 'service', id: 'delivery' }), {
      topics: [{ instance_id: instanceId, form_id, event }],
    })
  ).listeners;
const inTrash = 'The form is in the trash and cannot be changed.';

describe('a webhook that carries answers', () => {
  const without = aServiceAccount({ instanceId, scopes: ['hooks:manage'] });
  const needsToRead = refused('insufficient_scope', 'This operation needs the scope submissions:read.');
  const change = (form_id: string, id: string, patch: object, as: As) =>
    service.client.updateWebhook(callAs(as), { form_id, id, ...patch });

  it('is made by service accounts that may read them, whatever its payload and scope', async () => {
    const form_id = aForm();
    for (const given of [{ form_id }, { form_id, payload: 'named' }, {}, { payload: 'named' }]) {
      const wanted = { target_url: url, events: ['submission.deleted', event], ...given };
      await expect(service.client.createWebhook(callAs(without), wanted)).rejects.toEqual(needsToRead);
    }
    await expect(create(form_id, { event: 'submission.deleted' }, without)).resolves.toMatchObject({ active: true });
    await expect(create(form_id, {}, robot)).resolves.toMatchObject({ active: true });
  });

  it('is neither changed nor switched on by others, but switched off', async () => {
    const form_id = aForm();
    const { id } = await create(form_id, {}, owner);
    const elsewhere = { target_url: 'https://hooks.example.org/elsewhere' };
    await expect(change(form_id, id, elsewhere, without)).rejects.toEqual(needsToRead);
    await expect(change(form_id, id, { payload: 'named' }, without)).rejects.toEqual(needsToRead);
    await expect(change(form_id, id, { active: false }, without)).resolves.toMatchObject({ active: false });
    await expect(change(form_id, id, elsewhere, without)).rejects.toEqual(needsToRead);
    await expect(change(form_id, id, { active: true }, without)).rejects.toEqual(needsToRead);
    const plain = await create(form_id, { event: 'submission.deleted', target_url: 'https://hooks.example.org/plain' }, without);
    await expect(change(form_id, plain.id, { event }, without)).rejects.toEqual(needsToRead);
  });

  it('does not become one that others change by listening to something else first', async () => {
    const run = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'owner' }, instanceRole: 'owner' });
    const places = [
      [{ form_id: aForm() }, run],
      [{}, run],
    ] as const;
    for (const [place, as] of places) {
      const { id } = await service.client.createWebhook(callAs(as), { ...place, target_url: url, events: [event, 'submission.deleted'] });
      for (const patch of [
        { events: ['submission.deleted'] },
        { event: 'submission.deleted' },
        { active: false, events: ['submission.deleted'] },
        { events: ['submission.deleted'], target_url: 'https://hooks.example.org/elsewhere' },
      ]) {
        await expect(service.client.updateWebhook(callAs(without), { ...place, id, ...patch })).rejects.toEqual(needsToRead);
      }
      await expect(service.client.updateWebhook(callAs(robot), { ...place, id, events: ['submission.deleted'] })).resolves.toMatchObject({
        id,
      });
      await expect(service.client.updateWebhook(callAs(without), { ...place, id, payload: 'named' })).resolves.toMatchObject({ id });
      await service.client.deleteWebhook(callAs(as), { ...place, id });
    }
  });

  it('is nothing that a subscription through the contract needs to be', async () => {
    await expect(subscribe(aForm(), {}, without)).resolves.toMatchObject({ active: true });
  });
});

describe('a webhook', () => {
  it('is created in the application and announced to delivery', async () => {
    const form_id = aForm();
    const made = await create(form_id, {}, owner);

    expect(made).toEqual({
      id: made.id,
      form_id,
      workspace_id: workspaceId,
      event,
      events: [event],
      url,
      active: true,
      deactivated: null,
      payload: 'contract',
      retry: 'standard',
      header_names: [],
      signature: 'v1a',
      secret_taken: false,
      source: 'application',
      created_at: clock.now().toISOString(),
      created_by: { kind: 'user', id: owner.id },
    });
    await eventually(() =>
      expect(service.announced(made.id)).toEqual([
        { id: made.id, form_id, event, events: [event], url, state: 'active', options: '', revision: 1, retry: 'standard' },
      ]),
    );
  });

  it('is tried for as long as it says, which delivery and the list of listeners are told', async () => {
    const form_id = aForm();
    const { id } = await create(form_id, { retry: 'day' });
    expect(await list(form_id)).toMatchObject([{ id, retry: 'day' }]);
    await expect(update(form_id, id, { retry: 'three_days' })).resolves.toMatchObject({ retry: 'three_days' });
    await expect(update(form_id, id, { active: true })).resolves.toMatchObject({ retry: 'three_days' });
    await eventually(() =>
      expect(service.announced(id)).toMatchObject([{ retry: 'day' }, { retry: 'three_days' }, { retry: 'three_days' }]),
    );
    await expect(listenersOf(form_id)).resolves.toMatchObject([{ id, retry: 'three_days' }]);
    await expect(update(form_id, id, { retry: 'for_ever' })).rejects.toMatchObject({
      code: 'bad_request',
      message: 'retry: must be one of standard, day, three_days',
    });
  });

  it('keeps its subscriber when somebody else changes only how long it is tried', async () => {
    const form_id = aForm();
    const { id } = await create(form_id, {}, owner);
    await update(form_id, id, { retry: 'day' }, editor);
    await expect(service.db('subscription').where({ id }).first()).resolves.toMatchObject({ subscriber_id: owner.id, creator_id: null });
  });

  it('is a subscription of a platform only with the attempts of the contract', async () => {
    const form_id = aForm();
    const { id } = await subscribe(form_id);
    expect(await list(form_id)).toMatchObject([{ id, retry: 'standard' }]);
    await expect(update(form_id, id, { retry: 'day' })).rejects.toMatchObject({
      message: 'retry: can only be changed for webhooks created in the application',
    });
    const [listener] = await listenersOf(form_id);
    expect(listener?.id).toBe(id);
    expect(listener).not.toHaveProperty('retry');
  });

  it.each([
    ['an unknown event', { event: 'submission.lost' }, /^event: must be one of submission\.created, /],
    ['plain http', { target_url: 'http://hooks.example.org/' }, /^target_url: must be an https URL$/],
    ['a private address', { target_url: 'https://inside.example.org/' }, /^target_url: its host must have public addresses only$/],
    [
      'a URL that is too long',
      { target_url: `https://hooks.example.org/${'x'.repeat(2_048)}` },
      /^target_url: must have between 1 and 2048 characters$/,
    ],
  ])('is refused with %s, when it is created and when it is changed', async (_, given, message) => {
    const form_id = aForm();
    const problem = expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(message) as unknown }) as unknown;
    await expect(create(form_id, given)).rejects.toEqual(problem);
    const { id } = await create(form_id);
    await expect(update(form_id, id, { active: false, ...given })).rejects.toEqual(problem);
    expect(await list(form_id)).toMatchObject([{ id, active: true, event, url }]);
  });

  it('exists once for an event and an address, even after concurrent requests, apart from subscriptions of platforms', async () => {
    const form_id = aForm();
    await subscribe(form_id);
    const twice = await Promise.allSettled([create(form_id), create(form_id)]);

    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(twice.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict', message: 'target_url: a webhook for this event and address already exists' },
    });
    const { id } = await create(form_id, { event: 'submission.deleted' });
    await expect(update(form_id, id, { event })).rejects.toEqual(refused('conflict'));
    expect((await list(form_id)).map((webhook) => webhook.event)).toEqual(['submission.deleted', event, event]);
  });

  it('is deactivated and reactivated, each time with a higher revision', async () => {
    const form_id = aForm();
    const made = await create(form_id);
    const deactivated = { reason: 'switched_off', at: clock.now().toISOString() };

    await expect(update(form_id, made.id, { active: false })).resolves.toEqual({ ...made, active: false, deactivated });
    await expect(update(form_id, made.id, { active: false })).resolves.toEqual({ ...made, active: false, deactivated });
    await expect(update(form_id, made.id, {})).resolves.toEqual({ ...made, active: false, deactivated });
    await expect(update(form_id, made.id, { active: true })).resolves.toEqual(made);

    await eventually(() =>
      expect(service.announced(made.id)).toMatchObject([
        { state: 'active', revision: 1 },
        { state: 'inactive', revision: 2 },
        { state: 'active', revision: 3 },
      ]),
    );
  });

  it('accepts a new event and a new target, which reach delivery and the list of listeners', async () => {
    const form_id = aForm();
    const made = await create(form_id);
    const target_url = 'https://hooks.example.org/b';

    await expect(update(form_id, made.id, { target_url })).resolves.toEqual({ ...made, url: target_url });
    await expect(update(form_id, made.id, { event: 'submission.deleted' })).resolves.toMatchObject({
      url: target_url,
      event: 'submission.deleted',
    });

    await eventually(() =>
      expect(service.announced(made.id)).toMatchObject([
        { url, revision: 1 },
        { url: target_url, revision: 2 },
        { event: 'submission.deleted', revision: 3 },
      ]),
    );
    const listeners = async (topic: string) =>
      (
        await service.client.listListeners(callAs({ kind: 'service', id: 'delivery' }), {
          topics: [{ instance_id: instanceId, form_id, event: topic }],
        })
      ).listeners;
    expect(await listeners(event)).toEqual([]);
    expect(await listeners('submission.deleted')).toMatchObject([{ id: made.id, url: target_url, revision: 3 }]);
    // Its old address is free again.
    await expect(create(form_id)).resolves.toMatchObject({ url });
  });

  it('stays active with a new target if the old one answered 410', async () => {
    const form_id = aForm();
    const { id } = await create(form_id);
    await update(form_id, id, { target_url: 'https://hooks.example.org/b' });
    await deactivateGone(service.deps, silentLog(), [
      {
        id: newId(),
        type: 'subscription.gone',
        instanceId,
        subject: id,
        occurredAt: clock.now(),
        body: JSON.stringify({ id, revision: 1 }),
      },
    ]);
    expect(await list(form_id)).toMatchObject([{ id, active: true }]);
  });

  it('keeps both of two concurrent changes', async () => {
    const form_id = aForm();
    const { id } = await create(form_id);
    await Promise.all([update(form_id, id, { active: false }), update(form_id, id, { event: 'submission.deleted' })]);
    expect(await list(form_id)).toMatchObject([{ active: false, event: 'submission.deleted' }]);
    await eventually(() =>
      expect(service.announced(id)).toMatchObject([{}, { revision: 2 }, { revision: 3, state: 'inactive', event: 'submission.deleted' }]),
    );
  });

  it('is deleted permanently, which is announced to delivery', async () => {
    const form_id = aForm();
    const { id } = await create(form_id);
    await expect(remove(form_id, id)).resolves.toEqual({});
    await expect(remove(form_id, id)).rejects.toEqual(refused('not_found', 'There is no such webhook.'));
    await expect(update(form_id, id, { active: true })).rejects.toEqual(refused('not_found', 'There is no such webhook.'));
    expect(await list(form_id)).toEqual([]);
    await eventually(() => expect(service.announced(id)).toMatchObject([{ state: 'active' }, { state: 'deleted', revision: 2 }]));
  });

  it('of the application cannot be deleted through v1', async () => {
    const form_id = aForm();
    const { id } = await create(form_id);
    await expect(service.client.unsubscribe(callAs(editor), { id })).rejects.toEqual(
      refused('bad_request', 'This webhook was created in the application and can only be deleted there.'),
    );
    expect(await list(form_id)).toMatchObject([{ id, active: true }]);
  });
});

describe('a subscription of a platform', () => {
  it('is listed with the webhooks of the application, the newest first, with its source and subscriber', async () => {
    const form_id = aForm();
    const subscribed = await subscribe(form_id, {}, robot);
    clock.advance(1_000);
    const made = await create(form_id);

    expect(await list(form_id)).toMatchObject([
      { id: made.id, source: 'application' },
      { ...subscribed, source: 'zapier', created_by: { kind: 'service_account', id: robot.id } },
    ]);
    expect(subscribed).not.toHaveProperty('created_by');
  });

  it('can only be deactivated, reactivated and deleted', async () => {
    const form_id = aForm();
    const { id } = await subscribe(form_id, {}, viewer);

    await expect(update(form_id, id, { active: false })).resolves.toMatchObject({ id, active: false });
    await expect(update(form_id, id, { active: true })).resolves.toMatchObject({ id, active: true });
    for (const [field, value] of [
      ['event', event],
      ['target_url', 'https://hooks.example.org/b'],
    ] as const) {
      await expect(update(form_id, id, { [field]: value })).rejects.toEqual(
        refused('bad_request', `${field}: can only be changed for webhooks created in the application`),
      );
    }
    await expect(remove(form_id, id)).resolves.toEqual({});
    expect(await list(form_id)).toEqual([]);
  });
});

describe('the webhooks of a form', () => {
  it('are shown to every role, and changed by owners and editors', async () => {
    const form_id = aForm();
    const { id } = await create(form_id);
    for (const as of [owner, editor, viewer, robot]) expect(await list(form_id, as)).toMatchObject([{ id }]);
    await expect(list(form_id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(list(form_id, { kind: 'respondent', instanceId })).rejects.toEqual(refused('forbidden'));

    for (const as of [viewer, outsider]) {
      await expect(create(form_id, { target_url: 'https://inside.example.org/' }, as)).rejects.toEqual(refused('forbidden'));
      await expect(update(form_id, id, { active: false }, as)).rejects.toEqual(refused('forbidden'));
      await expect(remove(form_id, id, as)).rejects.toEqual(refused('forbidden'));
    }
    for (const as of [owner, robot]) await expect(update(form_id, id, { active: as !== owner }, as)).resolves.toMatchObject({ id });
  });

  it('show viewers only the origins of their addresses, except for their own subscriptions', async () => {
    const form_id = aForm();
    await create(form_id, { target_url: 'https://hooks.example.org/catch/secret?token=secret' });
    await subscribe(form_id, { target_url: 'https://hooks.example.org/their/own' }, viewer);
    const urls = async (as: As) => (await list(form_id, as)).map((one) => one.url).sort();
    expect(await urls(viewer)).toEqual(['https://hooks.example.org', 'https://hooks.example.org/their/own']);
    for (const as of [owner, editor, robot])
      expect(await urls(as)).toEqual(['https://hooks.example.org/catch/secret?token=secret', 'https://hooks.example.org/their/own']);
  });

  it('are found only under their form', async () => {
    const [form_id, other] = [aForm(), aForm()];
    const { id } = await create(form_id);
    for (const unknown of [newId(), 'nonsense', id.toUpperCase()]) {
      await expect(update(form_id, unknown, { active: false })).rejects.toEqual(refused('not_found', 'There is no such webhook.'));
      await expect(remove(form_id, unknown)).rejects.toEqual(refused('not_found', 'There is no such webhook.'));
    }
    await expect(update(other, id, { active: false })).rejects.toEqual(refused('not_found', 'There is no such webhook.'));
    await expect(remove(other, id)).rejects.toEqual(refused('not_found', 'There is no such webhook.'));
    for (const unknown of [newId(), 'nonsense', aForm({ instanceId: newId() })]) {
      await expect(list(unknown)).rejects.toEqual(refused('not_found', 'There is no such form.'));
      await expect(create(unknown)).rejects.toEqual(refused('not_found', 'There is no such form.'));
      await expect(update(unknown, id, {})).rejects.toEqual(refused('not_found', 'There is no such form.'));
      await expect(remove(unknown, id)).rejects.toEqual(refused('not_found', 'There is no such form.'));
    }
  });

  it('can be read and deleted, but not created or changed, while the form is in the trash', async () => {
    const form_id = aForm();
    const { id } = await create(form_id);
    trash(form_id);
    await expect(create(form_id, { event: 'submission.deleted' })).rejects.toEqual(refused('bad_request', inTrash));
    await expect(update(form_id, id, { active: false })).rejects.toEqual(refused('bad_request', inTrash));
    expect(await list(form_id)).toMatchObject([{ id, active: true }]);
    await expect(remove(form_id, id)).resolves.toEqual({});
  });

  it('never exceed the maximum, together with subscriptions of platforms, even after concurrent requests', async () => {
    const form_id = aForm();
    const one = (n: number) => ({ target_url: `${url}/${n}` });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 2 * most }, (_, n) => (n % 2 === 0 ? create(form_id, one(n)) : subscribe(form_id, one(n)))),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(most);
    expect(await list(form_id)).toHaveLength(most);
    const tooMany = refused('bad_request', `The form already has ${most} webhooks and subscriptions, the maximum.`);
    await expect(create(form_id, one(100))).rejects.toEqual(tooMany);
    await expect(subscribe(form_id, one(100))).rejects.toEqual(tooMany);
  });

  it('let a platform renew its subscription even at the maximum', async () => {
    const form_id = aForm();
    const had = await subscribe(form_id);
    for (let n = 1; n < most; n += 1) await create(form_id, { target_url: `${url}/${n}` });
    await update(form_id, had.id, { active: false });
    await expect(subscribe(form_id)).resolves.toEqual(had);
  });
});
