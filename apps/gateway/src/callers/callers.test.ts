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
