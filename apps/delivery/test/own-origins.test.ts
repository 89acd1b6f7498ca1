import { createEgress } from '@sheaf/egress';
import { isOwnOrigin, Problem } from '@sheaf/kernel';
import { open, Workspaces } from '@sheaf/rpc';
import { callAs, startNeighbour, startSubscriber } from '@sheaf/testing';
import { z } from 'zod';
import { Attempts } from '../src/attempts/attempts';
import { InstanceHosts } from '../src/attempts/instance-hosts';
import { startService, type Service } from './support/service';

let service: Service;
let attempts: Attempts;
let workspaces: Awaited<ReturnType<typeof startWorkspaces>>;
/** The hosts of instances that `workspaces` knows. */
const instanceHosts = new Set<string>();
let resolved: string[];

const startWorkspaces = () =>
  startNeighbour(Workspaces, {
    resolveHost: open(['service'], z.object({ host: z.string() }), ({ host }) => {
      resolved.push(host);
      return instanceHosts.has(host)
        ? Promise.resolve({ id: service.instanceId, is_named: true })
        : Promise.reject(Problem.notFound('host'));
    }),
  });

beforeEach(async () => {
  instanceHosts.clear();
  resolved = [];
  service = await startService();
  workspaces = await startWorkspaces();
  const { deps, clock, subscriber } = service;
  const hosts = new InstanceHosts({
    workspaces: workspaces.client,
    clock,
    callWithin: (ms) => ({ ...callAs({ kind: 'service', id: 'delivery' }), deadline: Date.now() + ms }),
    log: deps.log,
  });
  const isOurs = (url: URL) => isOwnOrigin(url, { ports: [new URL(subscriber.url).port], isOwnHost: (host) => hosts.has(host) });
  attempts = new Attempts({ ...deps, egress: createEgress({ allowPrivateTargets: true, privateOrigins: [], isOwnOrigin: isOurs }) });
});
afterEach(async () => {
  await workspaces.stop();
  await service.stop();
});

const attemptsOf = async (subscription: Parameters<Service['deliveries']>[0]) => {
  const deliveries = await service.deliveries(subscription);
  return Promise.all(deliveries.map(async ({ id, state }) => ({ state, attempts: await service.attempts(id) })));
};

it('nothing is sent to a host that an instance acquired after the subscription was created, and the log says why', async () => {
  const subscription = service.subscription();
  await service.planEvents(subscription);
  await service.run(attempts);
  expect(service.subscriber.received).toHaveLength(1);

  instanceHosts.add('127.0.0.1');
  service.clock.advance(60_000);
  await service.planEvents(subscription);
  await service.run(attempts);

  expect(service.subscriber.received).toHaveLength(1);
  expect(await attemptsOf(subscription)).toMatchObject([
    { state: 'succeeded' },
    { state: 'pending', attempts: [{ number: 1, status: null, error: 'origin_not_allowed' }] },
  ]);
});

it('an attempt to an instance’s host is retried like any other failure, and succeeds once the host belongs to no instance', async () => {
  instanceHosts.add('127.0.0.1');
  const subscription = service.subscription();
  await service.planEvents(subscription);
  await service.run(attempts);
  service.clock.advance(4_000);
  await service.run(attempts);
  expect(await attemptsOf(subscription)).toMatchObject([
    { state: 'pending', attempts: [{ error: 'origin_not_allowed' }, { error: 'origin_not_allowed' }] },
  ]);

  instanceHosts.clear();
  service.clock.advance(60_000);
  await service.run(attempts);
  expect(await attemptsOf(subscription)).toMatchObject([{ state: 'succeeded', attempts: [{}, {}, { number: 3, status: 200 }] }]);
});

it('another port of the same host is allowed, because another program may use it', async () => {
  instanceHosts.add('127.0.0.1');
  const other = await startSubscriber();
  const subscription = service.subscription({ url: `${other.url}/hook` });
  await service.planEvents(subscription);
  await service.run(attempts);
  expect(other.received).toHaveLength(1);
  await other.close();
});

it('many deliveries to one host cost one call to workspaces', async () => {
  const subscription = service.subscription();
  await service.planEvents(subscription);
  await service.run(attempts);
  await service.markQuick(subscription);
  await service.planEvents(subscription, 12);
  while ((await service.run(attempts)) > 0);
  expect(service.subscriber.received).toHaveLength(13);
  expect(resolved).toEqual(['127.0.0.1']);
});

it('webhooks are sent while workspaces is down', async () => {
  await workspaces.stop();
  const subscription = service.subscription();
  await service.planEvents(subscription);
  await service.run(attempts);
  expect(await attemptsOf(subscription)).toMatchObject([{ state: 'succeeded', attempts: [{ status: 200 }] }]);
});
