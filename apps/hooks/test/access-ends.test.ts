import type { DomainEvent } from '@sheaf/events';
import { newId, type Client, type FormRole, type User, type WorkspaceRole } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aServiceAccount, aUser, callAs, eventually, TestClock } from '@sheaf/testing';
import { endUnentitled } from '../src/entitlement/end-unentitled';
import { startService, type KnownForm, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const forms = new Map<string, KnownForm>();
let service: Service;
beforeAll(async () => {
  service = await startService(clock, forms);
});
afterAll(() => service.stop());

const member = (role: WorkspaceRole): User => aUser({ instanceId, workspaceId, roles: { [workspaceId]: role } });
function aForm(given: Partial<KnownForm> = {}): string {
  const id = newId();
  forms.set(id, { instanceId, workspaceId, status: 'active', grants: {}, ...given });
  return id;
}

let paths = 0;
const subscribe = async (as: Client, form_id = aForm(), target_url = `https://hooks.example.org/${(paths += 1)}`) =>
  service.client.subscribe(callAs(as), { form_id, target_url, event: 'submission.created', source: 'zapier' });
const webhook = async (as: Client, form_id = aForm()) =>
  service.client.createWebhook(callAs(as), {
    form_id,
    target_url: `https://hooks.example.org/${(paths += 1)}`,
    event: 'submission.created',
  });
const update = (form_id: string, id: string, patch: object, as: Client) =>
  service.client.updateWebhook(callAs(as), { form_id, id, ...patch });

const event = (type: DomainEvent['type'], subject: string, body: object): DomainEvent => ({
  id: newId(),
  type,
  instanceId,
  subject,
  occurredAt: clock.now(),
  body: JSON.stringify(body),
});
const handle = (...events: DomainEvent[]) => endUnentitled(service.deps, silentLog(), events);
const standing = ({ kind, id }: Client, given: { roles?: Record<string, WorkspaceRole>; instance_role?: null; scopes?: string[] }) =>
  handle(event('standing.changed', id, { kind, id, roles: {}, scopes: [], ...given }));
const grant = (form_id: string, { id: user_id }: User, role?: FormRole) =>
  handle(event('grant.changed', `${form_id}:${user_id}`, { form_id, workspace_id: workspaceId, user_id, role }));
const isActive = async ({ id }: { id: string }) =>
  (await service.db<{ id: string; active: boolean }>('subscription').where({ id }).first('active'))?.active;

describe('a subscription ends', () => {
  it('when its creator loses their last membership; delivery and the audit log learn of this once', async () => {
    const editor = member('editor');
    const [first, other] = [await subscribe(editor), await subscribe(member('editor'))];

    await standing(editor, {});
    await standing(editor, {});

    expect([await isActive(first), await isActive(other)]).toEqual([false, true]);
    await eventually(() =>
      expect(service.announced(first.id)).toMatchObject([
        { state: 'active', revision: 1 },
        { state: 'inactive', revision: 2 },
      ]),
    );
    const entries = await service
      .db<{ body: string; type: string; subject: string }>('outbox')
      .where({ type: 'audit.recorded', subject: first.id })
      .orderBy('position');
    expect(entries.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { action: 'hook.subscribed' },
      {
        action: 'hook.deactivated',
        actor: { kind: 'service', id: 'hooks' },
        workspace_id: workspaceId,
        details: { event: 'submission.created', reason: 'access_ended' },
      },
    ]);
  });

  it('when the last role of its creator on the form ends; subscriptions to other forms stay', async () => {
    const elsewhere = newId();
    const guest = aUser({ instanceId, roles: { [elsewhere]: 'viewer' } });
    const [granted, revoked] = [aForm({ grants: { [guest.id]: 'viewer' } }), aForm({ grants: { [guest.id]: 'owner' } })];
    const [kept, ended, made] = [await subscribe(guest, granted), await subscribe(guest, revoked), await webhook(guest, revoked)];

    await grant(revoked, guest, 'viewer');
    expect([await isActive(kept), await isActive(ended), await isActive(made)]).toEqual([true, true, false]);
    await grant(revoked, guest);
    expect([await isActive(kept), await isActive(ended)]).toEqual([true, false]);

    // A person without a membership cannot authenticate, whatever was granted to them.
    await standing(guest, {});
    expect(await isActive(kept)).toBe(false);
  });

  it('if it is a webhook of the application and its creator becomes a viewer, unless they created the form or have a higher grant', async () => {
    const editor = member('editor');
    const [plain, theirs, granted] = [aForm(), aForm({ creatorId: editor.id }), aForm({ grants: { [editor.id]: 'editor' } })];
    const [ended, asCreator, asGranted] = [await webhook(editor, plain), await webhook(editor, theirs), await webhook(editor, granted)];
    const platform = await subscribe(editor, plain);

    await standing(editor, { roles: { [workspaceId]: 'viewer' } });
    expect(await Promise.all([ended, platform, asCreator, asGranted].map(isActive))).toEqual([false, true, true, true]);

    await standing(editor, { roles: { [newId()]: 'owner' } });
    expect(await Promise.all([platform, asCreator, asGranted].map(isActive))).toEqual([false, false, true]);
  });

  it.each([
    ['loses the scope', ['submissions:read']],
    ['is deleted', []],
  ])('if it belongs to a service account that %s', async (_, left) => {
    const robot = aServiceAccount({ instanceId, scopes: ['hooks:manage', 'submissions:read', 'forms:read'] });
    const made = [await subscribe(robot), await webhook(robot)];
    await standing(robot, { scopes: ['hooks:manage', 'submissions:read'] });
    expect(await Promise.all(made.map(isActive))).toEqual([true, true]);
    await standing(robot, { scopes: left });
    expect(await Promise.all(made.map(isActive))).toEqual([false, false]);
  });

  it('if it is a webhook that carries answers, of a service account that may not read them any more', async () => {
    const robot = aServiceAccount({ instanceId, scopes: ['hooks:manage', 'submissions:read'] });
    const [platform, form] = [await subscribe(robot), aForm()];
    const carrying = await webhook(robot, form);
    const plain = await service.client.createWebhook(callAs(robot), {
      form_id: form,
      target_url: 'https://hooks.example.org/plain',
      event: 'submission.deleted',
    });
    await standing(robot, { scopes: ['hooks:manage'] });
    expect(await Promise.all([platform, carrying, plain].map(isActive))).toEqual([true, false, true]);
  });

  describe('with the access of whoever changed where or what it sends, even if its creator keeps theirs', () => {
    const elsewhere = () => `https://hooks.example.org/${(paths += 1)}`;

    it.each([
      ['its target', () => ({ target_url: elsewhere() })],
      ['its events', () => ({ events: ['submission.deleted'] })],
      ['its payload', () => ({ payload: 'named' })],
    ])('%s', async (_, patch) => {
      const [maker, changer, lastToSwitchOn] = [member('editor'), member('editor'), member('editor')];
      const form = aForm();
      const made = await webhook(maker, form);
      await update(form, made.id, { active: false }, maker);
      await update(form, made.id, { active: true }, lastToSwitchOn);
      await update(form, made.id, patch(), changer);
      await standing(maker, {});
      await standing(lastToSwitchOn, {});
      expect(await isActive(made)).toBe(true);
      await standing(changer, { roles: { [workspaceId]: 'viewer' } });
      expect(await isActive(made)).toBe(false);
    });

    it('of the whole instance and of a workspace, by a person or a service account', async () => {
      const owner: User = { ...member('owner'), instanceRole: 'owner' };
      const admin: User = { ...member('admin'), instanceRole: 'admin' };
      const robot = aServiceAccount({ instanceId, scopes: ['hooks:manage', 'submissions:read'] });
      const wide = async (place: object, changer: Client) => {
        const made = await service.client.createWebhook(callAs(owner), { ...place, target_url: elsewhere(), event: 'submission.created' });
        return service.client.updateWebhook(callAs(changer), { ...place, id: made.id, target_url: elsewhere() });
      };
      const made = [await wide({}, admin), await wide({ workspace_id: workspaceId }, admin), await wide({}, robot)];
      await standing(admin, { instance_role: null });
      await standing(robot, {});
      expect(await Promise.all(made.map(isActive))).toEqual([false, false, false]);
    });

    it('and the creator neither sees the new address as their own, nor is forgotten as its creator', async () => {
      const [maker, changer] = [member('editor'), member('editor')];
      const form = aForm();
      const made = await webhook(maker, form);
      await update(form, made.id, { target_url: 'https://hooks.example.org/secret' }, changer);
      const changed = await update(form, made.id, { target_url: 'https://hooks.example.org/secret/2' }, changer);
      expect(changed).toMatchObject({ created_by: { kind: 'user', id: maker.id } });
      const demoted = { ...maker, roles: { [workspaceId]: 'viewer' as const } };
      const { webhooks } = await service.client.listWebhooks(callAs(demoted), { form_id: form });
      expect(webhooks).toMatchObject([{ url: 'https://hooks.example.org' }]);
      const own = async (as: User) => (await service.client.listOwnHooks(callAs(as), { limit: 10 })).webhooks.map(({ id }) => id);
      expect([await own(demoted), await own(changer)]).toEqual([[], [made.id]]);
    });

    it('but not if they only switched it off or on', async () => {
      const [maker, switcher] = [member('editor'), member('editor')];
      const form = aForm();
      const made = await webhook(maker, form);
      await update(form, made.id, { active: false }, switcher);
      await update(form, made.id, { active: true, target_url: made.url }, switcher);
      await standing(switcher, {});
      expect(await isActive(made)).toBe(true);
    });
  });

  it('even if its principal has more subscriptions than one batch', async () => {
    const editor = member('editor');
    const made = await subscribe(editor);
    await service.db.raw(
      `insert into subscription (id, instance_id, form_id, workspace_id, event, url, url_hash, source, subscriber_kind, subscriber_id, active, revision, created_at, updated_at)
       select gen_random_uuid(), instance_id, gen_random_uuid(), workspace_id, event, url, url_hash, source, subscriber_kind, subscriber_id, true, 1, created_at, updated_at
         from subscription, generate_series(1, 450) where id = ?`,
      [made.id],
    );
    await standing(editor, {});
    expect(await service.db('subscription').where({ subscriber_id: editor.id, active: true })).toEqual([]);
  });
});

describe('a subscription stays', () => {
  it('while a later subscriber to the same target keeps their access', async () => {
    const [first, second] = [member('editor'), member('viewer')];
    const form = aForm();
    const made = await subscribe(first, form, 'https://hooks.example.org/shared');
    expect(await subscribe(second, form, 'https://hooks.example.org/shared')).toEqual(made);

    await standing(first, {});
    expect(await isActive(made)).toBe(true);
    await standing(second, {});
    expect(await isActive(made)).toBe(false);
  });

  it('while its creator or the user who switched it on again keeps their access', async () => {
    const [maker, editor] = [member('editor'), member('editor')];
    const form = aForm();
    const made = await webhook(maker, form);
    await update(form, made.id, { active: false }, editor);
    await update(form, made.id, { active: true }, editor);
    await standing(editor, {});
    expect(await isActive(made)).toBe(true);
    await standing(maker, {});
    expect(await isActive(made)).toBe(false);

    const other = member('editor');
    await update(form, made.id, { active: true }, other);
    await standing(maker, {});
    expect(await isActive(made)).toBe(true);
    await standing(other, { roles: { [workspaceId]: 'viewer' } });
    expect(await isActive(made)).toBe(false);
  });

  it('if an older version created it and its creator is a member of the workspace', async () => {
    const editor = member('editor');
    const made = await webhook(editor);
    await service.db('subscription').where({ id: made.id }).update({ form_creator_id: null });
    await standing(editor, { roles: { [workspaceId]: 'viewer' } });
    expect(await isActive(made)).toBe(true);
    await standing(editor, { roles: { [newId()]: 'owner' } });
    expect(await isActive(made)).toBe(false);
  });
});

describe('subscribing is refused', () => {
  it('if the access ended during the request, whatever the token says', async () => {
    const editor = member('editor');
    await standing(editor, {});
    await expect(subscribe(editor)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(webhook(editor)).rejects.toMatchObject({ code: 'forbidden' });

    const guest = aUser({ instanceId, roles: { [newId()]: 'viewer' } });
    const form = aForm({ grants: { [guest.id]: 'viewer' } });
    await grant(form, guest);
    await expect(subscribe(guest, form)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('if an event lowered the access, until the event is older than any token', async () => {
    const editor = member('editor');
    await standing(editor, { roles: { [workspaceId]: 'viewer' } });
    await expect(webhook(editor)).rejects.toMatchObject({ code: 'forbidden' });
    clock.advance(300_000);
    await expect(webhook(editor)).resolves.toMatchObject({ active: true });
  });

  it('or the subscription ends, if the end of the access is handled at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const editor = member('editor');
      const [made] = await Promise.allSettled([subscribe(editor), standing(editor, {})]);
      if (made.status === 'fulfilled') expect(await isActive(made.value)).toBe(false);
      else expect(made.reason).toMatchObject({ code: 'forbidden' });
    }
  });
});

it('skips an unreadable event and handles the following ones', async () => {
  const editor = member('editor');
  const made = await subscribe(editor);
  await handle(
    { ...event('standing.changed', editor.id, {}), body: 'nonsense' },
    event('standing.changed', editor.id, { kind: 'user', id: 'nonsense', roles: {}, scopes: [] }),
    event('grant.changed', editor.id, {}),
    event('access.changed', editor.id, {}),
    event('standing.changed', editor.id, { kind: 'user', id: editor.id, roles: { [workspaceId]: 'a role of tomorrow' }, scopes: [] }),
  );
  expect(await isActive(made)).toBe(false);
});
