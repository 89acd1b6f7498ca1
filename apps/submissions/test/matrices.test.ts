import type { ImportPreview, SubmissionImport } from '@sheaf/contracts';
import { callAs } from '@sheaf/testing';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { editor, viewer } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

const never = new AbortController().signal;
const rows = [
  { value: '10', label: 'Front' },
  { value: '2', label: 'Back' },
];
const columns = [
  { value: 'bad', label: 'Poor' },
  { value: 'good', label: 'Excellent' },
];
const matrices = [
  { key: 'looks', label: 'Looks', type: 'matrix', required: false, rows, columns },
  { key: 'uses', label: 'Uses', type: 'matrix', required: false, multiple: true, rows, columns },
];
const fields = Buffer.from(JSON.stringify(matrices));
const labels = matrices.map(({ key, label, type, multiple }) => ({
  ...{ key, label, type, options: { bad: 'Poor', good: 'Excellent' }, values: ['bad', 'good'] },
  parts: rows.map(({ value, label: row }) => ({ name: value, kind: multiple === true ? 'options' : 'option', label: row })),
}));

let form: string;
let first: { id: string };
let second: { id: string };
beforeAll(async () => {
  form = started.aForm({ fields, labels });
  first = await started.submit(form, { looks: { '2': 'good', '10': 'bad' }, uses: { '2': ['good', 'bad'] } });
  second = await started.submit(form, { looks: { '10': 'bad', '2': null }, uses: {} });
  await started.versions.idle();
  await indexWaiting(started.deps, never);
});

const answersIn = async (of: string) => {
  const { submissions } = await started.client.listSubmissions(callAs(viewer), { form_id: of, limit: 100, offset: 0 });
  return new Map(submissions.map(({ id, data }) => [id, JSON.parse(data.toString()) as Record<string, unknown>]));
};
const exported = async (more: object) => {
  const parts: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(viewer), { form_id: form, format: 'csv', ...more }))
    parts.push(data);
  return Buffer.concat(parts).toString();
};
const lastOf = (file: string) =>
  file
    .trim()
    .split('\r\n')
    .map((line) => line.split(',').slice(-4).join());

it('answers to a matrix are kept without rows that are empty, several columns in the order of the form', async () => {
  const answers = await answersIn(form);
  expect(answers.get(first.id)).toEqual({ looks: { '10': 'bad', '2': 'good' }, uses: { '2': ['bad', 'good'] } });
  expect(answers.get(second.id)).toEqual({ looks: { '10': 'bad' } });
});

it.each([
  [{ looks: { gone: 'bad' } }, 'looks'],
  [{ looks: { '10': ['bad'] } }, 'looks'],
  [{ uses: { '10': 'bad' } }, 'uses'],
  [{ uses: { '10': ['bad', 'bad'] } }, 'uses'],
])('an answer that is none of a matrix is refused: %j', async (data, key) => {
  await expect(started.submit(form, data)).rejects.toMatchObject({
    code: 'bad_request',
    details: [{ key }],
  });
});

it('a matrix is found by the label of a column that was chosen', async () => {
  const found = async (q: string) => {
    const { submissions } = await started.client.findSubmissions(callAs(viewer), {
      ...{ form_id: form, limit: 25, sort: '-created', statuses: [], filters: [], people: [] },
      q,
    });
    return submissions.map(({ id }) => id);
  };
  expect(await found('excellent')).toEqual([first.id]);
  expect(await found('poor')).toEqual([second.id, first.id]);
  expect(await found('"Excellent"')).toEqual([first.id]);
});

it('an export has a column for each row, with values or with the labels of rows and columns', async () => {
  expect(lastOf(await exported({}))).toEqual(['looks – 10,looks – 2,uses – 10,uses – 2', 'bad,,,', 'bad,good,,"bad; good"']);
  expect(lastOf(await exported({ labels: true }))).toEqual([
    'Looks – Front,Looks – Back,Uses – Front,Uses – Back',
    'Poor,,,',
    'Poor,Excellent,,"Poor; Excellent"',
  ]);
});

it.each([{}, { labels: true }])('an export is imported again with the same answers: %j', async (how) => {
  const file = await exported(how);
  const copy = started.aForm({ fields, labels });
  async function* parts(named: object) {
    yield { file: { form_id: copy, match: [], only_valid: false, events: false, ...named } };
    yield { bytes: await Promise.resolve(Buffer.from(file)) };
  }
  const shown = JSON.parse((await started.client.previewImport(callAs(editor), parts({}))).json.toString()) as ImportPreview;
  expect(shown).toMatchObject({ rows: 2, valid: 2, fault_count: 0 });
  const key = { idempotency_key: `again ${JSON.stringify(how)}` };
  const done = JSON.parse((await started.client.importSubmissions(callAs(editor), parts(key))).json.toString()) as SubmissionImport;
  expect(done).toMatchObject({ imported: 2, left_out: 0 });
  expect([...(await answersIn(copy)).values()]).toEqual(expect.arrayContaining([...(await answersIn(form)).values()]));
});

it('a correction changes a row of an answer, and one without any takes it away', async () => {
  const { id } = await started.submit(form, { looks: { '10': 'bad' } });
  const correct = async (looks: object, revision: number) => {
    const data = Buffer.from(JSON.stringify({ looks }));
    const corrected = await started.client.correctSubmission(callAs(editor), {
      form_id: form,
      id,
      data,
      revision,
    });
    return JSON.parse(corrected.data.toString()) as unknown;
  };
  expect(await correct({ '2': 'good', '10': 'bad' }, 0)).toEqual({ looks: { '10': 'bad', '2': 'good' } });
  expect(await correct({ '2': '' }, 1)).toEqual({});
});
