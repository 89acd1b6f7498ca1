import { commandOutbox } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aUser, callAs, connectionsDieAt, refused } from '@sheaf/testing';
import { erasePeople } from '../src/erasing/erase-person';
import { access, client, clock, create, db, grant, instanceId, owner, stranger, useService } from './stage';

useService();

const erased = (id: string, erasureId = newId(), body = JSON.stringify({ erasure_id: erasureId, person_id: id })) => ({
  id: newId(),
  type: 'person.erased' as const,
  instanceId,
  subject: id,
  occurredAt: clock.now(),
  body,
});
const handle = (...events: ReturnType<typeof erased>[]) => erasePeople({ outbox: commandOutbox(db), clock }, silentLog(), events);
const confirmations = async (erasureId: string) =>
  (await db<{ subject: string; body: string }>('outbox').where({ subject: erasureId })).map(({ body }) => JSON.parse(body) as object);
const favourite = (form_id: string, id: string) => db('favorite').insert({ form_id, principal_id: id, created_at: clock.now() });

const view = (form_id: string, owner_id: string | null) =>
  db('submission_view').insert({
    id: newId(),
    form_id,
    owner_id,
    name: 'New',
    pinned: false,
    position: 1,
    search: '{}',
    created_at: clock.now(),
    updated_at: clock.now(),
  });

const preset = (form_id: string, owner_id: string | null) =>
  db('export_preset').insert({
    id: newId(),
    form_id,
    owner_id,
    name: 'New',
    file: '{"format":"csv"}',
    created_at: clock.now(),
    updated_at: clock.now(),
  });

it('an erased person loses their grants, favourites, own views and own export presets, those of others and what they shared stay, and this is confirmed', async () => {
  const [person, other] = [aUser({ instanceId }), aUser({ instanceId })];
  const [one, two] = [(await create('One', owner)).id, (await create('Two', owner)).id];
  await grant(one, person, 'owner');
  await grant(two, person, 'viewer');
  await grant(two, other, 'viewer');
  await favourite(one, person.id);
  for (const owner_id of [person.id, other.id, null]) {
    await view(one, owner_id);
    await preset(one, owner_id);
  }
  const erasureId = newId();
  await handle(erased(person.id, erasureId, 'nonsense'), erased(person.id, erasureId));
  expect(await access(one)).toMatchObject({ grants: {} });
  expect(await access(two)).toMatchObject({ grants: { [other.id]: 'viewer' } });
  expect(await db('favorite').where({ principal_id: person.id })).toEqual([]);
  for (const table of ['submission_view', 'export_preset']) {
    expect(await db(table).where({ form_id: one }).whereNotNull('owner_id').pluck('owner_id')).toEqual([other.id]);
    expect(await db(table).where({ form_id: one, owner_id: null })).toHaveLength(1);
  }
  expect(await confirmations(erasureId)).toEqual([
    { erasure_id: erasureId, service: 'forms', counts: { grants: 2, favorites: 1, views: 1, export_presets: 1 } },
  ]);
});

it('a view or preset that a person keeps while they are erased does not outlive them', async () => {
  const person = aUser({ instanceId });
  const { id: form_id } = await create('Survey', owner);
  await grant(form_id, person, 'editor');
  const as = callAs(person);
  const keepView = (name: string, shared = false) =>
    client.createView(as, { form_id, name, shared, pinned: false, search: Buffer.from('{}') });
  const keepPreset = (name: string, shared = false) =>
    client.createExportPreset(as, { form_id, name, shared, file: Buffer.from('{"format":"csv"}') });
  const [view1, preset1] = [await keepView('Ours', true), await keepPreset('Ours', true)];

  const during = Array.from({ length: 5 }, (_, n) => [keepView(`${n}`), keepPreset(`${n}`)]).flat();
  await Promise.all([handle(erased(person.id)), Promise.allSettled(during)]);
  await grant(form_id, person, 'editor');
  const gone = refused('forbidden', 'You were erased, so nothing is kept for you.');
  await expect(keepView('Late')).rejects.toEqual(gone);
  await expect(keepPreset('Late')).rejects.toEqual(gone);
  const own = { shared: false };
  await expect(client.updateView(as, { form_id, id: view1.id, patch: own, set: ['shared'] })).rejects.toEqual(gone);
  await expect(client.updateExportPreset(as, { form_id, id: preset1.id, patch: own, set: ['shared'] })).rejects.toEqual(gone);
  for (const table of ['submission_view', 'export_preset'])
    expect(await db(table).where({ form_id }).select('name', 'owner_id')).toEqual([{ name: 'Ours', owner_id: null }]);
});

it('a person of the same id in another instance keeps everything', async () => {
  const person = aUser({ instanceId });
  const { id } = await client.createForm(callAs(stranger), { title: 'Elsewhere' });
  await grant(id, person, 'editor');
  await favourite(id, person.id);
  await handle(erased(person.id));
  expect(await db('form_grant').where({ user_id: person.id })).toHaveLength(1);
  expect(await db('favorite').where({ principal_id: person.id })).toHaveLength(1);
});

it('more grants than one batch are removed', async () => {
  const person = aUser({ instanceId });
  const { id } = await create('Many', owner);
  await db.raw(
    `with copy as (
       insert into form select (json_populate_record(f, json_build_object('id', gen_random_uuid()))).* from form f, generate_series(1, 450) where f.id = ?
       returning id)
     insert into form_grant select id, ?, 'viewer', now() from copy`,
    [id, person.id],
  );
  const erasureId = newId();
  await handle(erased(person.id, erasureId));
  expect(await confirmations(erasureId)).toMatchObject([{ counts: { grants: 450 } }]);
});

it.each(['before delete on form_grant', 'before delete on favorite', 'before insert on outbox'])(
  'an event whose process died %s removes them the next time',
  async (point) => {
    const person = aUser({ instanceId });
    const { id } = await create('Survey', owner);
    await grant(id, person, 'editor');
    await favourite(id, person.id);
    const event = erased(person.id);
    const breaking = await connectionsDieAt(db, point);
    await expect(handle(event)).rejects.toThrow();
    await breaking.end();
    await handle(event);
    expect(await access(id)).toMatchObject({ grants: {} });
    expect(await db('favorite').where({ principal_id: person.id })).toEqual([]);
  },
);
