import { commandOutbox } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { callAs, connectionsDieAt, refused } from '@sheaf/testing';
import { eraseWorkspaces, noteErasedWorkspaces } from '../src/erasing/erase-workspace';
import { client, clock, create, db, get, instanceId, member, owner, publish, putSettings, useService } from './stage';

useService();

const minutes = 60_000;
const note = (workspace: string, erasureId = newId(), body = JSON.stringify({ erasure_id: erasureId, workspace_id: workspace })) =>
  noteErasedWorkspaces({ db }, silentLog(), [
    { id: newId(), type: 'workspace.erased', instanceId, subject: workspace, occurredAt: clock.now(), body },
  ]);
const erase = () => eraseWorkspaces({ db, outbox: commandOutbox(db), clock });
const formsIn = (workspace: string) => db<{ id: string; workspace_id: string }>('form').where({ workspace_id: workspace });
const bodies = async (type: string) =>
  (await db<{ type: string; body: string }>('outbox').where({ type })).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const confirmations = async (erasureId: string) =>
  (await bodies('erasure.confirmed')).filter((body) => body.erasure_id === erasureId).map(({ counts }) => counts);

it('the forms of an erased workspace are erased in batches, each as an erasure of its own, and others stay', async () => {
  const workspace = newId();
  const ours = member('owner', workspace);
  const { id } = await create('Survey', ours);
  await publish(id, ours);
  for (let n = 0; n < 44; n++) await create(`Form ${n}`, ours);
  const { id: other } = await create('Elsewhere', owner);
  const erasureId = newId();
  await note(workspace, erasureId);
  await note(workspace, newId());
  expect(await erase()).toBe(45);
  expect(await formsIn(workspace)).toEqual([]);
  await expect(get(other, owner)).resolves.toMatchObject({ id: other });
  expect((await bodies('form.erased')).filter(({ workspace_id }) => workspace_id === workspace)).toHaveLength(45);
  expect((await bodies('erasure.begun')).find(({ target_id }) => target_id === id)).toMatchObject({
    kind: 'form',
    requested_by: { kind: 'service', id: 'forms' },
  });
  expect(await confirmations(erasureId)).toEqual([{ forms: 45 }]);
});

it('a form that a request creates meanwhile is erased as well, and nothing is looked for after that', async () => {
  const workspace = newId();
  const erasureId = newId();
  await note(workspace, erasureId);
  await erase();
  await create('Late', member('owner', workspace));
  clock.advance(9 * minutes);
  expect(await erase()).toBe(1);
  clock.advance(minutes);
  await erase();
  expect(await db('erased_workspace').where({ workspace_id: workspace }).whereNull('closed_at')).toEqual([]);
  expect(await confirmations(erasureId)).toEqual([{ forms: 0 }]);
});

it('a form under legal hold stays, and the erasure goes on when the hold ends', async () => {
  const workspace = newId();
  const ours = member('owner', workspace);
  const [held, free] = [(await create('Held', ours)).id, (await create('Free', ours)).id];
  await putSettings(held, { legal_hold: true }, ours);
  const erasureId = newId();
  await note(workspace, erasureId);
  clock.advance(60 * minutes);
  expect(await erase()).toBe(1);
  expect((await formsIn(workspace)).map(({ id }) => id)).toEqual([held]);
  expect(await confirmations(erasureId)).toEqual([]);
  await expect(get(free, ours)).rejects.toEqual(refused('not_found'));
  await putSettings(held, { legal_hold: false }, ours);
  expect(await erase()).toBe(1);
  expect(await confirmations(erasureId)).toEqual([{ forms: 2 }]);
});

it('owners of a workspace learn whether a form of it is under legal hold, and nobody else', async () => {
  const workspace = newId();
  const ours = member('owner', workspace);
  const hold = (as = ours) => client.getWorkspaceHold(callAs(as), { workspace_id: workspace });
  const { id } = await create('Held', ours);
  expect(await hold()).toEqual({});
  await putSettings(id, { legal_hold: true }, ours);
  expect(await hold()).toEqual({ form_id: id });
  await expect(hold(member('admin', workspace))).rejects.toEqual(refused('forbidden'));
});

it('an unreadable event is skipped', async () => {
  await note(newId(), newId(), 'nonsense');
  expect(await erase()).toBe(0);
});

it.each(['before delete on form', 'before insert on outbox', 'before update on erased_workspace'])(
  'a process that died %s loses nothing: the next round erases each form once',
  async (point) => {
    const workspace = newId();
    for (let n = 0; n < 3; n++) await create(`Form ${n}`, member('owner', workspace));
    const erasureId = newId();
    await note(workspace, erasureId);
    const breaking = await connectionsDieAt(db, point);
    await expect(erase()).rejects.toThrow();
    await breaking.end();
    await Promise.all([erase(), erase()]);
    await erase();
    expect(await formsIn(workspace)).toEqual([]);
    expect((await bodies('form.erased')).filter(({ workspace_id }) => workspace_id === workspace)).toHaveLength(3);
    expect(await confirmations(erasureId)).toEqual([{ forms: 3 }]);
  },
);
