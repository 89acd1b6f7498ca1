import type { Problem } from '@sheaf/kernel';
import { callAs } from '@sheaf/testing';
import { finishErasures } from '../src/erasing/finish-erasures';
import { followForms } from '../src/erasing/follow-forms';
import { Visits } from '../src/insights/visits';
import { Started } from './started';

const started = new Started();
const { owner, respondent, instanceId, clock } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());
beforeEach(() => clock.set('2026-06-01T12:00:00.000Z'));

const see = (form: string, view = true) => started.client.getIntakeForm(callAs(respondent), { form, view });
const data = (answers: object) => Buffer.from(JSON.stringify(answers));
const send = (form: string, answers: object, more: { begins?: boolean; idempotency_key?: string; hp?: string } = {}) =>
  started.client.submit(callAs(respondent), { form, data: data(answers), ...more });
const invalid = expect.objectContaining({ code: 'bad_request' }) as Problem;

/** The days on which something happened: views, starts, completions. */
async function visitsOf(form: string, timezone = 'UTC'): Promise<Record<string, number[]>> {
  await started.visits.store();
  const { days } = await started.client.getInsights(callAs(owner), { form_id: form, timezone, keys: [] });
  return Object.fromEntries(
    days
      .map(({ date, views, starts, completions }): [string, number[]] => [date, [views, starts, completions]])
      .filter(([, counts]) => counts.some((count) => count > 0)),
  );
}

it('a form is viewed when a respondent opens it, not when a page of it asks again, nor while it is closed', async () => {
  const form = started.aForm();
  await see(form);
  await see(form);
  await see(form, false);
  const closed = started.aForm({ closes_at: '2026-05-01T00:00:00.000Z' });
  await see(closed);
  expect(await visitsOf(form)).toEqual({ '2026-06-01': [2, 0, 0] });
  expect(await visitsOf(closed)).toEqual({});
});

it('a visitor who sends answers for the first time has started, whatever is wrong with them, and one whose answers are accepted has completed', async () => {
  const form = started.aForm();
  await expect(send(form, {}, { begins: true })).rejects.toThrow(invalid);
  await send(form, { name: 'Ada' });
  await send(form, { name: 'Grace' }, { begins: true });
  await started.client.checkAnswers(callAs(respondent), { form, data: data({}), begins: true });
  await started.client.checkAnswers(callAs(respondent), { form, data: data({}) });
  expect(await visitsOf(form)).toEqual({ '2026-06-01': [0, 3, 2] });
});

it('saving answers for later is a start, too', async () => {
  const form = started.aForm({ settings: { resume: { days: 7 } } });
  await started.client.saveAnswers(callAs(respondent), { form, name: Buffer.alloc(32, 1), sealed: Buffer.from('…'), begins: true });
  expect(await visitsOf(form)).toEqual({ '2026-06-01': [0, 1, 0] });
});

it('a repeated request counts once, and spam is no completion', async () => {
  const form = started.aForm();
  const sent = { begins: true, idempotency_key: 'key-1' };
  await send(form, { name: 'Ada' }, sent);
  await send(form, { name: 'Ada' }, sent);
  await send(form, { name: 'Ada' }, { hp: 'http://buy.example' });
  expect(await visitsOf(form)).toEqual({ '2026-06-01': [0, 1, 1] });
});

it('visits belong to the days of the time zone of the form, and stay when the submission goes', async () => {
  const form = started.aForm();
  clock.set('2026-06-01T22:30:00.000Z');
  await see(form);
  const { id } = await send(form, { name: 'Ada' });
  await started.client.deleteSubmission(callAs(owner), { form_id: form, id });
  expect(await visitsOf(form)).toEqual({ '2026-06-01': [1, 0, 1] });
  expect(await visitsOf(form, 'Europe/Vienna')).toEqual({ '2026-06-02': [1, 0, 1] });
});

it('processes add up, and what could not be stored is stored the next time', async () => {
  const form = started.aForm();
  const [one, other] = [new Visits(started.deps), new Visits(started.deps)];
  one.note(form, 'views');
  await started.db.raw('alter table visit_count rename to away');
  await expect(one.store()).rejects.toThrow();
  one.note(form, 'views');
  await started.db.raw('alter table away rename to visit_count');
  other.note(form, 'views');
  await Promise.all([one.store(), other.store()]);
  await one.store();
  expect(await visitsOf(form)).toEqual({ '2026-06-01': [3, 0, 0] });
});

it('nothing is stored about a visit but the form, the quarter of an hour and the counts', async () => {
  const { rows } = (await started.db.raw(
    `select column_name as name from information_schema.columns where table_name = 'visit_count' order by ordinal_position`,
  )) as unknown as { rows: { name: string }[] };
  expect(rows.map(({ name }) => name)).toEqual(['form_id', 'quarter', 'views', 'starts', 'completions']);
});

it('an erased form leaves no counts', async () => {
  const name = { key: 'name', label: 'Name', type: 'short_text', required: false };
  const form = started.aForm({ fields: Buffer.from(JSON.stringify([name, { type: 'page', label: 'More' }])) });
  await see(form);
  await started.client.countStep(callAs(respondent), { form, version: 3, reached: 0 });
  await started.visits.store();
  await started.steps.store();
  expect(await started.db('step_count').where({ form_id: form })).toHaveLength(1);
  await followForms(started.deps, started.deps.files.log, [
    {
      id: '0197f0c2-0000-7000-8000-000000000001',
      type: 'form.erased',
      instanceId,
      subject: form,
      formId: form,
      occurredAt: clock.now(),
      body: JSON.stringify({ form_id: form, erasure_id: '0197f0c2-0000-7000-8000-000000000002', workspace_id: started.workspaceId }),
    },
  ]);
  await finishErasures(started.deps, { watchMs: 0 });
  expect(await started.db('visit_count').where({ form_id: form })).toEqual([]);
  expect(await started.db('step_count').where({ form_id: form })).toEqual([]);
});
