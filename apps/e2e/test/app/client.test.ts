import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  all,
  createClient,
  createForm,
  createSession,
  downloadFile,
  endCurrentSession,
  exportSubmissions,
  getCaller,
  getFormDraft,
  getSubmission,
  importForm,
  listDeliveries,
  listSubmissions,
  pages,
  publishForm,
  receiveEvents,
  saveFormDraft,
  searchForms,
  searchSubmissions,
  submitForm,
  trashForm,
  updateForm,
  uploadFile,
  type Client,
} from '@sheaf/client';
import { eventually, workbook } from '@sheaf/testing';
import * as given from '../../support/given';
import { anyone, asServiceAccount, credentials } from '../../support/people';

const url = anyone.origin;
const client = createClient({ url, key: credentials.api_key });
const respondent = createClient({ url });

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** A connection that loses the first answers, after the server has done the work. */
function losing(answers: number): Client {
  let lost = 0;
  const flaky: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (lost++ >= answers) return response;
    await response.arrayBuffer();
    throw new TypeError('the connection was lost');
  };
  return createClient({ url, key: credentials.api_key, fetch: flaky });
}

it('a developer makes a form, publishes it and reads what was submitted', async () => {
  const form = await createForm({ client, body: { title: 'Site visit' } });
  const { revision } = await getFormDraft({ client, path: form });
  const fields = [{ key: 'name', label: 'Your name', type: 'short_text' as const, required: true }];
  await saveFormDraft({ client, path: form, body: { revision, fields } });
  expect(await publishForm({ client, path: form })).toMatchObject({ version: 1 });

  const { id } = await submitForm({ client: respondent, path: { form: form.id }, body: { data: { name: 'Ada' } } });
  expect(await getSubmission({ client, path: { id: form.id, subId: id } })).toMatchObject({ data: { name: 'Ada' }, status: 'new' });
  expect(await trashForm({ client, path: form })).toBeUndefined();
});

describe('A client', () => {
  it('signs in, acts with the session, and ends it', async () => {
    const { email, password } = credentials.user;
    const { token } = await createSession({ client: respondent, body: { email, password } });
    const person = createClient({ url, key: () => token });
    expect(await getCaller({ client: person })).toMatchObject({ email });
    await endCurrentSession({ client: person });
    await expect(getCaller({ client: person })).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it('throws the codes of the contract', async () => {
    const form = await given.publishedForm();
    const reader = createClient({ url, key: (await asServiceAccount('forms:read')).credential ?? '' });
    await expect(getCaller({ client: respondent })).rejects.toMatchObject({ code: 'authentication_required', status: 401 });
    await expect(updateForm({ client: reader, path: { id: form }, body: {} })).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(trashForm({ client, path: { id: 'unknown' } })).rejects.toMatchObject({ code: 'not_found', status: 404 });
    await expect(saveFormDraft({ client, path: { id: form }, body: { revision: 99, fields: [] } })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(submitForm({ client, path: { form }, body: { data: { stars: 9 } } })).rejects.toMatchObject({
      name: 'SheafError',
      code: 'bad_request',
      details: [{ key: 'name', code: 'required' }, { key: 'stars' }],
      requestId: expect.any(String) as string,
    });
  });

  it('submits once when answers are lost on their way', async () => {
    const form = await given.publishedForm();
    const receipt = await submitForm({ client: losing(2), path: { form }, body: { data: { name: 'Ada' } } });
    expect(await given.submissionsOf(form)).toMatchObject([{ id: receipt.id }]);
  });

  it('does not create a second form when an answer is lost', async () => {
    const title = `Lost ${Date.now()}`;
    const { id } = await createForm({ client: losing(1), body: { title } });
    expect(await collect(all(searchForms, { client, query: { q: title } }))).toMatchObject([{ id }]);
  });
});

describe('A list', () => {
  let form: string;
  beforeAll(async () => {
    form = await given.publishedForm();
    for (const name of ['Ada', 'Bob', 'Cleo', 'Dora', 'Eve']) await given.submission(form, { name });
  });
  const names = (found: { data: Record<string, unknown> }[]) => found.map(({ data }) => data.name);

  it('by offset is read to its end', async () => {
    const found = await collect(all(listSubmissions, { client, path: { id: form }, query: { limit: 2 } }));
    expect(names(found)).toEqual(['Eve', 'Dora', 'Cleo', 'Bob', 'Ada']);
  });

  it('by cursor is read to its end', async () => {
    const found = await collect(pages(searchSubmissions, { client, path: { id: form }, query: { limit: 2 } }));
    expect(found.map(({ data }) => data.length)).toEqual([2, 2, 1]);
    expect(names(found.flatMap(({ data }) => data))).toEqual(['Eve', 'Dora', 'Cleo', 'Bob', 'Ada']);
  });

  it('takes several values, and conditions on answers', async () => {
    const query = { status: ['new' as const, 'approved' as const], filter: { name: { ne: 'Eve' } } };
    await eventually(async () => {
      expect(names(await collect(all(searchSubmissions, { client, path: { id: form }, query })))).toEqual(['Dora', 'Cleo', 'Bob', 'Ada']);
    });
  });

  it('of deliveries is read by offset, or by cursor if it is narrowed down', async () => {
    expect(await collect(all(listDeliveries, { client, path: { id: form } }))).toEqual([]);
    expect(await collect(all(listDeliveries, { client, path: { id: form }, query: { event: 'submission.created' } }))).toEqual([]);
  });
});

describe('A file', () => {
  const content = 'hello\n'.repeat(50_000);
  let form: string;
  let folder: string;
  beforeAll(async () => {
    form = await given.publishedForm({ fields: [{ key: 'cv', label: 'CV', type: 'file' }] });
    folder = await mkdtemp(join(tmpdir(), 'sheaf-upload-'));
    await writeFile(join(folder, 'cv.txt'), content);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['in memory', () => new File([content], 'cv.txt', { type: 'text/plain' })],
    ['on disk', () => ({ stream: createReadStream(join(folder, 'cv.txt')), name: 'cv.txt', type: 'text/plain' })],
  ])('%s is uploaded, submitted and downloaded', async (_, open) => {
    const path = { form };
    const { file_id } = await uploadFile({ client: respondent, path, query: { field: 'cv' }, body: { file: open() } });
    await submitForm({ client: respondent, path, body: { data: { cv: file_id } } });
    const response = await downloadFile({ client, path: { id: form, fileId: file_id } });
    expect(response.headers.get('content-disposition')).toContain('cv.txt');
    expect(await response.text()).toBe(content);
  });

  it('with an XLSForm becomes a form', async () => {
    const sheets = {
      survey: [
        ['type', 'name', 'label'],
        ['text', 'other', 'Which one?'],
      ],
      settings: [['form_title'], ['Imported']],
    };
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const body = new Blob([new Uint8Array(await workbook(sheets))], { type });
    const imported = await importForm({ client, body, query: { workspace_id: credentials.workspace_id } });
    expect(imported).toMatchObject({ title: 'Imported' });
  });

  it('of an export is a stream', async () => {
    const response = await exportSubmissions({ client, path: { id: form }, query: { format: 'csv' } });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toMatch(/cv/);
    await reader.cancel();
  });
});

it('a screen follows what changes until it has seen enough', async () => {
  const form = await given.publishedForm();
  const controller = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const event of receiveEvents({ client, signal: controller.signal })) {
      if (event.type === 'reset') seen.push('reset');
      // Of the form itself, the screen may still hear what happened a moment before.
      else if (event.data.form_id === form && event.data.kind === 'submission') seen.push(`${event.data.kind}.${event.data.action}`);
      if (seen.includes('submission.created')) return;
    }
  })();
  await eventually(() => expect(seen).toEqual(['reset']));
  await given.submission(form);
  await following;
  expect(seen).toEqual(['reset', 'submission.created']);
});
