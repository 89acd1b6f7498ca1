import { newId, type Client, type User, type WorkspaceRole } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aServiceAccount, aUser, callAs, TestClock } from '@sheaf/testing';
import { followForms } from '../src/entitlement/follow-forms';
import { startService, type KnownForm, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
const [here, there] = [newId(), newId()];
const forms = new Map<string, KnownForm>();
let service: Service;
beforeAll(async () => {
  service = await startService(clock, forms);
});
afterAll(() => service.stop());

const person = (roles: Record<string, WorkspaceRole>): User => aUser({ instanceId, workspaceId: here, roles });
function aForm(given: Partial<KnownForm> = {}): string {
  const id = newId();
  forms.set(id, { instanceId, workspaceId: here, status: 'active', grants: {}, ...given });
  return id;
}
const webhook = (form_id: string, as: Client, path = '1') =>
  service.client.createWebhook(callAs(as), { form_id, target_url: `https://hooks.example.org/${path}`, event: 'submission.created' });
const moved = (form: string, workspace: string) =>
  followForms(service.deps, silentLog(), [
    {
      id: newId(),
      type: 'form.moved',
      instanceId,
      subject: form,
      occurredAt: clock.now(),
      body: JSON.stringify({ form_id: form, workspace_id: workspace }),
    },
  ]);
const stored = (id: string) =>
  service.db<{ id: string; active: boolean; workspace_id: string }>('subscription').where({ id }).first('active', 'workspace_id');

it('subscriptions of a form that moves end unless somebody who holds them has a role in the new workspace, or a grant', async () => {
  const guest = person({ [newId()]: 'viewer' });
  const form = aForm({ grants: { [guest.id]: 'editor' } });
  const other = aForm();
  const [left, stays, granted, robot] = [
    await webhook(form, person({ [here]: 'editor' }), 'left'),
    await webhook(form, person({ [here]: 'editor', [there]: 'editor' }), 'stays'),
    await webhook(form, guest, 'granted'),
    await webhook(form, aServiceAccount({ instanceId, scopes: ['hooks:manage', 'submissions:read'] }), 'robot'),
  ];
  const elsewhere = await webhook(other, person({ [here]: 'editor' }));
  for (const _ of ['once', 'again']) await moved(form, there);
  expect(await stored(left.id)).toEqual({ active: false, workspace_id: there });
  for (const { id } of [stays, granted, robot]) expect(await stored(id)).toEqual({ active: true, workspace_id: there });
  expect(await stored(elsewhere.id)).toEqual({ active: true, workspace_id: here });
});

it('a subscription to a form that moves while somebody subscribes follows it', async () => {
  const form = aForm();
  let asked = 0;
  // It moves after the caller was authorized.
  Object.defineProperty(forms.get(form), 'workspaceId', { get: () => (asked++ === 0 ? here : there) });
  const { id } = await webhook(form, person({ [here]: 'editor' }));
  expect(await stored(id)).toEqual({ active: false, workspace_id: there });
});

it('an unreadable event is skipped', async () => {
  await expect(moved('no id', there)).resolves.toBeUndefined();
});
