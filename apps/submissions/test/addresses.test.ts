import type { SubmissionImport } from '@sheaf/contracts';
import { callAs, refused } from '@sheaf/testing';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner, editor, viewer } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

const never = new AbortController().signal;
const parts = [{ part: 'line1', required: true }, { part: 'city', required: true }, { part: 'postal_code' }, { part: 'country' }];
const fields = Buffer.from(JSON.stringify([{ key: 'home', label: 'Home', type: 'address', required: false, parts }]));
const kinds = { line1: 'text', city: 'text', postal_code: 'text', country: 'country' };
const labels = [
  { key: 'home', label: 'Home', options: {}, type: 'address', parts: Object.entries(kinds).map(([name, kind]) => ({ name, kind })) },
];
const german = { line1: 'Main St 1', city: 'Unterberg', postal_code: 'K1A 0B1', country: 'DE' };
const unknown = { line1: 'High St 2', city: 'Upton' };

let form: string;
let inGermany: string;
let elsewhere: string;
beforeAll(async () => {
  form = started.aForm({ fields, labels, unordered: ['home'] });
  inGermany = (await started.submit(form, { home: { ...german, line1: ' Main St 1 ' } })).id;
  elsewhere = (await started.submit(form, { home: { ...unknown, postal_code: '', country: null } })).id;
  await started.versions.idle();
  await indexWaiting(started.deps, never);
});

async function found(q: string): Promise<string[]> {
  const { submissions } = await started.client.findSubmissions(callAs(viewer), {
    ...{ form_id: form, limit: 25, sort: '-created', statuses: [], filters: [], people: [] },
    q,
  });
  return submissions.map(({ id }) => id);
}

async function exported(more: object = {}): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(viewer), { form_id: form, format: 'csv', ...more }))
    chunks.push(data);
  return Buffer.concat(chunks).toString();
}

async function answersOf(id: string, of = form): Promise<unknown> {
  const { submissions } = await started.client.listSubmissions(callAs(viewer), { form_id: of, limit: 100, offset: 0 });
  return submissions.filter((each) => id === '' || each.id === id).map(({ data }) => JSON.parse(data.toString()) as unknown);
}

it('an address is kept without the parts that are empty, and refused where one that is needed is missing', async () => {
  expect(await answersOf(inGermany)).toEqual([{ home: german }]);
  expect(await answersOf(elsewhere)).toEqual([{ home: unknown }]);
  await expect(started.submit(form, { home: { line1: 'Main St 1' } })).rejects.toEqual(
    refused('bad_request', 'data.home: city is required'),
  );
});

it.each([
  ['main st', () => [inGermany]],
  ['unterberg', () => [inGermany]],
  ['"k1a 0b1"', () => [inGermany]],
  ['upton', () => [elsewhere]],
  ['Germany', () => [inGermany]],
  ['"Deutschland"', () => [inGermany]],
  ['Allemagne unterberg', () => [inGermany]],
  ['France', () => []],
])('an address is found by its texts, and by the name of its country: %s', async (q, ids) => {
  expect(await found(q)).toEqual(ids());
});

it('a file has a column for each part of an address, and importing it makes the same answers', async () => {
  const file = await exported();
  const rows = file.trim().split('\r\n');
  expect(rows.map((row) => row.split(',').slice(-4))).toEqual([
    ['home – line1', 'home – city', 'home – postal_code', 'home – country'],
    ['High St 2', 'Upton', '', ''],
    ['Main St 1', 'Unterberg', 'K1A 0B1', 'DE'],
  ]);

  const other = started.aForm({ fields, labels, unordered: ['home'] });
  const columns = rows.map((row) => row.split(',').slice(-4).join(',')).join('\n');
  async function* sent() {
    yield { file: { form_id: other, match: [], idempotency_key: 'once', only_valid: false, events: false } };
    yield { bytes: await Promise.resolve(Buffer.from(columns)) };
  }
  const { json } = await started.client.importSubmissions(callAs(editor), sent());
  expect(JSON.parse(json.toString()) as SubmissionImport).toMatchObject({ imported: 2 });
  expect(await answersOf('', other)).toEqual(expect.arrayContaining([{ home: german }, { home: unknown }]));
});

it('a correction takes an address by the same rules, and it is found by the new one', async () => {
  const correct = (home: object) =>
    started.client.correctSubmission(callAs(owner), {
      ...{ form_id: form, id: elsewhere, revision: 0 },
      data: Buffer.from(JSON.stringify({ home })),
    });
  await expect(correct({ line1: 'High St 2', country: 'FR' })).rejects.toEqual(refused('bad_request', 'data.home: city is required'));
  await correct({ line1: 'High St 2', city: 'Paris', country: 'FR' });
  await indexWaiting(started.deps, never);
  expect(await answersOf(elsewhere)).toEqual([{ home: { line1: 'High St 2', city: 'Paris', country: 'FR' } }]);
  expect([await found('upton'), await found('Frankreich paris')]).toEqual([[], [elsewhere]]);
});
