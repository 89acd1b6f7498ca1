import type { EventSource } from '@sheaf/contracts';
import { connectTo, type Database } from '@sheaf/postgres';
import { brokerUrl, eventually, freshDatabase, hangMs, TestClock, testProcess, type TestProcess } from '@sheaf/testing';
import { inboxOf } from '../src/event';
import { Broker } from '../src/stream/broker';
import { outboxRequestId, outboxSignalsIndex, outboxTable } from '../src/outbox/table';
import { startRelay, type Relay } from '../src/outbox/relay';
import { streamName } from '../src/stream/stream';

export const republishMs = 30_000;
/** The database of the sending service. */
export let db: Database;
let url: string;
/** The clock of the relays. */
export let clock: TestClock;
let processes: TestProcess[] = [];

/** Gives each test a database with an outbox and a clock, and stops its processes afterwards. */
export function useOutbox(): void {
  beforeEach(async () => {
    clock = new TestClock();
    ({ db, url } = await freshDatabase([
      { name: 'outbox', up: (own) => own.raw(`${outboxTable} ${outboxSignalsIndex}; ${outboxRequestId}`) },
    ]));
  });
  afterEach(async () => {
    for (const process of processes.reverse()) await process.stop();
    processes = [];
    await db.destroy();
  });
}

export async function aProcess(name: string, natsUrl = brokerUrl()): Promise<{ process: TestProcess; broker: Broker }> {
  const process = testProcess(name);
  processes.push(process);
  return { process, broker: await Broker.connect(process, natsUrl) };
}

/**
 * A process of the source with its relay, after the relay's first poll of the outbox. That poll ignores the grace, so if it came later it
 * would publish events that a test records for another process.
 */
export async function aSource(
  source: EventSource = 'submissions',
  natsUrl = brokerUrl(),
): Promise<{ process: TestProcess; broker: Broker; relay: Relay }> {
  const process = testProcess(source);
  processes.push(process);
  // A service gives up sooner than a busy machine makes a connection.
  const pool = connectTo(url, 'source', 5, { connectMs: hangMs });
  process.onStop('database', () => pool.destroy());
  const broker = await Broker.connect(process, natsUrl);
  let statements = 0;
  pool.on('query', () => (statements += 1));
  const relay = startRelay(process, {
    db: pool,
    broker,
    source,
    clock,
    settings: { OUTBOX_REPUBLISH_MS: republishMs, OUTBOX_POLL_MS: 50 },
  });
  // The second statement belongs to the second poll, if the first one found nothing.
  await eventually(() => expect(statements).toBeGreaterThan(1));
  return { process, broker, relay };
}

/** The broker's receipts for what a source publishes. The relay has each of them as well, and sends those events again only much later. */
export async function receiptsFor({ connection }: Broker, source: EventSource = 'submissions'): Promise<string[]> {
  const receipts: string[] = [];
  connection.subscribe(`${inboxOf(source)}.>`, {
    callback: (_, message) => {
      if (message.json<{ stream?: string }>().stream === streamName) receipts.push(message.subject);
    },
  });
  await connection.flush();
  return receipts;
}

/** A process that the test itself must stop. */
export function disown(process: TestProcess): void {
  processes = processes.filter((one) => one !== process);
}
