import { commandOutbox } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { callAs, eventually } from '@sheaf/testing';
import { announceAgain } from '../src/reconcile';
import { formsWithSubmissions, storedPage } from '../src/reconcile.queries';
import { Started } from './started';

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());
// A moment after everything.
beforeEach(() => started.clock.advance(1_000));

const page = (limit = 1_000, after = '00000000-0000-0000-0000-000000000000') =>
  storedPage(started.db, { after, before: new Date(started.clock.now().getTime() + 1), limit });
const eventOf = (id: string) => started.received.filter(({ type, subject }) => type === 'submission.created' && subject === id);
/** Ends the waiting for `delivery`, as its confirmation does. */
const confirmed = (id: string) => started.db('outbox').where({ subject: id, type: 'submission.created' }).delete();
const announcedIds = async () => (await page()).announced.map(({ id }) => id);

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
  const ofForm = async () => (await page()).versions.filter(({ form_id }) => form_id === form);
  await expect(ofForm()).resolves.toMatchObject([{ version: 3, version_id: null, submissions: 2 }]);
  await expect(formsWithSubmissions(started.db, [form, newId()])).resolves.toEqual([{ form_id: form }]);

  const erasure = { id: newId(), instance_id: started.instanceId, form_id: form, submissions: 0, files: 0, begun_at: started.clock.now() };
  await started.db('erasure').insert({ ...erasure, whole_form: true });
  await expect(ofForm()).resolves.toEqual([]);
  await expect(formsWithSubmissions(started.db, [form])).resolves.toEqual([]);
});

it('reads all submissions in pages', async () => {
  const form = started.aForm();
  await Promise.all(Array.from({ length: 7 }, () => started.submit(form)));
  const all = await page();
  const [read, next] = [[] as number[], { after: '00000000-0000-0000-0000-000000000000' }];
  for (;;) {
    const { submissions, last } = await page(3, next.after);
    read.push(submissions);
    if (last === null) break;
    next.after = last;
  }
  expect(read.reduce((sum, count) => sum + count)).toBe(all.submissions);
  expect(Math.max(...read)).toBe(3);
});
