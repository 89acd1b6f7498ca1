import { commandOutbox } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { callAs, eventually } from '@sheaf/testing';
import { announceAgain, listAnnounced, tallySubmissions } from '../src/reconcile';
import { formsWithSubmissions } from '../src/reconcile.queries';
import { Started } from './started';

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());
// A moment after everything.
beforeEach(() => started.clock.advance(1_000));

const first = '00000000-0000-0000-0000-000000000000';
const walk = (after = first) => ({ after, before: new Date(started.clock.now().getTime() + 1), limit: 1_000_000 });
const tallied = (from = new Date(0)) => tallySubmissions(started.db, { ...walk(), from });
const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);
const eventOf = (id: string) => started.received.filter(({ type, subject }) => type === 'submission.created' && subject === id);
/** Ends the waiting for `delivery`, as its confirmations do. */
const confirmed = (id: string) => started.db('outbox').where({ subject: id }).delete();
const announcedIds = async (minutes = [minuteOf(started.clock.now()), minuteOf(started.clock.now()) - 1]) =>
  (await listAnnounced(started.db, { ...walk(), minutes })).announced.map(({ id }) => id);

it('tells of an announcement only once delivery has confirmed it', async () => {
  const { id } = await started.submit(started.aForm());
  await eventually(() => expect(eventOf(id)).toHaveLength(1));
  await expect(announcedIds()).resolves.not.toContain(id);
  await confirmed(id);
  await expect(announcedIds()).resolves.toContain(id);
});

it('announces once more what was announced before, with the answers of then, under one id', async () => {
  const form = started.aForm();
  const { id } = await started.submit(form, { name: 'Ada' });
  await eventually(() => expect(eventOf(id)).toHaveLength(1));
  await confirmed(id);
  started.clock.advance(1_000);
  const corrected = { form_id: form, id, data: Buffer.from('{"name":"Grace"}'), revision: 0 };
  await started.client.correctSubmission(callAs(started.owner), corrected);
  await confirmed(id);

  const again = () => announceAgain(commandOutbox(started.db), [id, newId()]);
  await expect(again()).resolves.toBe(1);
  // It waits in the outbox now.
  await expect(again()).resolves.toBe(0);
  await eventually(() => expect(eventOf(id)).toHaveLength(2));
  await confirmed(id);
  await expect(again()).resolves.toBe(1);
  await eventually(() => expect(new Set(eventOf(id).map((event) => event.id)).size).toBe(2));
  const [first, second] = eventOf(id);
  expect(second).toMatchObject({ body: first?.body, occurredAt: first?.occurredAt, formId: form });
  // Found by its time, as the log of delivery looks for it.
  expect(second?.id.slice(0, 13).replace('-', '')).toBe(first?.occurredAt.getTime().toString(16).padStart(12, '0'));
});

it('announces nothing that is held as spam or waits', async () => {
  const { id } = await started.client.submit(callAs(started.respondent), {
    form: started.aForm(),
    data: Buffer.from('{"name":"Ada"}'),
    hp: 'x',
  });
  await expect(announceAgain(commandOutbox(started.db), [id])).resolves.toBe(0);
});

it('tells the versions of submissions, and leaves out forms that are being erased', async () => {
  const form = started.aForm();
  await started.submit(form);
  await started.submit(form);
  const ofForm = async () => (await tallied()).versions.filter(({ form_id }) => form_id === form);
  await expect(ofForm()).resolves.toMatchObject([{ version: 3, version_id: null, submissions: 2 }]);
  await expect(formsWithSubmissions(started.db, [form, newId()])).resolves.toEqual([{ form_id: form }]);

  const erasure = { id: newId(), instance_id: started.instanceId, form_id: form, submissions: 0, files: 0, begun_at: started.clock.now() };
  await started.db('erasure').insert({ ...erasure, whole_form: true });
  await expect(ofForm()).resolves.toEqual([]);
  await expect(formsWithSubmissions(started.db, [form])).resolves.toEqual([]);
});

it('tallies what was announced by minutes, from a moment on, and names those of a minute', async () => {
  started.clock.advance(120_000);
  const [from, form] = [started.clock.now(), started.aForm()];
  const { id } = await started.submit(form);
  started.clock.advance(60_000);
  const { id: later } = await started.submit(form);
  for (const one of [id, later]) {
    await eventually(() => expect(eventOf(one)).toHaveLength(1));
    await confirmed(one);
  }
  started.clock.advance(1_000);
  const { tallies, submissions, last } = await tallied(from);
  expect(tallies.map(([minute, count]) => [minute, count]).sort()).toEqual([
    [minuteOf(from), 1],
    [minuteOf(from) + 1, 1],
  ]);
  expect(submissions).toBeGreaterThan(2);
  expect(last).toBeNull();
  await expect(announcedIds([minuteOf(from)])).resolves.toEqual([id]);
});
