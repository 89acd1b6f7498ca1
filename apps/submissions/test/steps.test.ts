import { callAs } from '@sheaf/testing';
import { Steps } from '../src/insights/steps';
import { stepsOfDays } from '../src/insights/steps.queries';
import { Started } from './started';

const started = new Started();
const { owner, respondent, clock } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());
beforeEach(() => clock.set('2026-06-01T12:00:00.000Z'));

const page = (label: string) => ({ type: 'page', label });
const field = (key: string) => ({ key, label: key, type: 'short_text', required: false });
const fieldsOf = (...items: object[]) => Buffer.from(JSON.stringify(items));
const twoPages = fieldsOf(field('name'), page('About you'), field('town'));
const latest = 3;

const count = (form: string, reached: number, from?: number, version = latest) =>
  started.client.countStep(callAs(respondent), { form, version, reached, from });

/** How far respondents got: for each step how many reached it, and how many went on. */
async function stepsOf(form: string, asked: { from?: string; to?: string; timezone?: string } = {}) {
  await started.steps.store();
  const { steps } = await started.client.getInsights(callAs(owner), { form_id: form, timezone: 'UTC', keys: [], ...asked });
  return steps.map(({ kind, label, reached, went_on: wentOn }) => [label ?? kind, reached, wentOn]);
}

it('each step has the respondents who got to it, and those who got further, with the check of the answers last', async () => {
  const form = started.aForm({ fields: twoPages });
  for (const _ of [1, 2, 3]) await count(form, 0);
  for (const _ of [1, 2]) await count(form, 1, 0);
  await count(form, 2, 1);
  const sent = { form, data: Buffer.from('{"name":"Ada"}'), checked: true, idempotency_key: 'key-1' };
  await started.client.submit(callAs(respondent), sent);
  await started.client.submit(callAs(respondent), sent);
  await started.client.submit(callAs(respondent), { ...sent, idempotency_key: undefined, hp: 'http://buy.example' });
  expect(await stepsOf(form)).toEqual([
    ['page', 3, 2],
    ['About you', 2, 1],
    ['check', 1, 1],
  ]);
});

it('steps that the form does not have, pages of an earlier version and forms with a single page are not counted, and make no rows', async () => {
  const form = started.aForm({ fields: twoPages });
  await count(form, 3, 7);
  await count(form, 1, 0, latest - 1);
  const single = started.aForm({ fields: fieldsOf(field('name')) });
  await count(single, 0);
  await started.client.submit(callAs(respondent), { form: single, data: Buffer.from('{}'), checked: true });
  expect(await stepsOf(single)).toEqual([]);
  expect(await stepsOf(form)).toEqual([
    ['page', 0, 0],
    ['About you', 0, 0],
    ['check', 0, 0],
  ]);
  expect(await started.db('step_count').whereIn('form_id', [form, single])).toEqual([]);
});

it('steps are counted in the days of the time zone of the form', async () => {
  const form = started.aForm({ fields: twoPages });
  clock.set('2026-06-01T22:30:00.000Z');
  await count(form, 0);
  const reached = async (day: string, timezone: string) => (await stepsOf(form, { from: day, to: day, timezone }))[0]?.[1];
  expect(await reached('2026-06-01', 'UTC')).toBe(1);
  expect(await reached('2026-06-01', 'Europe/Vienna')).toBe(0);
  expect(await reached('2026-06-02', 'Europe/Vienna')).toBe(1);
});

it('counts of processes add up, and what could not be stored is stored the next time', async () => {
  const id = started.aForm({ fields: twoPages });
  const form = await started.deps.forms.published(id, { caller: respondent, call: callAs(respondent) });
  const [one, other] = [new Steps(started.deps), new Steps(started.deps)];
  one.note(form, { reached: 0 });
  await started.db.raw('alter table step_count rename to away');
  await expect(one.store()).rejects.toThrow();
  one.note(form, { reached: 1, from: 0 });
  await started.db.raw('alter table away rename to step_count');
  other.note(form, { reached: 0 });
  await Promise.all([one.store(), other.store()]);
  await one.store();
  expect(await stepsOf(id)).toEqual([
    ['page', 2, 1],
    ['About you', 1, 0],
    ['check', 0, 0],
  ]);
});

it('insights have no steps where a form has over 100 pages, where there are too many counts to add up, and where reading them fails', async () => {
  const pages = Array.from({ length: 101 }, (_, at) => [page(`Page ${at}`), field(`f${at}`)]);
  const large = started.aForm({ fields: fieldsOf(...pages.flat()) });
  await count(large, 0);
  expect(await stepsOf(large)).toEqual([]);
  expect(await started.db('step_count').where({ form_id: large })).toEqual([]);
  expect(await stepsOf(started.aForm({ fields: fieldsOf(...pages.slice(1).flat()) }))).toHaveLength(101);

  const id = started.aForm({ fields: twoPages });
  for (const hour of ['12', '13']) {
    clock.set(`2026-06-01T${hour}:00:00.000Z`);
    await count(id, 0);
    await started.steps.store();
  }
  const { outline } = await started.deps.forms.published(id, { caller: respondent, call: callAs(respondent) });
  const days = [{ date: '2026-06-01', start: 0, end: 2_000_000_000 }];
  const reached = async (max: number) =>
    (await stepsOfDays(started.db, { id, outline: outline.name, steps: 3 }, days, max))?.get(0)?.reached;
  expect([await reached(6), await reached(5)]).toEqual([2, undefined]);

  await started.db.raw('alter table step_count rename to away');
  const { steps } = await started.client.getInsights(callAs(owner), { form_id: id, timezone: 'UTC', keys: [] });
  await started.db.raw('alter table away rename to step_count');
  expect(steps).toEqual([]);
});

it('nothing is stored about a step but the form, the outline of its pages, the quarter of an hour and the counts', async () => {
  const { rows } = (await started.db.raw(
    `select column_name as name from information_schema.columns where table_name = 'step_count' order by ordinal_position`,
  )) as unknown as { rows: { name: string }[] };
  expect(rows.map(({ name }) => name)).toEqual(['form_id', 'outline', 'quarter', 'reached', 'went_on']);
});
