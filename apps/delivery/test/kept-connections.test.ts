import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Post } from '@sheaf/egress';
import { callAs } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import { startService, type Service } from './support/service';

let service: Service;
const servers: Server[] = [];

beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve).closeAllConnections())));
});
afterAll(() => service.stop());

/**
 * A subscriber that answers the first POST on each connection and closes the connection on the second.
 * @returns also the number of the connection on which each POST arrived.
 */
async function startBreaking(statusOf: (nth: number) => number): Promise<{ url: string; connections: number[] }> {
  const sockets: Socket[] = [];
  const connections: number[] = [];
  const server = createServer(({ socket }, response) => {
    const connection = sockets.indexOf(socket) + 1;
    const used = connections.includes(connection);
    connections.push(connection);
    if (used) socket.destroy();
    else response.writeHead(statusOf(connections.length)).end();
  });
  servers.push(server.on('connection', (socket) => sockets.push(socket)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, connections };
}

/** Attempts due deliveries, up to three times. */
async function threeTimes(attempts?: Attempts): Promise<void> {
  for (const pause of [0, 4_000, 16_000]) {
    service.clock.advance(pause);
    await service.run(attempts);
  }
}

describe('a kept connection', () => {
  it('is used for first attempts only: each retry opens a new one', async () => {
    const connections: string[] = [];
    const post = (url: string, request: Post) => {
      connections.push(request.connection);
      return service.deps.egress.post(url, request);
    };
    const attempts = new Attempts({ ...service.deps, egress: { post } });
    const subscription = service.subscription();
    service.subscriber.answer(500);
    await service.planEvents(subscription);
    await threeTimes(attempts);
    expect(connections.splice(0)).toEqual(['kept', 'new', 'new']);

    // A redelivery starts over.
    const [failed] = await service.deliveries(subscription);
    await service.client.redeliver(callAs(service.member('editor')), { form_id: subscription.form_id, id: failed?.id ?? '' });
    await threeTimes(attempts);
    expect(connections).toEqual(['kept', 'new', 'new']);
  });

  it('costs a delivery one attempt when it breaks, and the second one succeeds', async () => {
    const subscriber = await startBreaking(() => 200);
    const subscription = service.subscription({ url: subscriber.url });
    // One at a time, because the subscription has never answered.
    await service.planEvents(subscription, 2);
    await service.run();
    await threeTimes();

    expect(subscriber.connections).toEqual([1, 1, 2]);
    const [first, second] = await service.deliveries(subscription);
    expect([first, second]).toMatchObject([
      { state: 'succeeded', attempts: 1 },
      { state: 'succeeded', attempts: 2 },
    ]);
    await expect(service.attempts(second?.id ?? '')).resolves.toMatchObject([{ error: 'reset' }, { status: 200 }]);
  });

  it('causes no fourth POST when it breaks and the other attempts fail too', async () => {
    const subscriber = await startBreaking((nth) => (nth === 1 ? 200 : 500));
    const subscription = service.subscription({ url: subscriber.url });
    await service.planEvents(subscription, 2);
    await service.run();
    await threeTimes();
    service.clock.advance(24 * 60 * 60 * 1_000);
    await expect(service.run()).resolves.toBe(0);

    expect(subscriber.connections).toEqual([1, 1, 2, 3]);
    const [, second] = await service.deliveries(subscription);
    expect(second).toMatchObject({ state: 'failed', attempts: 3 });
    await expect(service.attempts(second?.id ?? '')).resolves.toMatchObject([{ error: 'reset' }, { status: 500 }, { status: 500 }]);
  });
});
