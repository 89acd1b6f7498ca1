import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { N8n, picked } from '../support/n8n';
import { connection, publishForm, submit, uploadFile } from '../support/sheaf';

const fields = [
  { type: 'section', label: 'About you' },
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'colour', label: 'Colour', type: 'select', options: [{ value: 'red', label: 'Red' }, 'blue'] },
  { key: 'days', label: 'Days', type: 'multi_select', options: ['mon', 'tue'] },
  { key: 'age', label: 'Age', type: 'integer' },
  { key: 'at', label: 'Appointment', type: 'datetime' },
  { key: 'agreed', label: 'Agreed', type: 'boolean' },
  { key: 'plan', label: 'Plan', type: 'file' },
];
/** A form with the kinds of items that are more than a question with an answer. */
const manyKinds = [
  { type: 'statement', label: 'Welcome to **our** workshop' },
  {
    key: 'nps',
    label: 'Would you recommend us?',
    type: 'rating',
    required: true,
    min: 0,
    max: 10,
    low_label: 'no',
    high_label: 'yes',
    score: 'nps',
  },
  { key: 'source', label: 'Source', type: 'select', required: true, options: ['web'], other: { label: 'Something else' } },
  { key: 'seat', label: 'Seat', type: 'select', options: [{ value: 'front', label: 'Front', limit: 1 }, 'back'] },
  { key: 'why', label: 'Why?', type: 'short_text', required: true, visible_if: { key: 'nps', lt: 7 } },
  { key: 'price', label: 'Price', type: 'calculated', formula: 'nps * 2' },
  { type: 'check', at: 'seat', if: { key: 'nps', lt: 1 }, message: 'Nobody sits there' },
  { type: 'ending', name: 'invited', if: { key: 'nps', gte: 9 }, title: 'Come again' },
];
const content = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n');

let n8n: N8n;
let formId: string;
let fileId: string;
let submitted: string;
before(async () => {
  n8n = await N8n.with(connection);
  formId = await publishForm('Site visit, north', fields);
  fileId = await uploadFile(formId, 'plan', { name: 'Plän.pdf', type: 'application/pdf', content });
  submitted = await submit(formId, { name: 'Ada Lovelace', colour: 'red', age: 36, plan: fileId });
});

const run = (resource: string, operation: string, more: INodeParameters = {}): Promise<INodeExecutionData[]> =>
  n8n.execute({ resource, operation, formId: picked(formId), ...more });
const ids = (items: INodeExecutionData[]): unknown[] => items.map(({ json }) => json.id);

/** The index is built in the background. */
async function found(more: INodeParameters, expected: unknown[]): Promise<void> {
  const until = Date.now() + 20_000;
  let last: unknown[];
  do {
    last = ids(await run('submission', 'search', more));
    if (JSON.stringify(last) === JSON.stringify(expected)) return;
    await sleep(100);
  } while (Date.now() < until);
  assert.deepEqual(last, expected);
}

describe('the Sheaf node with a running system', () => {
  it('lets people pick a form by a part of its title', async () => {
    assert.deepEqual(await n8n.pick('NORTH'), { results: [{ name: 'Site visit, north', value: formId }] });
    assert.deepEqual(await n8n.pick('no form has this title'), { results: [] });
  });

  it('gets a form with its fields, and lists forms', async () => {
    const [form] = await run('form', 'get');
    assert.equal(form?.json.title, 'Site visit, north');
    assert.deepEqual(
      (form.json.fields as { key: string }[]).map(({ key }) => key),
      ['name', 'colour', 'days', 'age', 'at', 'agreed', 'plan'],
    );
    assert.deepEqual(ids(await run('form', 'getAll', { returnAll: true, filters: { q: 'north' } })), [formId]);
  });

  it('creates a submission by the columns that it shows for the form', async () => {
    const { fields: schema } = await n8n.mapperFields(formId);
    const value = {
      name: 'Grace',
      colour: 'red',
      days: '["mon","tue"]',
      age: '50',
      at: '2026-03-04T16:05:12+01:00',
      agreed: 'true',
      plan: '',
    };
    const answers = { mappingMode: 'defineBelow', value, schema } as unknown as INodeParameters;
    const [created] = await run('submission', 'create', { answers, options: { language: 'en' } });
    assert.ok(created);
    const { data } = created.json as { data: Record<string, unknown> };
    assert.equal(new Date(data.at as string).toISOString(), '2026-03-04T15:05:12.000Z');
    assert.deepEqual({ ...data, at: '' }, { name: 'Grace', colour: 'red', days: ['mon', 'tue'], age: 50, at: '', agreed: true });
    assert.equal(created.json.language, 'en');

    const [again] = await run('submission', 'create', { answers, options: { language: 'en' } });
    assert.equal(again?.json.id, created.json.id, 'a second try of the same item returns the first submission');
  });

  it('creates a submission of a form with every kind of item', async () => {
    const form = await publishForm('Many kinds', manyKinds);
    const { fields: schema } = await n8n.mapperFields(form);
    assert.deepEqual(Object.fromEntries(schema.map(({ id, required }) => [id, required])), {
      nps: true,
      source: true,
      source_other: false,
      seat: false,
      why: false,
    });
    const value = { nps: 9, source: 'other', source_other: 'A poster', seat: 'front', why: null };
    const answers = { mappingMode: 'defineBelow', value, schema } as unknown as INodeParameters;
    const [created] = await run('submission', 'create', { formId: picked(form), answers });
    assert.deepEqual(created?.json.data, { nps: 9, source: 'other', source_other: 'A poster', seat: 'front', price: 18 });
  });

  it('passes on why answers are refused', async () => {
    const answers = { mappingMode: 'defineBelow', value: { age: 'x' }, schema: [] } as unknown as INodeParameters;
    await assert.rejects(run('submission', 'create', { answers }), (error: Error & { httpCode?: string }) => {
      assert.equal(error.httpCode, '400');
      assert.match(error.message, /name|age/);
      return true;
    });
  });

  it('gets, lists and searches submissions', async () => {
    const [submission] = await run('submission', 'get', { submissionId: submitted });
    assert.deepEqual(submission?.json.data, { name: 'Ada Lovelace', colour: 'red', age: 36, plan: fileId });
    const listed = await run('submission', 'getAll', { returnAll: true });
    assert.ok(ids(listed).includes(submitted));
    assert.equal((await run('submission', 'getAll', { returnAll: false, limit: 1 })).length, 1);
    assert.deepEqual(await run('submission', 'getAll', { returnAll: true, filters: { status: ['rejected'] } }), []);

    await found({ query: 'lovel*', returnAll: true }, [submitted]);
    const between = [
      { field: 'age', operator: 'gte', value: '30' },
      { field: 'age', operator: 'lt', value: '40' },
      { field: 'plan', operator: 'answered', value: '' },
    ];
    await found({ conditions: { condition: between }, returnAll: true }, [submitted]);
    await found({ conditions: { condition: [{ field: 'colour', operator: 'is', value: 'blue' }] }, returnAll: true }, []);
    assert.deepEqual((await n8n.fieldOptions('getFilterFields', formId))[0]?.value, 'name');
  });

  it('changes the status', async () => {
    const [changed] = await run('submission', 'updateStatus', { submissionId: submitted, status: 'approved' });
    assert.equal(changed?.json.status, 'approved');
    assert.deepEqual(ids(await run('submission', 'getAll', { returnAll: true, filters: { status: ['approved'] } })), [submitted]);
  });

  it('downloads a file', async () => {
    const [item] = await run('file', 'download', { fileId, binaryPropertyName: 'plan' });
    const binary = item?.binary?.plan;
    assert.equal(binary?.fileName, 'Plän.pdf');
    assert.equal(binary.mimeType, 'application/pdf');
    assert.deepEqual(Buffer.from(binary.data, 'base64'), content);
  });

  it('uploads a file, and creates a submission with it', async () => {
    assert.deepEqual(await n8n.fieldOptions('getFileFields', formId), [{ name: 'Plan', value: 'plan', description: 'plan' }]);
    const letter = Buffer.from('Dear Ada,\r\n--\r\n');
    const file = { data: letter.toString('base64'), fileName: 'a letter to Zoë; final.txt', mimeType: 'text/plain' };
    const [uploaded] = await n8n.execute(
      { resource: 'file', operation: 'upload', formId: picked(formId), field: 'plan', inputBinaryField: 'letter' },
      { binary: { letter: file } },
    );
    const plan = uploaded?.json.file_id as string;
    const answers = { mappingMode: 'defineBelow', value: { name: 'Zoë', plan }, schema: [] } as unknown as INodeParameters;
    const [created] = await run('submission', 'create', { answers });
    assert.deepEqual(created?.json.data, { name: 'Zoë', plan });

    const [item] = await run('file', 'download', { fileId: plan, binaryPropertyName: 'letter' });
    const binary = item?.binary?.letter;
    assert.equal(binary?.fileName, 'a letter to Zoë; final.txt');
    assert.deepEqual(Buffer.from(binary.data, 'base64'), letter);
  });

  it('passes on the message and code of a refusal', async () => {
    await assert.rejects(run('submission', 'get', { submissionId: 'unknown' }), {
      httpCode: '404',
      description: 'Status 404, code not_found.',
    });
    const stranger = await N8n.with({ ...connection, apiKey: 'shf_u_wrong' });
    await assert.rejects(stranger.pick(), { httpCode: '401', description: /code unauthorized\. Check the API key/ });
  });
});
