import { connectionsDieAt, eventually } from '@sheaf/testing';
import { Started } from './started';

// The fate of a submission when the process dies at some point before it responds.

let started: Started;

beforeEach(async () => {
  started = await new Started().start();
});
afterEach(() => started.stop());

it('a submission whose process died before the commit is not stored, its key is free, and a retry is accepted once', async () => {
  const form = started.aForm();
  const send = () => started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
  // The transaction's last statement.
  const breaking = await connectionsDieAt(started.db, 'before insert on listed_count');
  await expect(send()).rejects.toMatchObject({ code: 'unavailable' });
  // The pool may notice the dead connection with a delay.
  await eventually(async () => expect(await breaking.deaths()).toBe(1));
  await breaking.end();
  expect(await started.list(form)).toEqual({ total: 0, ids: [] });
  await expect(started.db('outbox')).resolves.toEqual([]);
  await expect(started.db('idempotency_key')).resolves.toEqual([]);

  const { id } = await send();
  expect(await started.list(form)).toEqual({ total: 1, ids: [id] });
  await eventually(() => expect(started.eventsOf(id)).toHaveLength(1));
});

it('a submission whose process died after the commit and before the response is returned for the same key', async () => {
  const form = started.aForm();
  const lost = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });

  await expect(started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' })).resolves.toEqual(lost);
  expect(await started.list(form)).toEqual({ total: 1, ids: [lost.id] });
  await eventually(() => expect(started.eventsOf(lost.id)).toHaveLength(1));
});
