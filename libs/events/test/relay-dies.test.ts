import { newId } from '@sheaf/kernel';
import { connectionsDieAt, eventually, type TestProcess } from '@sheaf/testing';
import { type Broker } from '../src/stream/broker';
import { consume } from '../src/stream/consumer';
import type { DomainEvent } from '../src/event';
import { record } from '../src/outbox/record';
import { aProcess, aSource, clock, db, disown, useOutbox, republishMs } from './stage';

// The fate of an event when a process dies at any point between its commit and the deletion of its outbox row.

useOutbox();
async function aConsumer(
  subject: string,
  handle: (event: DomainEvent) => Promise<void>,
): Promise<{ process: TestProcess; broker: Broker }> {
  const { process, broker } = await aProcess('consumer');
  consume(process, {
    broker,
    durable: 'delivery',
    source: 'submissions',
    handle: async (events) => {
      for (const event of events) if (event.subject === subject) await handle(event);
    },
  });
  return { process, broker };
}

const created = (subject: string, at: Date): DomainEvent => ({
  id: newId(),
  type: 'submission.created',
  instanceId: newId(),
  subject,
  formId: newId(),
  occurredAt: at,
  body: '{"n": 1}',
});
const waiting = async () => (await db('outbox').select('id')).length;

it('delivers an event once, and deletes it, if it was published but not marked', async () => {
  const subject = newId();
  const event = created(subject, clock.now());
  const { broker } = await aProcess('witness');
  const published: string[] = [];
  broker.listen('sheaf.events.submissions.>', { onEvent: ({ id }) => published.push(id), onGap: () => undefined });
  await broker.connection.flush();
  // Its connection breaks when it marks the published events, as if the process died.
  const breaking = await connectionsDieAt(db, 'before update of publish_at on outbox');
  await db.transaction((trx) => record(trx, event));
  const { process: dying } = await aSource();
  await eventually(() => expect(published.filter((id) => id === event.id).length).toBeGreaterThan(1));
  disown(dying);
  await dying.stop();
  await expect(db('outbox').first('publications')).resolves.toEqual({ publications: 0 });
  await breaking.end();

  await aSource();
  await eventually(async () => expect(await db('outbox').first('publications')).toEqual({ publications: 1 }));
  const heard: string[] = [];
  await aConsumer(subject, ({ id }) => Promise.resolve(void heard.push(id)));

  await eventually(async () => expect(await waiting()).toBe(0));
  // Under the same message id the broker drops all but the first.
  expect(heard).toEqual([event.id]);
});

it('delivers an event again if its consumer died before it confirmed it', async () => {
  const subject = newId();
  const event = created(subject, clock.now());
  const heard: string[] = [];
  let taken = false;
  const dying = await aConsumer(subject, () => {
    taken = true;
    return new Promise(() => undefined);
  });
  await aSource();
  await db.transaction((trx) => record(trx, event));
  await eventually(() => expect(taken).toBe(true));
  // Its connection breaks, and the events it has in hand are neither processed nor returned.
  disown(dying.process);
  await dying.broker.connection.close();
  void dying.process.stop();

  await aConsumer(subject, ({ id }) => Promise.resolve(void heard.push(id)));
  clock.advance(republishMs);

  await eventually(() => expect(heard).toEqual([event.id]));
  await eventually(async () => expect(await waiting()).toBe(0));
});

it('sends an event again if its confirmation was lost', async () => {
  const subject = newId();
  const event = created(subject, clock.now());
  const heard: string[] = [];
  await aConsumer(subject, ({ id }) => Promise.resolve(void heard.push(id)));
  // Stores no confirmation, as if the process died whenever it receives one.
  const breaking = await connectionsDieAt(db, 'before delete on outbox');
  await aSource();
  await db.transaction((trx) => record(trx, event));
  await eventually(async () => expect(await db('outbox').first('publications')).toEqual({ publications: 1 }));
  await eventually(async () => expect(await breaking.deaths()).toBe(1));
  await breaking.end();
  expect(await waiting()).toBe(1);

  clock.advance(republishMs);

  await eventually(() => expect(heard).toEqual([event.id, event.id]));
  await eventually(async () => expect(await waiting()).toBe(0));
});
