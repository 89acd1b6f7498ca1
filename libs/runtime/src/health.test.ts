import { Counter, Gauge, Registry } from 'prom-client';
import { Health, serveHealth } from './health';

const versions = { app: 'forms', version: '1.2.3', node: '20.19.0' };

async function aServer() {
  const health = new Health();
  const metrics = new Registry();
  const { server, port } = await serveHealth({ health, metrics, versions, host: '127.0.0.1', port: 0 });
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: await response.text() };
  };
  return { health, metrics, get, close: () => new Promise((resolve) => server.close(resolve)) };
}

let served: Awaited<ReturnType<typeof aServer>>;
beforeEach(async () => {
  served = await aServer();
});
afterEach(() => served.close());

it('is alive even if its dependencies are not available', async () => {
  served.health.require('postgres', () => Promise.reject(new Error('down')));
  expect(await served.get('/livez')).toEqual({ status: 200, body: 'ok\n' });
});

it('tells its version', async () => {
  const { status, body } = await served.get('/version');
  expect({ status, body: JSON.parse(body) as unknown }).toEqual({ status: 200, body: versions });
});

it('is ready when all its dependencies are available', async () => {
  served.health.require('postgres', () => Promise.resolve());
  expect(await served.get('/readyz')).toEqual({ status: 200, body: 'ok\n' });
});

it('names the missing dependency but not the reason', async () => {
  served.health.require('postgres', () => Promise.reject(new Error('password authentication failed')));
  served.health.require('nats', () => Promise.resolve());
  expect(await served.get('/readyz')).toEqual({ status: 503, body: 'not ready: postgres\n' });
});

it('tells of what an operator has to know although it is ready', async () => {
  let warning: string | undefined = 'the database has no standby';
  served.health.warn(() => warning);
  expect(await served.get('/readyz')).toEqual({ status: 200, body: 'ok\nwarning: the database has no standby\n' });
  warning = undefined;
  expect(await served.get('/readyz')).toEqual({ status: 200, body: 'ok\n' });
});

it('does not wait forever for a check that hangs', async () => {
  served.health.require('nats', () => new Promise(() => undefined));
  expect(await served.get('/readyz')).toEqual({ status: 503, body: 'not ready: nats\n' });
});

it('is no longer ready once it stops', async () => {
  served.health.drain();
  expect(await served.get('/readyz')).toEqual({ status: 503, body: 'not ready: stopping\n' });
});

it('shows its metrics and nothing else', async () => {
  new Counter({ name: 'things_total', help: 'Things.', registers: [served.metrics] }).inc();
  expect((await served.get('/metrics')).body).toContain('things_total 1');
  expect(await served.get('/')).toMatchObject({ status: 404 });
});

it('omits metrics that cannot be collected, and counts them', async () => {
  const registers = [served.metrics];
  new Counter({ name: 'things_total', help: 'Things.', registers }).inc();
  new Gauge({ name: 'failing', help: 'Queries a database that is down.', registers, collect: () => Promise.reject(new Error('down')) });
  let asked = 0;
  new Gauge({ name: 'hanging', help: 'Queries one that is silent.', registers, collect: () => new Promise(() => (asked += 1)) });

  for (const times of [1, 2]) {
    const { status, body } = await served.get('/metrics');
    expect(status).toBe(200);
    expect(body).toContain('things_total 1');
    expect(body).not.toMatch(/^(failing|hanging) /m);
    expect(body).toContain(`sheaf_metrics_collector_failures_total{metric="failing"} ${times}`);
    expect(body).toContain(`sheaf_metrics_collector_failures_total{metric="hanging"} ${times}`);
  }
  expect(asked).toBe(1);
});
