import { eventually } from '@sheaf/testing';
import { apps, Cluster, probe, probeRpc, services, type Copy } from '../support/cluster';

// What Kubernetes finds when it asks the processes how they are, while what they need is away.

let cluster: Cluster;
let copies: Copy[];

beforeAll(async () => {
  cluster = await Cluster.make(1);
  copies = apps.map((app) => cluster.start(app));
});
afterAll(() => cluster.end(), 60_000);

/** The same of each process, once the probes have found out. */
async function found(wanted: (copy: Copy) => boolean): Promise<void> {
  await eventually(async () => {
    const ready = await Promise.all(copies.map(async (copy) => [copy.app, (await probe(copy, 'readyz')) === 200]));
    expect(Object.fromEntries(ready)).toEqual(Object.fromEntries(copies.map((copy) => [copy.app, wanted(copy)])));
    const serving = await Promise.all(copies.filter(({ app }) => app !== 'gateway').map(async (copy) => [copy.app, (await probeRpc(copy)) === 'SERVING']));
    expect(Object.fromEntries(serving)).toEqual(Object.fromEntries(services.map((app) => [app, copies.some((copy) => copy.app === app && wanted(copy))])));
  }, 20_000);
  // Whatever is away, nobody is killed for it.
  expect(await Promise.all(copies.map((copy) => probe(copy, 'livez')))).toEqual(copies.map(() => 200));
  expect(copies.map((copy) => copy.process.exitCode)).toEqual(copies.map(() => null));
}

const all = () => true;
const nobody = () => false;

it('a process that finds nothing it needs waits, and is ready when it has come', async () => {
  await eventually(async () => expect(await Promise.all(copies.map((copy) => probe(copy, 'livez')))).toEqual(copies.map(() => 200)), 20_000);
  await found(nobody);
  await cluster.startNats();
  await found(({ app }) => app === 'gateway');
  await cluster.startPostgres();
  await cluster.migrate();
  await found(all);
});

it('without PostgreSQL the services are alive and not ready, until it is back', async () => {
  await cluster.postgres?.stop();
  await found(({ app }) => app === 'gateway');
  await cluster.startPostgres();
  await found(all);
});

it('without NATS every process is alive and not ready, until it is back', async () => {
  await cluster.nats?.stop();
  await found(nobody);
  await cluster.startNats();
  await found(all);
});

it('a process that waits for what it needs still stops when it is told to', async () => {
  await cluster.nats?.stop();
  const [copy] = copies;
  if (!copy) throw new Error('There is none.');
  expect(await cluster.stop(copy)).toBe(0);

  const waiting = cluster.start(copy.app);
  await eventually(async () => expect(await probe(waiting, 'livez')).toBe(200), 20_000);
  expect(await cluster.stop(waiting)).toBe(0);
});
