import type { DomainEvent } from '@sheaf/events';
import { newId, type Client, type FormRole, type User, type WorkspaceRole } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aServiceAccount, aUser, callAs, eventually, TestClock } from '@sheaf/testing';
import { endUnentitled } from '../src/end-unentitled';
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
  service.client.createWebhook(callAs(as), { form_id, target_url: `https://hooks.example.org/${(paths += 1)}`, event: 'submission.created' });
const update = (form_id: string, id: string, patch: object, as: Client) => service.client.updateWebhook(callAs(as), { form_id, id, ...patch });

const event = (type: DomainEvent['type'], subject: string, body: object): DomainEvent => ({ id: newId(), type, instanceId, subject, occurredAt: clock.now(), body: JSON.stringify(body) });
const hear = (...events: DomainEvent[]) => endUnentitled(service.deps, silentLog(), events);
const standing = ({ kind, id }: Client, given: { roles?: Record<string, WorkspaceRole>; scopes?: string[] }) =>
  hear(event('standing.changed', id, { kind, id, roles: {}, scopes: [], ...given }));
const grant = (form_id: string, { id: user_id }: User, role?: FormRole) => hear(event('grant.changed', `${form_id}:${user_id}`, { form_id, workspace_id: workspaceId, user_id, role }));
const isActive = async ({ id }: { id: string }) => (await service.db<{ id: string; active: boolean }>('subscription').where({ id }).first('active'))?.active;

describe('a subscription ends', () => {
  it('when whoever made it is a member of nothing any more; delivery and the audit log are told, once', async () => {
    const editor = member('editor');
    const [first, other] = [await subscribe(editor), await subscribe(member('editor'))];

    await standing(editor, {});
    await standing(editor, {});

    expect([await isActive(first), await isActive(other)]).toEqual([false, true]);
    await eventually(() => expect(service.told(first.id)).toMatchObject([{ state: 'active', revision: 1 }, { state: 'inactive', revision: 2 }]));
    const entries = await service.db<{ body: string; type: string; subject: string }>('outbox').where({ type: 'audit.recorded', subject: first.id }).orderBy('position');
    expect(entries.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { action: 'hook.subscribed' },
      { action: 'hook.deactivated', actor: { kind: 'service', id: 'hooks' }, workspace_id: workspaceId, details: { event: 'submission.created', reason: 'access_ended' } },
    ]);
  });

  it('when their last role on the form ends, while those on other forms stay', async () => {
    const elsewhere = newId();
    const guest = aUser({ instanceId, roles: { [elsewhere]: 'viewer' } });
    const [granted, revoked] = [aForm({ grants: { [guest.id]: 'viewer' } }), aForm({ grants: { [guest.id]: 'owner' } })];
    const [kept, ended, made] = [await subscribe(guest, granted), await subscribe(guest, revoked), await webhook(guest, revoked)];

    await grant(revoked, guest, 'viewer');
    expect([await isActive(kept), await isActive(ended), await isActive(made)]).toEqual([true, true, false]);
    await grant(revoked, guest);
    expect([await isActive(kept), await isActive(ended)]).toEqual([true, false]);

    // A person without a membership does not authenticate, whatever was granted to them.
    await standing(guest, {});
    expect(await isActive(kept)).toBe(false);
  });

  it('for a webhook of the application already when whoever made it becomes a viewer, unless they made the form or were granted more', async () => {
    const editor = member('editor');
    const [plain, theirs, granted] = [aForm(), aForm({ creatorId: editor.id }), aForm({ grants: { [editor.id]: 'editor' } })];
    const [ended, asCreator, asGranted] = [await webhook(editor, plain), await webhook(editor, theirs), await webhook(editor, granted)];
    const platform = await subscribe(editor, plain);

    await standing(editor, { roles: { [workspaceId]: 'viewer' } });
    expect(await Promise.all([ended, platform, asCreator, asGranted].map(isActive))).toEqual([false, true, true, true]);

    await standing(editor, { roles: { [newId()]: 'owner' } });
    expect(await Promise.all([platform, asCreator, asGranted].map(isActive))).toEqual([false, false, true]);
  });

  it.each([['loses the scope', ['forms:read']], ['is deleted', []]])('of a service account when it %s', async (_, left) => {
    const robot = aServiceAccount({ instanceId, scopes: ['hooks:manage', 'forms:read'] });
    const made = [await subscribe(robot), await webhook(robot)];
    await standing(robot, { scopes: ['hooks:manage'] });
    expect(await Promise.all(made.map(isActive))).toEqual([true, true]);
    await standing(robot, { scopes: left });
    expect(await Promise.all(made.map(isActive))).toEqual([false, false]);
  });

  it('for all of somebody who has more of them than one transaction takes', async () => {
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
  it('with the access of whoever subscribed again to the same, until that ends too', async () => {
    const [first, second] = [member('editor'), member('viewer')];
    const form = aForm();
    const made = await subscribe(first, form, 'https://hooks.example.org/shared');
    expect(await subscribe(second, form, 'https://hooks.example.org/shared')).toEqual(made);

    await standing(first, {});
    expect(await isActive(made)).toBe(true);
    await standing(second, {});
    expect(await isActive(made)).toBe(false);
  });

  it('with the access of whoever switched it on again or gave it another target, and not of one who changed something else', async () => {
    const [maker, editor] = [member('editor'), member('editor')];
    const form = aForm();
    const made = await webhook(maker, form);
    await update(form, made.id, { event: 'submission.deleted' }, editor);
    await standing(maker, {});
    expect(await isActive(made)).toBe(false);

    await update(form, made.id, { active: true }, editor);
    await standing(maker, {});
    expect(await isActive(made)).toBe(true);
    await standing(editor, { roles: { [workspaceId]: 'viewer' } });
    expect(await isActive(made)).toBe(false);

    const moved = await webhook(maker, form).catch(() => webhook(member('editor'), form));
    await update(form, moved.id, { target_url: 'https://hooks.example.org/moved' }, member('owner'));
    await standing(maker, {});
    expect(await isActive(moved)).toBe(true);
  });

  it('that an older version made, while whoever made it is a member of the workspace', async () => {
    const editor = member('editor');
    const made = await webhook(editor);
    await service.db('subscription').where({ id: made.id }).update({ form_creator_id: null });
    await standing(editor, { roles: { [workspaceId]: 'viewer' } });
    expect(await isActive(made)).toBe(true);
    await standing(editor, { roles: { [newId()]: 'owner' } });
    expect(await isActive(made)).toBe(false);
  });
});

describe('nobody subscribes', () => {
  it('whose access ended while their request was under way, whatever its token says', async () => {
    const editor = member('editor');
    await standing(editor, {});
    await expect(subscribe(editor)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(webhook(editor)).rejects.toMatchObject({ code: 'forbidden' });

    const guest = aUser({ instanceId, roles: { [newId()]: 'viewer' } });
    const form = aForm({ grants: { [guest.id]: 'viewer' } });
    await grant(form, guest);
    await expect(subscribe(guest, form)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('less than their token says, once the event is older than any token', async () => {
    const editor = member('editor');
    await standing(editor, { roles: { [workspaceId]: 'viewer' } });
    await expect(webhook(editor)).rejects.toMatchObject({ code: 'forbidden' });
    clock.advance(300_000);
    await expect(webhook(editor)).resolves.toMatchObject({ active: true });
  });

  it('while the end of their access is being worked off: one of the two finds the other', async () => {
    for (let round = 0; round < 20; round += 1) {
      const editor = member('editor');
      const [made] = await Promise.allSettled([subscribe(editor), standing(editor, {})]);
      if (made.status === 'fulfilled') expect(await isActive(made.value)).toBe(false);
      else expect(made.reason).toMatchObject({ code: 'forbidden' });
    }
  });
});

it('an event that cannot be read is left out, and those after it are worked off', async () => {
  const editor = member('editor');
  const made = await subscribe(editor);
  await hear(
    { ...event('standing.changed', editor.id, {}), body: 'nonsense' },
    event('standing.changed', editor.id, { kind: 'user', id: 'nonsense', roles: {}, scopes: [] }),
    event('grant.changed', editor.id, {}),
    event('access.changed', editor.id, {}),
    event('standing.changed', editor.id, { kind: 'user', id: editor.id, roles: { [workspaceId]: 'a role of tomorrow' }, scopes: [] }),
  );
  expect(await isActive(made)).toBe(false);
});
