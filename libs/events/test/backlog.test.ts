import { newId } from '@sheaf/kernel';
import { ownVersions, serveHealth } from '@sheaf/runtime';
import { brokerUrl, eventually, SilentProxy } from '@sheaf/testing';
import { consume } from '../src/stream/consumer';
import type { DomainEvent } from '../src/event';
import { record } from '../src/outbox/record';
import { aProcess, aSource, clock, db, useOutbox } from './stage';

useOutbox();

/** Scrapes a process and returns its consumer metrics. */
async function aScrapedProcess(natsUrl = brokerUrl()) {
  const { process, broker } = await aProcess('consumer', natsUrl);
  const { server, port } = await serveHealth({
    health: process.health,
    metrics: process.metrics,
    versions: ownVersions('consumer'),
    host: '127.0.0.1',
    port: 0,
  });
  process.onStop('health', () => {
    server.closeAllConnections();
    server.close();
  });
  const scrape = async () => {
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const lines = [...page.matchAll(/^sheaf_consumer_messages\{consumer="([\w-]+)",state="(\w+)"\} (\d+)$/gm)];
    return {
      page,
      messages: Object.fromEntries(lines.map(([, consumer, state, count]) => [`${consumer ?? ''} ${state ?? ''}`, Number(count)])),
    };
  };
  return { process, broker, scrape };
}

// Unique names, because messages that other tests left in the stream count too.
const aName = () => `backlog-${newId().slice(-12)}`;

it('reports the waiting messages and the messages in hand for each consumer', async () => {
  let release: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => (release = resolve));
  const { process, broker, scrape } = await aScrapedProcess();
  const [stuck, idle] = [aName(), aName()];
  consume(process, { broker, durable: stuck, source: 'submissions', handle: () => hanging });
  consume(process, { broker, durable: idle, source: 'forms', handle: () => Promise.resolve() });
  try {
    const { relay } = await aSource();
    const events = Array.from({ length: 500 }, (): DomainEvent => ({
      id: newId(),
      type: 'submission.created',
      instanceId: newId(),
      subject: newId(),
      formId: newId(),
      occurredAt: clock.now(),
      body: '{"n": 1}',
    }));
    await db.transaction((trx) => record(trx, ...events));
    for (const event of events) relay.publish([event]);

    await eventually(async () => {
      const { messages } = await scrape();
      expect(messages).toMatchObject({ [`${stuck}-submissions in_hand`]: 200, [`${idle}-forms waiting`]: 0, [`${idle}-forms in_hand`]: 0 });
      expect(messages[`${stuck}-submissions waiting`]).toBeGreaterThanOrEqual(300);
    });
  } finally {
    release();
  }
  await eventually(async () =>
    expect((await scrape()).messages).toMatchObject({ [`${stuck}-submissions waiting`]: 0, [`${stuck}-submissions in_hand`]: 0 }),
  );
});

it('reports the other metrics while NATS is down', async () => {
  const { proxy, url, close } = await SilentProxy.before(brokerUrl());
  try {
    const { process, broker, scrape } = await aScrapedProcess(url);
    const name = aName();
    consume(process, { broker, durable: name, source: 'submissions', handle: () => Promise.resolve() });
    await eventually(async () => expect((await scrape()).messages).toHaveProperty(`${name}-submissions waiting`));

    proxy.silenceAll();

    const { page, messages } = await scrape();
    expect(messages).toEqual({});
    expect(page).toContain(`sheaf_consumer_failures{consumer="${name}-submissions"} `);
    expect(page).toMatch(/sheaf_metrics_collector_failures_total\{metric="sheaf_consumer_messages"\} [1-9]/);
  } finally {
    await close();
  }
});
