import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  channelOfType,
  domainEvents,
  eventSources,
  listeners,
  type DomainEventType,
  type EventSource,
  type Listening,
} from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { eventually } from '@sheaf/testing';
import { connect, PermissionViolationError, type NatsConnection } from '@nats-io/transport-node';
import { consume } from '../src/stream/consumer';
import type { DomainEvent } from '../src/event';
import { EventCache } from '../src/stream/event-cache';
import type { Notice } from '../src/notice';
import { graceMs } from '../src/outbox/outbox';
import { record } from '../src/outbox/record';
import { brokerUsers, permissionsOf } from '../src/stream/permissions';
import { StreamTail } from '../src/stream/stream-tail';
import { ensureConsumer, ensureStream, streamName } from '../src/stream/stream';
import { aProcess, aSource, clock, db, useOutbox } from './stage';

// A nats-server with the deployed configuration, to which each service connects as its own user.

const deployed = join(__dirname, '../../../deploy/platform/nats');
const consumed = Object.entries<{ source: EventSource | 'every'; consumers: readonly EventSource[] }>(domainEvents)
  .filter(([, { consumers }]) => consumers.length > 0)
  .flatMap(([type, { source, consumers }]) =>
    (source === 'every' ? eventSources : [source]).map((sender) => ({
      type: type as DomainEventType,
      sender,
      channel: channelOfType(type as DomainEventType),
      consumers,
    })),
  );

useOutbox();

let server: ChildProcess;
let folder: string;
let port: number;
let open: NatsConnection[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-nats-users-'));
  port = await freePort();
  cpSync(deployed, folder, { recursive: true });
  const conf = readFileSync(join(deployed, 'nats.conf'), 'utf8')
    .replace(/^port: .*$/m, `listen: "127.0.0.1:${port}"`)
    .replace(/^http_port: .*\n/m, '')
    .replace('store_dir: /data', `store_dir: ${JSON.stringify(join(folder, 'data'))}`);
  writeFileSync(join(folder, 'nats.conf'), conf);
  const passwords = Object.fromEntries(brokerUsers.map((user) => [`${user.toUpperCase()}_PASSWORD`, `of-${user}`]));
  server = spawn(process.env.TEST_NATS_SERVER ?? '', ['-c', join(folder, 'nats.conf')], {
    env: { ...passwords, NATS_PASSWORD: 'of-sheaf' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: server.stderr ?? process.stdin })) {
    lines.push(line);
    if (line.includes('Server is ready')) break;
  }
  if (!lines.some((line) => line.includes('Server is ready'))) throw new Error(lines.join('\n'));
  server.stderr?.resume();
});

afterEach(async () => {
  for (const connection of open) await connection.close();
  open = [];
});

afterAll(async () => {
  const gone = once(server, 'exit');
  server.kill('SIGINT');
  await gone;
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  return free;
}

const urlOf = (user: string) => `nats://${user}:of-${user}@127.0.0.1:${port}`;
const anEvent = (type: DomainEventType): DomainEvent => ({
  id: newId(),
  type,
  instanceId: newId(),
  subject: newId(),
  occurredAt: clock.now(),
  body: '{}',
});

it.each(consumed)('$type from $sender is received and confirmed by $consumers', async ({ type, sender, channel, consumers }) => {
  const heard: string[] = [];
  for (const durable of consumers) {
    const { process, broker } = await aProcess(durable, urlOf(durable));
    consume(process, {
      broker,
      durable,
      source: sender,
      ...(channel === 'every' || channel === 'submissions-more' ? { of: channel } : {}),
      handle: (events) => Promise.resolve(void heard.push(...events.map(({ id }) => `${durable} ${id}`))),
    });
  }
  const { relay } = await aSource(sender, urlOf(sender));
  const event = anEvent(type);

  await relay.transaction((trx) => record(trx, event));

  // The source deletes the event, so it has received the confirmation of each consumer.
  await eventually(async () => expect(await db('outbox').pluck('id')).toEqual([]));
  for (const durable of consumers) expect(heard).toContain(`${durable} ${event.id}`);
});

const caches = Object.entries(listeners).flatMap(([listener, sources]) => sources.map((source) => ({ listener, source }) as Listening));
it.each(caches)('$listener caches data of $source, and drops it on a signal', async (cached) => {
  const { listener, source } = cached;
  const { broker } = await aProcess(listener, urlOf(listener));
  const cache = new EventCache<{ n: number }>(broker, { ...cached, max: 10, maxBytes: 1_000_000, ttlMs: 600_000, tagsOf: () => ['all'] });
  let lookUps = 0;
  const ask = async () => (await cache.get('what', () => Promise.resolve({ value: { n: ++lookUps }, tags: ['all'] }))).n;
  const { relay } = await aSource(source, urlOf(source));
  const sight = broker.sightOf(source);
  await eventually(() => expect(sight.isClear(sight.now())).toBe(true));
  const known = await ask();

  const [signal] =
    Object.entries<{ source: string; consumers: readonly string[] }>(domainEvents).find(
      ([, event]) => event.source === source && event.consumers.length === 0,
    ) ?? [];
  await relay.transaction((trx) => record(trx, anEvent(signal as DomainEventType)));

  await eventually(async () => expect(await ask()).toBeGreaterThan(known));
  await eventually(async () => expect(await db('outbox').pluck('id')).toEqual([]));
});

it.each(eventSources.map((service) => ({ service })))(
  '$service can create and change the stream and its consumers',
  async ({ service }) => {
    const operator = (await aProcess('sheaf', urlOf('sheaf'))).broker;
    await operator.manager.streams.delete(streamName).catch(() => undefined);
    const { broker } = await aProcess(service, urlOf(service));

    await ensureStream(broker.manager, broker.settings);
    await ensureStream(broker.manager, { ...broker.settings, NATS_STREAM_MAX_AGE_MS: 7_200_000 });
    for (const { sender, channel } of consumed.filter(({ consumers }) => consumers.includes(service))) {
      const [name, filter] =
        channel === 'every'
          ? [`${service}-every-${sender}`, `sheaf.events.every.${sender}.>`]
          : [`${service}-${channel}`, `sheaf.events.${channel}.>`];
      for (const maxAckPending of [200, 400]) await ensureConsumer(broker.manager, { name, filter, ackWaitMs: 10_000, maxAckPending });
    }
  },
);

it('the gateway follows the stream without bodies, and the next one after the broker has lost it', async () => {
  const operator = (await aProcess('sheaf', urlOf('sheaf'))).broker;
  const renewStream = async () => {
    await operator.manager.streams.delete(streamName).catch(() => undefined);
    await ensureStream(operator.manager, operator.settings);
  };
  await renewStream();
  const { process, broker } = await aProcess('gateway', urlOf('gateway'));
  const heard: (string | undefined)[] = [];
  const streams: string[] = [];
  const listener = {
    onStream: (name: string) => void streams.push(name),
    onLost: () => undefined,
    onMessage: (_: number, notices: Notice[] | undefined) => void heard.push(...(notices ?? []).map(({ subject }) => subject)),
    onCaughtUp: () => undefined,
  };
  const tail = new StreamTail(process, broker, listener, 0);
  process.onStop('tail', () => tail.stop());
  tail.start();
  await eventually(() => expect(streams).toHaveLength(1));
  const { relay } = await aSource('submissions', urlOf('submissions'));
  const [first, second] = [anEvent('submission.created'), anEvent('submission.created')];
  await relay.transaction((trx) => record(trx, first));
  await eventually(() => expect(heard).toEqual([first.subject]));

  await renewStream();
  await eventually(() => expect(streams).toHaveLength(2));
  await relay.transaction((trx) => record(trx, second));
  await eventually(() => expect(heard).toEqual([first.subject, second.subject]));
});

it('events that the broker forbids to a service do not hold back its others, however many there are', async () => {
  // As when a service knows a channel that the broker's configuration does not have yet: `hooks` may not publish what `submissions` sends.
  const { process: sending } = await aSource('hooks', urlOf('hooks'));
  const { process, broker } = await aProcess('delivery', urlOf('delivery'));
  const heard: string[] = [];
  consume(process, {
    broker,
    durable: 'delivery',
    source: 'hooks',
    handle: (events) => Promise.resolve(void heard.push(...events.map(({ id }) => id))),
  });
  const forbidden = Array.from({ length: 600 }, () => anEvent('submission.restored'));
  const allowed = anEvent('subscription.changed');
  await db.transaction(async (trx) => {
    for (const event of [...forbidden, allowed]) await record(trx, event);
  });
  // All are due now, the forbidden ones the longest.
  clock.advance(graceMs);

  await eventually(() => expect(heard).toContain(allowed.id));
  await eventually(async () => expect(await db('outbox').where('publications', 0).count()).toEqual([{ count: forbidden.length }]));
  // They are told of although none is due for a while.
  await eventually(async () =>
    expect(await sending.metrics.getSingleMetricAsString('sheaf_outbox_unpublished_seconds')).toMatch(
      /^sheaf_outbox_unpublished_seconds [1-9]/m,
    ),
  );
});

/** The subjects that a user may not publish on or subscribe to. The server reports them before it answers the flush. */
async function refusedTo(user: string, tried: { publish?: readonly string[]; subscribe?: readonly string[] }): Promise<string[]> {
  const connection = await connect({ servers: `127.0.0.1:${port}`, user, pass: `of-${user}`, inboxPrefix: `_INBOX_${user}` });
  open.push(connection);
  const refused: string[] = [];
  const watch = (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        refused.push(`${status.error.operation === 'publish' ? 'publish' : 'subscribe'} ${status.error.subject}`);
    }
  })();
  for (const subject of tried.publish ?? []) connection.publish(subject);
  for (const subject of tried.subscribe ?? []) connection.subscribe(subject, { callback: () => undefined });
  await connection.flush();
  await connection.close();
  await watch;
  return refused.sort();
}

it.each([
  ['gateway', 'publish', 'sheaf.events.submissions.submission.created'],
  ['gateway', 'publish', 'sheaf.confirm.submissions'],
  ['gateway', 'publish', `$JS.API.CONSUMER.MSG.NEXT.${streamName}.delivery-submissions`],
  ['gateway', 'publish', `$JS.API.CONSUMER.CREATE.${streamName}.delivery-submissions.sheaf.events.submissions.>`],
  ['gateway', 'publish', `$JS.API.CONSUMER.DURABLE.CREATE.${streamName}.delivery-submissions`],
  ['gateway', 'publish', `$JS.API.CONSUMER.DELETE.${streamName}.delivery-submissions`],
  ['hooks', 'publish', 'sheaf.events.workspaces.access.changed'],
  ['hooks', 'publish', 'sheaf.events.every.workspaces.audit.recorded'],
  ['hooks', 'publish', `$JS.API.CONSUMER.MSG.NEXT.${streamName}.delivery-submissions`],
  ['hooks', 'publish', `$JS.API.CONSUMER.CREATE.${streamName}.hooks-delivery.sheaf.events.submissions.>`],
  ['hooks', 'publish', `$JS.ACK.${streamName}.delivery-submissions.1.1.1.1.0`],
  ['forms', 'publish', '_INBOX_submissions.other.1'],
  ['delivery', 'publish', `$JS.API.STREAM.DELETE.${streamName}`],
  ['workspaces', 'publish', `$JS.API.STREAM.PURGE.${streamName}`],
  ['submissions', 'subscribe', '_INBOX_delivery.>'],
  ['submissions', 'subscribe', 'sheaf.confirm.workspaces'],
  ['hooks', 'subscribe', 'sheaf.events.submissions.>'],
  ['delivery', 'subscribe', '>'],
])('%s may not %s %s', async (user, operation, subject) => {
  expect(await refusedTo(user, { [operation]: [subject] })).toEqual([`${operation} ${subject}`]);
});

it.each(brokerUsers.map((user) => ({ user })))('$user may use its own subjects, and is refused all others', async ({ user }) => {
  const example = (subject: string) => subject.replace(/>$/, 'x');
  const isOwn = (own: readonly string[]) => (subject: string) =>
    own.some((one) => one === subject || (one.endsWith('>') && subject.startsWith(one.slice(0, -1))));
  const all = brokerUsers.map(permissionsOf);
  const tried = {
    publish: [...new Set(all.flatMap(({ publish }) => publish.map(example)))],
    subscribe: [...new Set(all.flatMap(({ subscribe }) => subscribe.map(example)))],
  };
  const own = permissionsOf(user);

  const others = (['publish', 'subscribe'] as const).flatMap((operation) =>
    tried[operation].filter((subject) => !isOwn(own[operation])(subject)).map((subject) => `${operation} ${subject}`),
  );
  expect(await refusedTo(user, tried)).toEqual(others.sort());
});
