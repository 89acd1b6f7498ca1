import type { EventSource } from '@sheaf/contracts';
import { connectTo, type Database } from '@sheaf/postgres';
import { brokerUrl, eventually, freshDatabase, TestClock, testProcess, type TestProcess } from '@sheaf/testing';
import { Broker } from '../src/stream/broker';
import { outboxMigration, outboxOrderMigration, outboxSignalsMigration, outboxTraceMigration } from '../src/outbox/outbox';
import { startRelay, type Relay } from '../src/outbox/relay';

export const republishMs = 30_000;
/** The database of the sending service. */
export let db: Database;
let url: string;
/** The clock of the relays. */
export let clock: TestClock;
let processes: TestProcess[] = [];

/** A database with an outbox and a clock for each test, and an end for the processes beside it. */
export function onStage(): void {
  beforeEach(async () => {
    clock = new TestClock();
    ({ db, url } = await freshDatabase([outboxMigration, outboxTraceMigration, outboxOrderMigration, outboxSignalsMigration]));
  });
  afterEach(async () => {
    for (const own of processes.reverse()) await own.stop();
    processes = [];
    await db.destroy();
  });
}

export async function aProcess(name: string, natsUrl = brokerUrl()): Promise<{ own: TestProcess; broker: Broker }> {
  const own = testProcess(name);
  processes.push(own);
  return { own, broker: await Broker.connect(own, natsUrl) };
}

/**
 * A process of the source with its relay, after the relay's first look at the outbox. That look ignores the grace, so if it came later it would
 * publish events that a test records for another process.
 */
export async function aSource(
  source: EventSource = 'submissions',
  natsUrl = brokerUrl(),
): Promise<{ own: TestProcess; broker: Broker; relay: Relay }> {
  const own = testProcess(source);
  processes.push(own);
  const pool = connectTo(url, 'source', 5);
  own.onStop('database', () => pool.destroy());
  const broker = await Broker.connect(own, natsUrl);
  let statements = 0;
  pool.on('query', () => (statements += 1));
  const relay = startRelay(own, { db: pool, broker, source, clock, settings: { OUTBOX_REPUBLISH_MS: republishMs, OUTBOX_POLL_MS: 50 } });
  // The second one is part of its second look, if there was nothing to be found.
  await eventually(() => expect(statements).toBeGreaterThan(1));
  return { own, broker, relay };
}

/** A process that the test itself must stop. */
export function disown(own: TestProcess): void {
  processes = processes.filter((one) => one !== own);
}
