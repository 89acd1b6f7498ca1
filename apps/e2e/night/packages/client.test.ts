import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { emptyProjectWith, nodeExecutable, runInDeno, serveFolder, supportedNodes, type EmptyProject } from '@sheaf/testing';
import { build } from 'esbuild';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { consumers, typeComplaints } from '../../support/package-types';
import { anyone, credentials } from '../../support/people';

// The package as its users get it. apps/e2e/test/app/client.test.ts has what the client does.

const run = promisify(execFile);

let project: EmptyProject;
beforeAll(async () => {
  project = await emptyProjectWith('client');
});
afterAll(() => project.remove());

/** Submits, lists, exports, and is refused. */
const program = (load: string, form: string, url = anyone.origin) => `(async () => {
  const { all, createClient, exportSubmissions, listSubmissions, SheafError, submitForm } = ${load};
  const client = createClient({ url: ${JSON.stringify(url)}, key: ${JSON.stringify(credentials.api_key)} });
  for (const name of ['Ada', 'Zoë ☃']) await submitForm({ client, path: { form: '${form}' }, body: { data: { name } } });
  const names = [];
  for await (const { data } of all(listSubmissions, { client, path: { id: '${form}' }, query: { limit: 1 } })) names.push(data.name);
  const exported = await exportSubmissions({ client, path: { id: '${form}' }, query: { format: 'ndjson' } });
  const lines = (await exported.text()).trim().split('\\n').length;
  const refused = await submitForm({ client, path: { form: '${form}' }, body: { data: {} } }).catch((error) => error);
  return [names, lines, refused instanceof SheafError, refused.code, refused.details[0].key, typeof refused.requestId];
})()`;
const outcome = [['Zoë ☃', 'Ada'], 2, true, 'bad_request', 'name', 'string'];

/** Signs in with a cookie, does what a page of the instance does, and signs out. The first answer to a submission is lost on its way. */
const signedIn = (form: string) => `(async () => {
  const { all, ...sheaf } = window.sheaf;
  let lost = false;
  const losing = async (address, init) => {
    const response = await fetch(address, init);
    if (lost || init.method !== 'POST' || !address.endsWith('/submissions')) return response;
    lost = true;
    throw new TypeError('the connection was lost');
  };
  const client = sheaf.createClient({ url: location.origin, fetch: losing });
  const path = { id: '${form}' };
  const { email, password } = ${JSON.stringify(credentials.user)};
  const { token } = await sheaf.createSession({ client, body: { email, password, cookie: true } });

  const file = new File(['hello'], 'hello.txt', { type: 'text/plain' });
  const { file_id: fileId } = await sheaf.uploadFile({ client, path: { form: path.id }, query: { field: 'photo' }, body: { file } });
  const changes = [];
  for await (const { type, data } of sheaf.receiveEvents({ client })) {
    if (type === 'reset') await sheaf.addSubmission({ client, path, body: { data: { photo: fileId } } });
    else if (data.form_id === path.id) changes.push(data.kind + ' ' + data.action);
    if (changes.length > 0) break;
  }
  let submissions = 0;
  for await (const submission of all(sheaf.searchSubmissions, { client, path, query: { limit: 1 } })) submissions += 1;
  const photo = await sheaf.downloadFile({ client, path: { ...path, fileId } });
  const exported = await (await sheaf.exportSubmissions({ client, path, query: { format: 'ndjson' } })).text();
  const outcome = {
    token,
    email: (await sheaf.getCaller({ client })).email,
    submissions,
    photo: [await photo.text(), photo.headers.get('content-disposition')],
    exported: exported.trim().split('\\n').length,
    changes,
    renamed: (await sheaf.updateForm({ client, path, body: { title: 'Renamed' } })).title,
  };
  await sheaf.endCurrentSession({ client });
  return { ...outcome, signedOut: (await sheaf.getCaller({ client }).catch((error) => error)).code };
})()`;

describe.each(supportedNodes)('The packed client under Node %i', (major) => {
  it.each([
    ['an ES module', 'module', `await import('@sheaf/client')`],
    ['a CommonJS module', 'commonjs', `require('@sheaf/client')`],
  ])('works as %s', async (_, type, load) => {
    const code = `${program(load, await given.publishedForm())}.then((outcome) => console.log(JSON.stringify(outcome)))`;
    const { stdout, stderr } = await run(await nodeExecutable(major), [`--input-type=${type}`, '-e', code], { cwd: project.folder });
    expect(JSON.parse(stdout)).toEqual(outcome);
    expect(stderr).toBe('');
  });
});

it('The packed client works under Deno', async () => {
  const code = `${program(`await import('@sheaf/client')`, await given.publishedForm())}.then((outcome) => console.log(JSON.stringify(outcome)))`;
  expect(JSON.parse(await runInDeno(project.folder, code))).toEqual(outcome);
});

describe('The packed client in a browser', () => {
  let bundle: string;
  beforeAll(async () => {
    bundle = await bundled(`export * from '@sheaf/client'`, { format: 'iife', globalName: 'sheaf' });
  });

  itInBrowser('works on a page of the instance', async () => {
    const { page, problems } = await asRespondent();
    await page.goto('/docs');
    await page.evaluate(`${bundle}; window.sheaf = sheaf`);
    expect(await page.evaluate(program('sheaf', await given.publishedForm(), new URL(page.url()).origin))).toEqual(outcome);
    expect(problems.take()).toEqual([expect.stringMatching(/^400: .*\/submissions$/)]);
  });

  itInBrowser('needs no key on a page of the instance whose person has signed in with a cookie', async () => {
    const { page, problems, context } = await asRespondent({ isApplication: true });
    await page.goto('/docs');
    await page.evaluate(`${bundle}; window.sheaf = sheaf`);
    const form = await given.publishedForm({ fields: [{ key: 'photo', label: 'Photo', type: 'file' }] });
    expect(await page.evaluate(signedIn(form))).toEqual({
      token: undefined,
      email: credentials.user.email,
      submissions: 1,
      photo: ['hello', 'attachment; filename=hello.txt'],
      exported: 1,
      changes: ['submission created'],
      renamed: 'Renamed',
      signedOut: 'authentication_required',
    });
    // By this one the browser is known, so that others cannot lock it out.
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['sheaf_device']);
    expect(problems.take()).toEqual([expect.stringMatching(/^401: .*\/auth\/me$/)]);
    // A dozen requests, each after the other.
  });

  itInBrowser('works on a page of another site, as far as respondents may', async () => {
    const server = await serveFolder(project.folder);
    try {
      const form = await given.publishedForm({ fields: [{ key: 'photo', label: 'Photo', type: 'file' }] });
      const { page } = await asRespondent({ origins: [server.origin] });
      await page.goto(server.origin);
      const code = `(async () => {
        const { createClient, getPublicForm, submitForm, uploadFile } = await import('/node_modules/@sheaf/client/index.js');
        const client = createClient({ url: ${JSON.stringify(anyone.origin)} });
        const path = { form: '${form}' };
        const { fields } = await getPublicForm({ client, path });
        const file = new File(['hello'], 'hello.txt', { type: 'text/plain' });
        const { file_id: photo } = await uploadFile({ client, path, query: { field: fields[0].key }, body: { file } });
        return (await submitForm({ client, path, body: { data: { photo } } })).status;
      })()`;
      expect(await page.evaluate(code)).toBe('new');
    } finally {
      await server.close();
    }
  });
});

describe('The size of the packed client, minified and compressed', () => {
  const sizeOf = async (code: string) => gzipSync(await bundled(code, { minify: true, format: 'esm' })).length;

  it('is small for one operation', async () => {
    const one = `import { createClient, listForms } from '@sheaf/client'; export default () => listForms({ client: createClient({ url: '' }) });`;
    expect(await sizeOf(one)).toBeLessThan(3_200);
  });

  it('is bounded for all operations', async () => {
    expect(await sizeOf(`export * from '@sheaf/client'`)).toBeLessThan(8_500);
  });
});

describe('The types of the packed client', () => {
  const code = (wrong: string) => `
    import { all, createClient, exportSubmissions, listForms, searchSubmissions, submitForm, SheafError, type FormSummary } from '@sheaf/client';
    const client = createClient({ url: 'https://forms.example.org', key: async () => 'key' });
    export async function use(): Promise<string[]> {
      const titles: string[] = [];
      for await (const form of all(listForms, { client, query: { limit: 5 } })) titles.push((form satisfies FormSummary).title);
      for await (const found of all(searchSubmissions, { client, path: { id: 'f' }, query: { filter: { age: { gte: '18' } } } })) titles.push(found.id);
      const { body } = await exportSubmissions({ client, path: { id: 'f' } });
      titles.push(String((await body.getReader().read()).value?.byteLength));
      try {
        await submitForm({ client, path: { form: 'f' }, body: { data: {} }, headers: { 'Idempotency-Key': 'k' } });
      } catch (error) {
        if (error instanceof SheafError && error.code === 'conflict') titles.push(error.message);
      }
      ${wrong}
      return titles;
    }`;

  it.each(Object.keys(consumers))('fit %s', async (consumer) => {
    expect(await typeComplaints(project.folder, code(''), consumer)).toEqual([]);
  });

  it('know the fields of requests and answers', async () => {
    const wrong = `
      await submitForm({ client, path: { id: 'f' }, body: { data: {} } });
      await listForms({ client, query: { limit: '5' } });
      titles.push((await listForms({ client })).data[0].name);`;
    expect(await typeComplaints(project.folder, code(wrong), 'bundlers for browsers')).toEqual([
      "Object literal may only specify known properties, and 'id' does not exist in type '{ form: string; }'.",
      "Type 'string' is not assignable to type 'number'.",
      "Property 'name' does not exist on type 'FormSummary'.",
    ]);
  });
});

async function bundled(code: string, options: { minify?: boolean; format: 'esm' | 'iife'; globalName?: string }): Promise<string> {
  const { outputFiles } = await build({ stdin: { contents: code, resolveDir: project.folder }, bundle: true, write: false, ...options });
  return outputFiles[0]?.text ?? '';
}
