import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createEgress, type Excerpt } from '@sheaf/egress';
import { eventually } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import { serviceSettings, startService, type Service } from './support/service';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

describe('a delivery', () => {
  it('carries the exact bytes of the event, and headers that describe it', async () => {
    const subscription = service.subscription();
    const event = service.event(subscription.form_id);
    await service.planAsQuick([event]);
    await service.run();

    const [delivery] = await service.deliveries(subscription);
    expect(service.subscriber.received).toHaveLength(1);
    expect(service.subscriber.received[0]).toMatchObject({
      path: '/hook',
      body: event.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Sheaf-Webhooks/1',
        'x-webhook-event': 'submission.created',
        'x-webhook-id': subscription.id,
        'webhook-id': delivery?.id,
        'webhook-timestamp': String(service.clock.now().getTime() / 1_000),
      },
    });
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1, next_attempt_at: null, settled_at: service.clock.now() });
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject([
      { number: 1, status: 200, error: null, started_at: service.clock.now() },
    ]);
  });

  it('goes to every listener of the event, and to no other subscription', async () => {
    const one = service.subscription();
    const two = service.subscription({ form_id: one.form_id, url: `${service.subscriber.url}/two` });
    service.subscription({ form_id: one.form_id, event: 'submission.deleted', url: `${service.subscriber.url}/other-event` });
    service.subscription({ url: `${service.subscriber.url}/other-form` });

    await expect(service.planAsQuick([service.event(one.form_id)])).resolves.toBe(2);
    await service.run();

    expect(service.subscriber.received.map(({ headers }) => headers['x-webhook-id']).sort()).toEqual([one.id, two.id].sort());
  });

  it('is attempted three times, 4 s and 16 s after the preceding failures, and never again', async () => {
    const subscription = service.subscription();
    service.subscriber.answer(500);
    await service.planAsQuick([service.event(subscription.form_id)]);

    await service.run();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([
      { state: 'pending', attempts: 1, next_attempt_at: service.later(4_000) },
    ]);
    service.clock.advance(3_999);
    await expect(service.run()).resolves.toBe(0);
    service.clock.advance(1);
    await expect(service.run()).resolves.toBe(1);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([
      { state: 'pending', attempts: 2, next_attempt_at: service.later(16_000) },
    ]);
    service.clock.advance(15_999);
    await expect(service.run()).resolves.toBe(0);
    service.clock.advance(1);
    await expect(service.run()).resolves.toBe(1);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([
      { state: 'failed', attempts: 3, next_attempt_at: null, settled_at: service.clock.now() },
    ]);
    service.clock.advance(24 * 60 * 60 * 1_000);
    await expect(service.run()).resolves.toBe(0);

    expect(service.subscriber.received).toHaveLength(3);
    expect(new Set(service.subscriber.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject(
      [1, 2, 3].map((number) => ({ number, status: 500, error: 'status' })),
    );
  });

  it('ends with the attempt that succeeds', async () => {
    const subscription = service.subscription();
    service.subscriber.answer(503);
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run();
    service.subscriber.answer(204);
    service.clock.advance(4_000);
    await service.run();
    service.clock.advance(60_000);
    await expect(service.run()).resolves.toBe(0);

    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'succeeded', attempts: 2 }]);
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject([
      { status: 503, error: 'status' },
      { status: 204, error: null },
    ]);
  });

  it('counts the pause from the failure, not from the beginning of the attempt', async () => {
    const subscription = service.subscription();
    service.subscriber.answer(() => {
      service.clock.advance(9_000);
      return 500;
    });
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run();

    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ next_attempt_at: service.later(4_000) }]);
  });

  it('fails on a redirect, which is not followed', async () => {
    const subscription = service.subscription();
    service.subscriber.answer({ status: 302, headers: { location: `${service.subscriber.url}/elsewhere` } });
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run();

    expect(service.subscriber.received.map(({ path }) => path)).toEqual(['/hook']);
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject([{ status: 302, error: 'status' }]);
  });

  it('writes nothing of what an answer said to the lines of the log', async () => {
    service.subscriber.answer({ status: 500, headers: { 'content-type': 'text/zoe' }, body: 'Zoë' });
    const info = jest.spyOn(service.deps.log, 'info');
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run();

    expect(info.mock.calls).toEqual([[expect.objectContaining({ status: 500 }), 'attempt']]);
    expect(JSON.stringify(info.mock.calls)).not.toMatch(/zoë|zoe/i);
    info.mockRestore();
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject([{ response: { text: 'Zoë', contentType: 'text/zoe' } }]);
  });

  it('gives its slot back, and is repeated 4 s after its status, however long its body takes', async () => {
    const subscription = service.subscription();
    const held: ((excerpt: Excerpt) => void)[] = [];
    const post = () => Promise.resolve({ status: 500, durationMs: 1, response: new Promise<Excerpt>((resolve) => held.push(resolve)) });
    const attempts = new Attempts({ ...service.deps, settings: { ...serviceSettings, DELIVERY_PER_SUBSCRIPTION: 1 }, egress: { post } });
    await service.planAsQuick([service.event(subscription.form_id), service.event(subscription.form_id)]);

    await attempts.runDue();
    await eventually(() => expect(held).toHaveLength(1));
    await attempts.runDue();
    await eventually(() => expect(held).toHaveLength(2));
    service.clock.advance(1_000);
    for (const end of held) end({ text: 'no', isCut: true });
    await attempts.idle();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([
      { state: 'pending', next_attempt_at: service.later(3_000) },
      { state: 'pending', next_attempt_at: service.later(3_000) },
    ]);
  });

  it('fails on a timeout, and on a refused connection', async () => {
    const slow = service.subscription();
    const dead = service.subscription({ url: `http://127.0.0.1:${await aClosedPort()}/` });
    service.subscriber.answer('hang');
    await service.planAsQuick([service.event(slow.form_id)]);
    await service.run(service.attemptsWith({ DELIVERY_TIMEOUT_MS: 300 }));
    await service.planAsQuick([service.event(dead.form_id)]);
    await service.run();

    await expect(service.attemptsTo(slow)).resolves.toMatchObject([{ status: null, error: 'timeout' }]);
    await expect(service.attemptsTo(dead)).resolves.toMatchObject([{ status: null, error: 'connection_refused' }]);
    await expect(service.deliveries(slow)).resolves.toMatchObject([{ state: 'pending', attempts: 1 }]);
  });

  it('fails if the proxy refuses to connect, with its status, and is tried again by the schedule', async () => {
    const refusing = createHttpServer().on('connect', (_, socket: Duplex) =>
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    );
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const { port } = refusing.address() as AddressInfo;
    const proxy = { host: '127.0.0.1', port, credentials: 'me:s3cret' };
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run(new Attempts({ ...service.deps, egress: createEgress({ allowPrivateTargets: true, privateOrigins: [], proxy }) }));
    refusing.close();

    const attempts = await service.attemptsTo(subscription);
    expect(attempts).toMatchObject([{ status: null, error: 'proxy', code: 'PROXY_407' }]);
    expect(JSON.stringify(attempts)).not.toMatch(/s3cret|Basic/);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 1 }]);
  });

  it('never goes to an address that is not public, whatever an earlier check found', async () => {
    const strict = {
      ...service.deps,
      egress: createEgress({ allowPrivateTargets: false, privateOrigins: [], resolve: () => Promise.resolve(['127.0.0.1']) }),
    };
    const http = service.subscription();
    const rebound = service.subscription({ url: 'https://rebound.example.org/hook' });
    await service.planAsQuick([service.event(http.form_id), service.event(rebound.form_id)]);
    await service.run(new Attempts(strict));

    expect(service.subscriber.received).toEqual([]);
    await expect(service.attemptsTo(http)).resolves.toMatchObject([{ error: 'url_not_allowed' }]);
    await expect(service.attemptsTo(rebound)).resolves.toMatchObject([{ error: 'address_not_allowed' }]);
  });
});

it('counts attempts by their outcome', async () => {
  const metrics = await service.metrics();
  expect(metrics).toMatch(/sheaf_delivery_attempts_total\{outcome="2xx"\} [1-9]/);
  expect(metrics).toMatch(/sheaf_delivery_attempts_total\{outcome="timeout"\} [1-9]/);
  expect(metrics).toContain('sheaf_delivery_in_flight{lane="quick"} 0');
  expect(metrics).toMatch(/sheaf_delivery_first_post_seconds_count [1-9]/);
});

/** A port of this machine on which nothing listens. */
async function aClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
