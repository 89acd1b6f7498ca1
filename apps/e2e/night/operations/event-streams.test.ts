import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Person } from '@sheaf/testing';
import { apps, Cluster, type Copy } from '../../support/cluster';
import { EventSource } from '../../support/event-source';

// Two gateways, each of which is replaced while screens listen.

let cluster: Cluster;
let form: string;
const gateways = (without?: Copy): Person[] =>
  cluster.copies.filter((copy) => copy.app === 'gateway' && copy !== without).map((copy) => cluster.clientOf(copy));

beforeAll(async () => {
  cluster = await Cluster.create(3, { REQUESTS_PER_CREDENTIAL_PER_MINUTE: '0' });
  await Promise.all([cluster.startPostgres(), cluster.startNats()]);
  await cluster.migrate();
  const copies = [...apps, 'gateway' as const].map((app) => cluster.start(app));
  await Promise.all(copies.map((copy) => cluster.ready(copy)));
  const [owner] = gateways();
  if (!owner) throw new Error('There is no gateway.');
  await eventually(async () => {
    const made = await owner.post('/api/v1/forms', { title: 'Followed' });
    expect(made.status).toBe(201);
    ({ id: form } = made.body as { id: string });
  });
  await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await owner.post(`/api/v1/forms/${form}/publish`);
});
afterAll(() => cluster.stopAll());

/** A screen that comes back at another gateway whenever its stream ends, as a browser behind a balancer. */
class Screen {
  connections = 0;
  private readonly sources: EventSource[] = [];
  private readonly closing = new AbortController();

  async follow(open: () => Person[]): Promise<void> {
    while (this.isOpen()) {
      const among = open();
      const gateway = among[this.connections++ % among.length];
      const lastEventId = this.sources.findLast((source) => source.lastEventId !== undefined)?.lastEventId;
      const source = gateway && (await EventSource.open(gateway, lastEventId).catch(() => undefined));
      if (source) this.sources.push(source);
      while (source && !source.hasEnded && this.isOpen()) await sleep(20);
    }
    this.sources.at(-1)?.close();
  }

  get received() {
    return this.sources.flatMap(({ received }) => received);
  }

  close(): void {
    this.closing.abort();
  }

  private isOpen(): boolean {
    return !this.closing.signal.aborted;
  }
}

it('a screen misses nothing while the gateways are replaced one after the other', async () => {
  let leaving: Copy | undefined;
  const screen = new Screen();
  const following = screen.follow(() => gateways(leaving));
  // Now it loads everything, and follows what changes. The last changes of the form may still reach it as well.
  await eventually(() => expect(screen.received[0]).toMatchObject({ event: 'reset' }));

  const accepted: string[] = [];
  const stopSending = new AbortController();
  const sending = (async () => {
    while (!stopSending.signal.aborted) {
      const [gateway] = gateways(leaving);
      const sent = await gateway?.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });
      if (sent?.status === 201) accepted.push((sent.body as { id: string }).id);
      await sleep(30);
    }
  })();
  for (const old of cluster.copies.filter(({ app }) => app === 'gateway')) {
    await cluster.ready(cluster.start('gateway'));
    leaving = old;
    await sleep(500);
    // An open stream does not hold up the end of a process: otherwise it would end by force.
    expect(await cluster.stop(old)).toBe(0);
    await sleep(500);
  }
  stopSending.abort();
  await sending;

  expect(accepted.length).toBeGreaterThan(20);
  await eventually(() => {
    const seen = new Set(screen.received.map(({ data }) => data.submission_id));
    expect(accepted.filter((id) => !seen.has(id))).toEqual([]);
  });
  expect(screen.received.filter(({ event }) => event === 'reset')).toHaveLength(1);
  expect(screen.connections).toBeGreaterThan(1);
  screen.close();
  await following;
});
