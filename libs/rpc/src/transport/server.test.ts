import { newId, Problem, type Caller } from '@sheaf/kernel';
import { aUser, callAs, startNeighbour } from '@sheaf/testing';
import { connect } from './client';
import { Forms } from './protocol';
import { open } from './server';

const user = aUser({ instanceId: newId() });
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function forms(getForm: Parameters<typeof open<'user', { id: string }, Promise<Record<string, never>>>>[1]) {
  const { client, stop } = await startNeighbour(Forms, { getForm: open(['user'], getForm) });
  stops.push(stop);
  return client;
}

it('brings a refusal whole from one process to another', async () => {
  const problem = Problem.badRequest('data.name: is required – für alle', [{ key: 'name', message: 'is required' }]);
  const client = await forms(() => Promise.reject(problem));

  await expect(client.getForm(callAs(user), { id: 'x' })).rejects.toMatchObject({
    code: 'bad_request', message: problem.message, details: [{ key: 'name', message: 'is required' }],
  });
});

it('keeps to itself what an internal failure was', async () => {
  const client = await forms(() => Promise.reject(new Error('password of the database: hunter2')));

  const failure = await client.getForm(callAs(user), { id: 'x' }).catch((error: unknown) => error as Problem);
  expect(failure).toMatchObject({ code: 'internal_error', message: 'Something went wrong on our side.' });
  expect(JSON.stringify(failure)).not.toContain('hunter2');
});

it('hands on who calls, under which name, and how long they wait', async () => {
  const call = callAs(user);
  let asked: { caller: Caller; call: unknown } | undefined;
  const client = await forms((_, given) => {
    asked = given;
    return Promise.resolve({});
  });
  await client.getForm(call, { id: 'x' });
  expect(asked).toMatchObject({ caller: user, call: { token: call.token, requestId: call.requestId } });
  // On the wire it is the time that is left, so the way there moves it.
  const deadline = (asked?.call as { deadline: number }).deadline;
  expect(Math.abs(deadline - call.deadline)).toBeLessThan(5_000);
});

it('gives up at the deadline, however long the neighbour takes', async () => {
  let end: () => void = () => undefined;
  const client = await forms(() => new Promise((resolve) => (end = () => resolve({}))));
  await expect(client.getForm({ ...callAs(user), deadline: Date.now() + 50 }, { id: 'x' })).rejects.toMatchObject({ code: 'unavailable' });
  // Else the service would wait for it when it stops.
  end();
});

it('says at once that a neighbour is away', async () => {
  const away = connect('127.0.0.1:1', Forms);
  stops.push(() => Promise.resolve(away.close()));
  await expect(away.client.getForm(callAs(user), { id: 'x' })).rejects.toMatchObject({ code: 'unavailable' });
});

it.each([
  ['without a token', '', 'unauthorized'],
  ['with a token that somebody made up', 'eyJhbGciOiJub25lIn0.e30.', 'unauthorized'],
])('refuses a call %s before it does anything', async (_, token, code) => {
  const handle = jest.fn(() => Promise.resolve({}));
  const client = await forms(handle);
  await expect(client.getForm({ ...callAs(user), token }, { id: 'x' })).rejects.toMatchObject({ code });
  expect(handle).not.toHaveBeenCalled();
});

it('refuses a kind of caller that the door does not admit, and every call to a door that nobody opened', async () => {
  const handle = jest.fn(() => Promise.resolve({}));
  const client = await forms(handle);
  await expect(client.getForm(callAs({ kind: 'respondent', instanceId: newId() }), { id: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(client.trashForm(callAs(user), { id: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(handle).not.toHaveBeenCalled();
});

it('takes a caller who is a member of several hundred workspaces', async () => {
  const roles = Object.fromEntries(Array.from({ length: 600 }, () => [newId(), 'editor' as const]));
  const client = await forms(() => Promise.resolve({}));
  await expect(client.getForm(callAs({ ...user, roles }), { id: 'x' })).resolves.toBeDefined();
});
