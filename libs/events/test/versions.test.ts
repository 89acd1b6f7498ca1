import { newId } from '@sheaf/kernel';
import { eventually } from '@sheaf/testing';
import type { DomainEvent } from '../src/event';
import { claim, removeFormerConsumers } from '../src/outbox/outbox';
import { record } from '../src/outbox/record';
import { aProcess, aSource, clock, db, useOutbox } from './stage';

// The outbox of a service holds the events of its older and its newer copies.

useOutbox();

const happened = (subject = newId()): DomainEvent => ({
  id: newId(),
  type: 'submission.created',
  instanceId: newId(),
  subject,
  formId: newId(),
  occurredAt: clock.now(),
  body: '{}',
});

it('events wait for all consumers except former ones', async () => {
  const [alone, together, other] = [happened(), happened(), happened()];
  const next = happened(together.subject);
  await db.transaction((trx) => record(trx, alone, together, next, other));
  await db('outbox')
    .where({ id: alone.id })
    .update({ awaiting: ['former'] });
  await db('outbox')
    .where({ id: together.id })
    .update({ awaiting: ['former', 'newer'] });
  await db('outbox')
    .where({ id: next.id })
    .update({ awaiting: ['former', 'delivery'] });
  expect(await claim(db, clock, [next.id])).toEqual([]);

  await db.transaction((trx) =>
    removeFormerConsumers(trx, clock, 0, { 'submission.created': ['former'], 'submission.gone': ['delivery'] }),
  );

  expect(await db('outbox').orderBy('position').select('id', 'awaiting')).toEqual([
    { id: together.id, awaiting: ['newer'] },
    { id: next.id, awaiting: ['delivery'] },
    { id: other.id, awaiting: ['delivery'] },
  ]);
  // The next event of the subject no longer has to wait.
  expect(await claim(db, clock, [next.id])).toHaveLength(1);
});

it('an event of a newer version does not hold up others and is left to that version', async () => {
  const [newer, ours] = [happened(), happened()];
  await db.transaction((trx) => record(trx, newer, ours));
  await db('outbox').where({ id: newer.id }).update({ type: 'submission.praised' });
  const { broker } = await aProcess('witness');
  const seen: string[] = [];
  broker.listen('sheaf.events.submissions.>', { onEvent: ({ id }) => seen.push(id), onGap: () => undefined });
  await broker.connection.flush();

  await aSource();

  await eventually(() => expect(seen).toContain(ours.id));
  expect(await db('outbox').where({ id: newer.id }).first('publications')).toEqual({ publications: 0 });
});
