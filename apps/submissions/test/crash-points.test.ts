import { callAs, connectionsDieAt, eventually } from '@sheaf/testing';
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

it.each([
  ['before its saved answers were erased', 'before delete on saved_answers'],
  ['after its saved answers were erased, before the commit', 'before insert on listed_count'],
])('a submission whose process died %s is not stored, and they are still there for a retry', async (_, point) => {
  const form = started.aForm({ settings: { resume: { days: 30 } } });
  const saved = Buffer.alloc(32, 1);
  const respondent = callAs(started.respondent);
  await started.client.saveAnswers(respondent, { form, name: saved, sealed: Buffer.from('sealed'), file_ids: [] });
  const read = () => started.client.getSavedAnswers(respondent, { form, name: saved });
  const send = () => started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1', saved });

  const breaking = await connectionsDieAt(started.db, point);
  await expect(send()).rejects.toMatchObject({ code: 'unavailable' });
  await eventually(async () => expect(await breaking.deaths()).toBe(1));
  await breaking.end();
  expect(await started.list(form)).toEqual({ total: 0, ids: [] });
  await expect(read()).resolves.toMatchObject({ sealed: Buffer.from('sealed') });

  const { id } = await send();
  expect(await started.list(form)).toEqual({ total: 1, ids: [id] });
  await expect(read()).rejects.toMatchObject({ code: 'not_found' });
});
