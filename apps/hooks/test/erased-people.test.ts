import { newId, type User } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aUser, connectionsDieAt, eventually, refused } from '@sheaf/testing';
import { erasePeople } from '../src/erasing/erase-person';
import { aForm, announced, clock, db, deps, instanceId, person, subscribe, useService, viewer, workspaceId } from './stage';

useService();

const member = (): User => aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor' } });
const erased = ({ id }: User, erasureId = newId(), body = JSON.stringify({ erasure_id: erasureId, person_id: id })) => ({
  id: newId(),
  type: 'person.erased' as const,
  instanceId,
  subject: id,
  occurredAt: clock.now(),
  body,
});
const handle = (...events: ReturnType<typeof erased>[]) => erasePeople(deps, silentLog(), events);
const confirmations = async (erasureId: string) =>
  (await db<{ subject: string; body: string }>('outbox').where({ subject: erasureId })).map(({ body }) => JSON.parse(body) as object);
const subscriptionsOf = ({ id }: User) => db('subscription').where({ subscriber_id: id });

it('an erased person loses their subscriptions, also inactive ones, and grants, of which delivery hears, and others keep theirs', async () => {
  const [gone, other] = [member(), member()];
  const form = aForm({ grants: { [gone.id]: 'editor' } });
  const { id } = await subscribe({ form_id: form }, gone);
  const { id: inactive } = await subscribe({}, gone);
  await db('subscription').where({ id: inactive }).update({ active: false });
  const { id: kept } = await subscribe({}, other);
  const erasureId = newId();
  await handle(erased(gone, erasureId, 'nonsense'), erased(gone, erasureId));
  expect(await subscriptionsOf(gone)).toEqual([]);
  expect(await db('known_grant').where({ user_id: gone.id })).toEqual([]);
  expect(await db('subscription').where({ id: kept })).toHaveLength(1);
  await eventually(() => expect(announced(id).at(-1)).toMatchObject({ state: 'deleted' }));
  expect(await confirmations(erasureId)).toEqual([
    { erasure_id: erasureId, service: 'hooks', counts: { subscriptions: 2, grants: expect.any(Number) as number } },
  ]);
});

it('a subscription that somebody else has renewed stays while they are entitled to it', async () => {
  const gone = member();
  const form = aForm();
  const { id } = await subscribe({ form_id: form }, gone);
  await subscribe({ form_id: form }, viewer);
  await handle(erased(gone));
  expect(await db('subscription').where({ id })).toMatchObject([{ active: true, renewed_by_id: viewer.id }]);
});

it('a request that began before cannot subscribe for an erased person', async () => {
  const gone = member();
  await handle(erased(gone));
  await expect(subscribe({}, gone)).rejects.toEqual(refused('forbidden'));
  await expect(subscribe({}, person())).rejects.toEqual(refused('forbidden'));
});

it('more subscriptions than one batch are deleted', async () => {
  const gone = member();
  const { id } = await subscribe({}, gone);
  await db.raw(
    `insert into subscription (id, instance_id, form_id, workspace_id, event, url, url_hash, source, subscriber_kind, subscriber_id, active, revision, created_at, updated_at)
     select gen_random_uuid(), instance_id, gen_random_uuid(), workspace_id, event, url, url_hash, source, subscriber_kind, subscriber_id, true, 1, created_at, updated_at
       from subscription, generate_series(1, 450) where id = ?`,
    [id],
  );
  const erasureId = newId();
  await handle(erased(gone, erasureId));
  expect(await confirmations(erasureId)).toMatchObject([{ counts: { subscriptions: 451 } }]);
});

it.each(['before delete on subscription', 'before delete on known_grant', 'before insert on outbox'])(
  'an event whose process died %s erases them the next time',
  async (point) => {
    const gone = member();
    await subscribe({ form_id: aForm({ grants: { [gone.id]: 'editor' } }) }, gone);
    const event = erased(gone);
    const breaking = await connectionsDieAt(db, point);
    await expect(handle(event)).rejects.toThrow();
    await breaking.end();
    await handle(event);
    expect(await subscriptionsOf(gone)).toEqual([]);
    expect(await db('known_grant').where({ user_id: gone.id })).toEqual([]);
  },
);
