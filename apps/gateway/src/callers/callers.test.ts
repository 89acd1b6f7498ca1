import type { Broker } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { connect, open, Workspaces } from '@sheaf/rpc';
import { signTestCaller, startNeighbour, TestClock } from '@sheaf/testing';
import { z } from 'zod';
import { Callers } from './callers';

it('resolves cached hosts while workspaces is down, but authenticates no credential', async () => {
  const clock = new TestClock();
  const sight = { isClear: () => true, now: () => performance.now() } as unknown as ReturnType<Broker['sightOf']>;
  const broker = { listen: () => undefined, sightOf: () => sight };
  const instance = newId();
  const { address, stop } = await startNeighbour(Workspaces, {
    resolveHost: open(['service'], z.object({ host: z.string() }), () => Promise.resolve({ id: instance })),
  });
  const connection = connect(address, Workspaces);
  const callers = new Callers(connection.client, signTestCaller, broker, { staleMs: 600_000, clock, ttlMs: 1 });
  const context = () => ({ requestId: 'r', deadline: Date.now() + 5_000 });
  expect(await callers.instanceAt('forms.example', context())).toBe(instance);
  await stop();

  clock.advance(60_000);
  expect(await callers.instanceAt('forms.example', context())).toBe(instance);
  await expect(callers.instanceAt('other.example', context())).rejects.toMatchObject({ code: 'unavailable' });
  await expect(callers.byHeader(instance, 'Bearer shf_u_x', context())).rejects.toMatchObject({ code: 'unavailable' });
  clock.advance(600_000);
  await expect(callers.instanceAt('forms.example', context())).rejects.toMatchObject({ code: 'unavailable' });
  connection.close();
});

it('reads a credential after the word Bearer, in upper or lower case, and after no other', async () => {
  const sight = { isClear: () => true, now: () => performance.now() } as unknown as ReturnType<Broker['sightOf']>;
  const broker = { listen: () => undefined, sightOf: () => sight };
  const [instance, id] = [newId(), newId()];
  const principal = { id, kind: 'user', instance_id: instance, roles: {}, scopes: [], via: 'api_key', credential_id: newId() };
  const { address, stop } = await startNeighbour(Workspaces, {
    authenticate: open(['service'], z.object({ instance_id: z.string(), credential: z.literal('shf_u_x') }), () =>
      Promise.resolve(principal),
    ),
  });
  const connection = connect(address, Workspaces);
  const callers = new Callers(connection.client, signTestCaller, broker, { staleMs: 600_000 });
  const read = async (header: string) =>
    (await callers.byHeader(instance, header, { requestId: 'r', deadline: Date.now() + 60_000 })).caller;
  try {
    for (const header of ['Bearer shf_u_x', 'bearer shf_u_x', 'BEARER  shf_u_x']) expect(await read(header)).toMatchObject({ id });
    for (const header of ['shf_u_x', 'Basic shf_u_x', 'Bearer', 'Bearershf_u_x', 'Bearer shf_u_x shf_u_x', 'x Bearer shf_u_x'])
      await expect(read(header)).rejects.toMatchObject({ code: 'unauthorized' });
  } finally {
    connection.close();
    await stop();
  }
});

it('signs a token once per caller and service, across all requests', () => {
  const sign = jest.fn(signTestCaller);
  const broker = { listen: () => undefined, sightOf: () => ({}) as ReturnType<Broker['sightOf']> };
  const connection = connect('127.0.0.1:1', Workspaces);
  const callers = new Callers(connection.client, sign, broker, { staleMs: 600_000 });
  const respondent = { kind: 'respondent', instanceId: newId() } as const;
  for (let request = 0; request < 3; request += 1) {
    const { tokenFor } = callers.respondent(respondent.instanceId);
    tokenFor('submissions');
    tokenFor('delivery');
    callers.gatewayToken('workspaces');
  }
  expect(sign.mock.calls).toEqual([
    [respondent, 'submissions'],
    [respondent, 'delivery'],
    [{ kind: 'service', id: 'gateway' }, 'workspaces'],
  ]);
  connection.close();
});
