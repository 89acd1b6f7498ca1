import type { Database } from '@sheaf/postgres';
import { brokerUrl, freshDatabase, testProcess, type TestProcess } from '@sheaf/testing';
import { Broker } from '../src/broker';
import { outboxMigration, outboxOrderMigration, outboxTraceMigration } from '../src/outbox';

/** The database of the service that sends. */
export let db: Database;
export let url: string;
let processes: TestProcess[] = [];

/** A database with an outbox for each test, and an end for the processes beside it. */
export function onStage(): void {
  beforeEach(async () => {
    ({ db, url } = await freshDatabase([outboxMigration, outboxTraceMigration, outboxOrderMigration]));
  });
  afterEach(async () => {
    for (const own of processes.reverse()) await own.stop();
    processes = [];
    await db.destroy();
  });
}

export async function aProcess(name: string): Promise<{ own: TestProcess; broker: Broker }> {
  const own = testProcess(name);
  processes.push(own);
  return { own, broker: await Broker.connect(own, brokerUrl()) };
}

/** The test itself sees to the end of this one. */
export function disown(own: TestProcess): void {
  processes = processes.filter((one) => one !== own);
}
