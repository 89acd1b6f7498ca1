import { callAs } from '@sheaf/testing';
import { countWaiting } from '../src/insights/count-waiting';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner, viewer } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

const never = new AbortController().signal;
const fields = Buffer.from(
  JSON.stringify([
    { key: 'home', label: 'Home', type: 'country', required: false },
    { key: 'work', label: 'Work', type: 'country', required: false, only: ['AT', 'DE'] },
  ]),
);
const labels = ['home', 'work'].map((key) => ({ key, label: key, options: {}, type: 'country' }));

let form: string;
let inGermany: string;
let inAustria: string;
beforeAll(async () => {
  form = started.aForm({ fields, labels, unordered: ['home', 'work'], languages: ['sv'] });
  inGermany = (await started.submit(form, { home: 'de', work: 'DE' })).id;
  inAustria = (await started.submit(form, { home: 'FR', work: 'AT' })).id;
  await started.versions.idle();
  await indexWaiting(started.deps, never);
  await countWaiting(started.deps, never);
});

const exported = async (more: object) => {
  const parts: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(viewer), { form_id: form, format: 'csv', ...more }))
    parts.push(data);
  return Buffer.concat(parts)
    .toString()
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',').slice(-2));
};

it.each([
  ['Germany', () => [inGermany]],
  ['deutsch', () => [inGermany]],
  ['Allemagne', () => [inGermany]],
  ['Tyskland', () => [inGermany]],
  ['osterreich', () => [inAustria]],
  ['"Frankrike"', () => [inAustria]],
  ['Niemcy', () => []],
])('a country is found by its name in each language of the form and of the console: %s', async (q, found) => {
  const { submissions } = await started.client.findSubmissions(callAs(viewer), {
    ...{ form_id: form, limit: 25, sort: '-created', statuses: [], filters: [], people: [] },
    q,
  });
  expect(submissions.map(({ id }) => id)).toEqual(found());
});

it('an export has the codes of countries, and with labels their names in the language of its reader', async () => {
  expect(await exported({})).toEqual([
    ['FR', 'AT'],
    ['DE', 'DE'],
  ]);
  expect(await exported({ labels: true, language: 'de' })).toEqual([
    ['Frankreich', 'Österreich'],
    ['Deutschland', 'Deutschland'],
  ]);
  expect(await exported({ labels: true })).toEqual([
    ['France', 'Austria'],
    ['Germany', 'Germany'],
  ]);
});

it('insights count each country that somebody chose', async () => {
  const insights = await started.client.getInsights(callAs(owner), { form_id: form, timezone: 'UTC', keys: [] });
  expect(insights.fields.find(({ key }) => key === 'home')).toMatchObject({
    answered: 2,
    options: [
      { value: 'DE', submissions: 1 },
      { value: 'FR', submissions: 1 },
    ],
  });
});
