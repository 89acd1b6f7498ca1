import { updateForm } from '@sheaf/contracts';
import { newId, Problem, type Caller, type Scope } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, startNeighbour } from '@sheaf/testing';
import { z } from 'zod';
import { answerAs } from '../answer';
import type { TokenFor } from '../call';
import { id, nothing } from '../shapes';
import { connect } from './client';
import { clientsWith, open, openStream, type Asked, type Doors } from './door';
import { Forms, Hooks, Submissions, type FormsDefinition } from './protocol';

const user = aUser({ instanceId: newId() });
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const Named = z.object({ id: id() });

async function forms(getForm: (request: { id: string }, asked: Asked) => Promise<Record<string, never>>) {
  const { client, stop } = await startNeighbour(Forms, { getForm: open(['user'], Named, getForm) });
  stops.push(stop);
  return client;
}

it('carries a complete problem from one process to another', async () => {
  const problem = Problem.badRequest('data.name: is required – für alle', [{ key: 'name', message: 'is required' }]);
  const client = await forms(() => Promise.reject(problem));

  await expect(client.getForm(callAs(user), { id: 'x' })).rejects.toMatchObject({
    code: 'bad_request',
    message: problem.message,
    details: [{ key: 'name', message: 'is required' }],
  });
});

it('does not reveal the cause of an internal failure', async () => {
  const client = await forms(() => Promise.reject(new Error('password of the database: hunter2')));

  const failure = await client.getForm(callAs(user), { id: 'x' }).catch((error: unknown) => error as Problem);
  expect(failure).toMatchObject({ code: 'internal_error', message: 'Something went wrong on our side.' });
  expect(JSON.stringify(failure)).not.toContain('hunter2');
});

it('passes on the caller, the request id and the deadline', async () => {
  const call = callAs(user);
  let asked: { caller: Caller; call: unknown } | undefined;
  const client = await forms((_, given) => {
    asked = given;
    return Promise.resolve({});
  });
  const sentAt = Date.now();
  await client.getForm(call, { id: 'x' });
  const underwayMs = Date.now() - sentAt;
  expect(asked).toMatchObject({ caller: user, call: { token: expect.any(String) as unknown, requestId: call.requestId } });
  // The wire carries the remaining time, so the deadline shifts by as long as the call was under way.
  const { deadline } = (asked?.call ?? {}) as { deadline: number };
  expect(deadline).toBeGreaterThanOrEqual(call.deadline);
  expect(deadline).toBeLessThanOrEqual(call.deadline + underwayMs);
});

it('fails at the deadline, however long the neighbour takes', async () => {
  let end: () => void = () => undefined;
  const over = new Promise<Record<string, never>>((resolve) => (end = () => resolve({})));
  const client = await forms(() => over);
  await expect(client.getForm({ ...callAs(user), deadline: Date.now() + 50 }, { id: 'x' })).rejects.toMatchObject({ code: 'unavailable' });
  // Otherwise the service would wait for this call when it stops.
  end();
});

it('fails at once when a neighbour is down', async () => {
  const unreachable = connect('127.0.0.1:1', Forms);
  stops.push(() => Promise.resolve(unreachable.close()));
  await expect(unreachable.client.getForm(callAs(user), { id: 'x' })).rejects.toMatchObject({ code: 'unavailable' });
});

it.each([
  ['without a token', '', 'unauthorized'],
  ['with a forged token', 'eyJhbGciOiJub25lIn0.e30.', 'unauthorized'],
])('rejects a call %s before its handler runs', async (_, token, code) => {
  const handle = jest.fn(() => Promise.resolve({}));
  const client = await forms(handle);
  await expect(client.getForm({ ...callAs(user), token }, { id: 'x' })).rejects.toMatchObject({ code });
  expect(handle).not.toHaveBeenCalled();
});

it('rejects a kind of caller that a method does not admit, and every call to a method that admits no callers', async () => {
  const handle = jest.fn(() => Promise.resolve({}));
  const client = await forms(handle);
  await expect(client.getForm(callAs({ kind: 'respondent', instanceId: newId() }), { id: 'x' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(client.trashForm(callAs(user), { id: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(handle).not.toHaveBeenCalled();
});

it('rejects a token for another service', async () => {
  const handle = jest.fn(() => Promise.resolve({}));
  const client = await forms(handle);
  const call = callAs(user);
  const tokenFor = call.token as TokenFor;
  await expect(client.getForm({ ...call, token: tokenFor('workspaces') }, { id: 'x' })).rejects.toMatchObject({ code: 'unauthorized' });
  expect(handle).not.toHaveBeenCalled();
  await expect(client.getForm({ ...call, token: tokenFor('submissions') }, { id: 'x' })).resolves.toBeDefined();
});

describe('a method that admits service accounts', () => {
  const instanceId = newId();
  const accountWith = (...scopes: Scope[]) => callAs(aServiceAccount({ instanceId, scopes }));

  it('admits accounts with one of its scopes, and people', async () => {
    const { client, stop } = await startNeighbour(Hooks, {
      unsubscribe: open(clientsWith('hooks:manage'), Named, () => Promise.resolve({})),
      listWebhooks: open(clientsWith('hooks:manage', 'forms:read'), z.object({ form_id: id() }), () => Promise.resolve({ webhooks: [] })),
    });
    stops.push(stop);
    for (const call of [accountWith('forms:write', 'hooks:manage'), callAs(user)])
      await expect(client.unsubscribe(call, { id: 'x' })).resolves.toBeDefined();
    for (const call of [accountWith('hooks:manage'), accountWith('forms:read')])
      await expect(client.listWebhooks(call, { form_id: 'x' })).resolves.toBeDefined();
    for (const call of [accountWith(), accountWith('forms:read')]) {
      await expect(client.unsubscribe(call, { id: 'x' })).rejects.toMatchObject({
        code: 'insufficient_scope',
        message: 'This operation needs the scope hooks:manage.',
      });
    }
    await expect(client.listWebhooks(accountWith('forms:write'), { form_id: 'x' })).rejects.toMatchObject({
      message: 'This operation needs the scope hooks:manage or forms:read.',
    });
  });

  it('does not compile without a scope', () => {
    const handle = () => Promise.resolve({});
    // @ts-expect-error a service account is admitted only with a scope
    open(['user', 'service_account'], nothing, handle);
    // @ts-expect-error clientsWith needs at least one scope
    open(clientsWith(), nothing, handle);
  });
});

it('admits people who are signed in, but not their keys, to a method for sessions', async () => {
  const handle = jest.fn(() => Promise.resolve({}));
  const { client, stop } = await startNeighbour(Forms, { getForm: open(['session'], Named, handle) });
  stops.push(stop);
  await expect(client.getForm(callAs({ ...user, via: 'api_key' }), { id: 'x' })).rejects.toMatchObject({
    code: 'forbidden',
    message: 'This operation requires a session; a key is not enough.',
  });
  await expect(client.getForm(callAs(aServiceAccount({ instanceId: newId() })), { id: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(handle).not.toHaveBeenCalled();
  await expect(client.getForm(callAs({ ...user, via: 'session' }), { id: 'x' })).resolves.toBeDefined();
});

describe('the shape of a request', () => {
  const Grant = z.object({ form_id: id(), user_id: id(), role: z.enum(['owner', 'viewer'], 'must be one of owner, viewer') });
  const grant = { form_id: newId(), user_id: newId(), role: 'owner' };

  async function grants() {
    const handle = jest.fn(({ user_id, role }: z.output<typeof Grant>) => Promise.resolve({ user_id, role }));
    const { client, stop } = await startNeighbour(Forms, { putGrant: open(clientsWith('forms:write'), Grant, handle) });
    stops.push(stop);
    return { client, handle };
  }

  it('refuses a request before its handler runs, and names the field', async () => {
    const { client, handle } = await grants();
    await expect(client.putGrant(callAs(user), { ...grant, role: 'emperor' })).rejects.toMatchObject({
      code: 'bad_request',
      message: 'role: must be one of owner, viewer',
      details: [{ key: 'role', message: 'must be one of owner, viewer' }],
    });
    expect(handle).not.toHaveBeenCalled();
    await expect(client.putGrant(callAs(user), grant)).resolves.toMatchObject({ role: 'owner' });
  });

  it('is not checked for a caller that the method does not admit', async () => {
    const { client, handle } = await grants();
    const wrong = { ...grant, role: 'emperor' };
    const account = callAs(aServiceAccount({ instanceId: newId(), scopes: ['forms:read'] }));
    await expect(client.putGrant(account, wrong)).rejects.toMatchObject({ code: 'insufficient_scope' });
    const respondent = callAs({ kind: 'respondent', instanceId: newId() });
    await expect(client.putGrant(respondent, wrong)).rejects.toMatchObject({ code: 'forbidden' });
    expect(handle).not.toHaveBeenCalled();
  });

  it('is checked for each message of a streamed request', async () => {
    const Part = z.object({
      bytes: z.custom<Buffer>((value) => value instanceof Uint8Array && value.length < 3, 'must have at most 2 bytes'),
    });
    const seen: number[] = [];
    const { client, stop } = await startNeighbour(Submissions, {
      uploadFile: openStream(['user'], Part, async (parts) => {
        for await (const { bytes } of parts) seen.push(bytes.length);
        return {};
      }),
    });
    stops.push(stop);
    const parts = async function* () {
      for (const length of [1, 2, 3]) yield await Promise.resolve({ bytes: Buffer.alloc(length) });
    };
    await expect(client.uploadFile(callAs(user), parts())).rejects.toMatchObject({
      code: 'bad_request',
      message: 'bytes: must have at most 2 bytes',
    });
    expect(seen).toEqual([1, 2]);
  });

  it('reads a patch as the client sent it, and names its fields without a prefix', async () => {
    const handle = jest.fn((_: unknown) => Promise.resolve({}));
    const { client, stop } = await startNeighbour(Forms, { updateForm: answerAs(updateForm, handle) });
    stops.push(stop);
    await client.updateForm(callAs(user), { id: 'x', patch: { title: 'T' }, set: ['title', 'slug'] });
    expect(handle).toHaveBeenCalledWith({ id: 'x', patch: { title: 'T', slug: null } }, expect.anything());
    await expect(client.updateForm(callAs(user), { id: 'x', set: ['title'] })).rejects.toMatchObject({
      message: 'title: must be a string',
    });
  });

  it('does not compile without a shape, or with the shape of another message', () => {
    const handle = () => Promise.resolve({});
    // @ts-expect-error a method declares the shape of its request
    open(['user'], handle);
    const doors: Partial<Doors<FormsDefinition>> = {
      // @ts-expect-error the message has no form_id
      getForm: open(['user'], z.object({ form_id: id() }), handle),
      // @ts-expect-error the message has a text
      trashForm: open(['user'], z.object({ id: z.number() }), handle),
    };
    expect(Object.keys(doors)).toEqual(['getForm', 'trashForm']);
  });
});

it('accepts a caller who is a member of several hundred workspaces', async () => {
  const roles = Object.fromEntries(Array.from({ length: 600 }, () => [newId(), 'editor' as const]));
  const client = await forms(() => Promise.resolve({}));
  await expect(client.getForm(callAs({ ...user, roles }), { id: 'x' })).resolves.toBeDefined();
});
