import { eventually } from '@sheaf/testing';
import { isService, services } from '@sheaf/kernel';
import { apps, Cluster, probe, probeRpc, type Copy } from '../../support/cluster';

// The results of Kubernetes probes while the processes' dependencies are down: a system of its own, because all of it becomes unready.

let cluster: Cluster;
let copies: Copy[];

beforeAll(async () => {
  cluster = await Cluster.create(1);
  copies = apps.map((app) => cluster.start(app));
});
afterAll(() => cluster.stopAll(), 60_000);

/** Waits until the HTTP and gRPC probes report exactly the expected processes as ready. */
async function expectReady(isReady: (copy: Copy) => boolean): Promise<void> {
  await eventually(async () => {
    const ready = await Promise.all(copies.map(async (copy) => [copy.app, (await probe(copy, 'readyz')) === 200]));
    expect(Object.fromEntries(ready)).toEqual(Object.fromEntries(copies.map((copy) => [copy.app, isReady(copy)])));
    const serving = await Promise.all(
      copies.filter(({ app }) => isService(app)).map(async (copy) => [copy.app, (await probeRpc(copy)) === 'SERVING']),
    );
    expect(Object.fromEntries(serving)).toEqual(
      Object.fromEntries(services.map((app) => [app, copies.some((copy) => copy.app === app && isReady(copy))])),
    );
  });
  // No outage makes a liveness probe fail.
  expect(await Promise.all(copies.map((copy) => probe(copy, 'livez')))).toEqual(copies.map(() => 200));
  expect(copies.map((copy) => copy.process.exitCode)).toEqual(copies.map(() => null));
}

const all = () => true;
const withoutDatabase = ({ app }: Copy) => !isService(app);
// Without NATS only delivery is not ready, because all its work arrives as events.
const allButDelivery = ({ app }: Copy) => app !== 'delivery';

it('a process waits for its dependencies, and is ready once they are available', async () => {
  await eventually(async () => expect(await Promise.all(copies.map((copy) => probe(copy, 'livez')))).toEqual(copies.map(() => 200)));
  await expectReady(withoutDatabase);
  await cluster.startPostgres();
  await cluster.migrate();
  await expectReady(allButDelivery);
  await cluster.startNats();
  await expectReady(all);
});

it('without PostgreSQL the services are alive but not ready until it is back', async () => {
  await cluster.postgres?.stop();
  await expectReady(withoutDatabase);
  await cluster.startPostgres();
  await expectReady(all);
});

it('without NATS every process is alive, and only delivery is not ready until it is back', async () => {
  await cluster.nats?.stop();
  await expectReady(allButDelivery);
  await cluster.startNats();
  await expectReady(all);
});

it('a process that is waiting for its dependencies stops on SIGTERM', async () => {
  await cluster.postgres?.stop();
  await cluster.nats?.stop();
  for (const copy of [...copies]) expect([copy.app, await cluster.stop(copy)]).toEqual([copy.app, 0]);

  const waiting = apps.map((app) => cluster.start(app));
  await eventually(async () => expect(await Promise.all(waiting.map((copy) => probe(copy, 'livez')))).toEqual(waiting.map(() => 200)));
  for (const copy of waiting) expect([copy.app, await cluster.stop(copy)]).toEqual([copy.app, 0]);
});
