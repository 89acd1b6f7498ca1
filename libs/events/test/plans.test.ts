import { newId } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { countRowsRead, TestClock } from '@sheaf/testing';
import type { DomainEvent } from '../src/event';
import { claim, confirm, dueEvents, isAnyDue, oldestSeconds, unpublishedSignals } from '../src/outbox/outbox';
import { record } from '../src/outbox/record';
import { clock, db, useOutbox } from './stage';

useOutbox();

const created = (): DomainEvent => ({
  id: newId(),
  type: 'submission.created',
  instanceId: newId(),
  subject: newId(),
  formId: newId(),
  occurredAt: clock.now(),
  body: `{"text": "${'x'.repeat(400)}"}`,
});

// A busy minute after a quiet one: PostgreSQL keeps the plans that it made while the outbox was quiet.
it.each([
  ['empty', 0, 'on'],
  ['empty but not truncated', 0, 'off'],
  ['nearly empty', 5, 'on'],
])('each query reads only the rows it needs in a full outbox, even if it was planned when the outbox was %s', async (_, left, truncate) => {
  const add = async (trx: Transaction, count: number) => {
    const events = Array.from({ length: count }, created);
    await record(trx, ...events);
    return events.map(({ id }) => id);
  };
  await db.transaction((trx) => add(trx, 20_000));
  // The last rows remain, so that the table cannot be truncated.
  await db.raw('delete from outbox where ctid not in (select ctid from outbox order by ctid desc limit ?)', [left]);
  await db.raw(`vacuum (analyze, truncate ${truncate}) outbox`);

  await db.transaction(async (trx) => {
    const before = new TestClock(new Date(0));
    // Repeated until PostgreSQL keeps a plan.
    for (let n = 0; n < 10; n += 1) {
      const few = await add(trx, 5);
      await claim(trx, clock, few);
      await confirm(trx, 'delivery', few);
      await isAnyDue(trx, before, 0);
      await dueEvents(trx, before, 0, 100);
      await oldestSeconds(trx);
      await unpublishedSignals(trx, 100);
    }
    const ids = (await add(trx, 20_000)).slice(7_000, 7_100);

    expect(await countRowsRead(trx, ['outbox'], () => claim(trx, clock, ids))).toBeLessThan(5 * ids.length);
    expect(await countRowsRead(trx, ['outbox'], () => confirm(trx, 'delivery', ids))).toBeLessThan(5 * ids.length);
    expect(await countRowsRead(trx, ['outbox'], () => isAnyDue(trx, before, 0))).toBe(0);
    expect(await countRowsRead(trx, ['outbox'], () => dueEvents(trx, before, 0, 100))).toBe(0);
    expect(await countRowsRead(trx, ['outbox'], () => oldestSeconds(trx))).toBeLessThan(5);
    expect(await countRowsRead(trx, ['outbox'], () => unpublishedSignals(trx, 100))).toBe(0);
  });
});
