import { erasureBegun, erasureConfirmed } from '@sheaf/events';
import { newId, type User } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aUser, callAs, expectCursorsChecked, forged, refused } from '@sheaf/testing';
import { storeFromEvery } from '../src/store-from-every';
import { client, clock, db, instanceId, owner, useAuditLog, workspaceId } from './audit-stage';

useAuditLog();

const store = (...events: Parameters<typeof storeFromEvery>[2]) => storeFromEvery({ db }, silentLog(), events);
const begun = (id: string, { by = owner(), inWorkspace = workspaceId }: { by?: User; inWorkspace?: string } = {}) =>
  erasureBegun(
    { caller: by, call: {} },
    {
      id,
      kind: 'submission',
      targetId: newId(),
      formId: newId(),
      workspaceId: inWorkspace,
      reason: 'requested',
      awaited: ['submissions', 'delivery'],
    },
    clock.now(),
  );
const confirmed = (id: string, service: 'submissions' | 'delivery', submissions = 1) =>
  erasureConfirmed({ id, instanceId, formId: newId() }, { service, counts: { submissions } }, clock.now());
const get = (id: string, by: User = owner()) => client.getErasure(callAs(by), { id });
const list = (page: { limit?: number; cursor?: string } = {}, by: User = owner()) =>
  client.listErasures(callAs(by), { limit: 25, ...page });
const member = (role: 'admin' | 'editor') => aUser({ instanceId, roles: { [workspaceId]: role } });

it('an erasure names the services that it awaits, and what each has erased once it has confirmed', async () => {
  const id = newId();
  await store(begun(id));
  expect((await get(id)).services).toMatchObject([{ service: 'submissions', counts: {} }, { service: 'delivery' }]);
  clock.advance(60_000);
  await store(confirmed(id, 'submissions', 3));
  expect((await get(id)).services).toMatchObject([
    { service: 'submissions', confirmed_at: clock.now().toISOString(), counts: { submissions: 3 } },
    { service: 'delivery' },
  ]);
});

it('events that come twice, and a confirmation that comes first, are stored once', async () => {
  const id = newId();
  await store(confirmed(id, 'delivery', 1));
  await store(begun(id), begun(id), confirmed(id, 'delivery', 2));
  expect((await get(id)).services).toEqual([
    { service: 'submissions', counts: {} },
    { service: 'delivery', confirmed_at: clock.now().toISOString(), counts: { submissions: 1 } },
  ]);
  expect((await list()).erasures).toHaveLength(1);
});

it('an unreadable event is skipped, and those in the same batch are stored', async () => {
  const id = newId();
  const good = begun(id);
  await store({ ...good, body: 'nonsense' }, { ...good, instanceId: 'x' }, { ...confirmed(id, 'delivery'), body: '{}' }, good);
  expect((await list()).erasures.map((erasure) => erasure.id)).toEqual([id]);
});

it('lists page by page, the newest first, and refuses a cursor of anything else', async () => {
  const ids = [newId(), newId(), newId()];
  for (const id of ids) {
    clock.advance(1_000);
    await store(begun(id));
  }
  const first = await list({ limit: 2 });
  const rest = await list({ limit: 2, cursor: first.next_cursor ?? '' });
  expect([...first.erasures, ...rest.erasures].map(({ id }) => id)).toEqual([...ids].reverse());
  expect(rest.next_cursor).toBeUndefined();
  await expect(list({ cursor: `${first.next_cursor}x` })).rejects.toEqual(refused('bad_request'));
});

it('refuses a cursor to a place that cannot exist, even with the right checksum', async () => {
  await expectCursorsChecked(
    { list: ['erasures', instanceId], real: ['2026-03-02T09:30:00.000Z', newId()], place: [forged.time(), forged.id()] },
    (cursor) => list({ cursor }),
  );
});

it('owners and admins of the workspace see an erasure, and the person who began it, but nobody else', async () => {
  const [id, elsewhere] = [newId(), newId()];
  const editor = member('editor');
  await store(begun(id, { by: editor }), begun(elsewhere, { inWorkspace: newId() }));
  expect(await get(id, member('admin'))).toMatchObject({ id, requested_by_kind: 'user', requested_by_id: editor.id });
  expect(await get(id, editor)).toMatchObject({ id });
  await expect(get(id, member('editor'))).rejects.toEqual(refused('not_found'));
  await expect(get(id, aUser({ instanceId: newId(), roles: { [workspaceId]: 'owner' } }))).rejects.toEqual(refused('not_found'));
  await expect(get('x')).rejects.toEqual(refused('not_found'));
  expect((await list({}, member('admin'))).erasures.map((erasure) => erasure.id)).toEqual([id]);
  await expect(list({}, editor)).rejects.toEqual(refused('forbidden'));
});
