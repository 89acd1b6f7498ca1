import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@sheaf/embedded';
import {
  emptyProjectWith,
  eventually,
  newDataDir,
  nodeExecutable,
  Person,
  removeDataDir,
  runInDeno,
  serveFolder,
  startSubscriber,
  supportedNodes,
  System,
  type EmptyProject,
} from '@sheaf/testing';
import { WebhookReceiver, type Delivery, type WebhookError } from '@sheaf/webhooks';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { consumers, typeComplaints } from '../../support/package-types';
import { anyone } from '../../support/people';

const run = promisify(execFile);

describe('The packed package', () => {
  let project: EmptyProject;
  let form: string;
  /** A real delivery, and the same with another body, as arguments of the programs below. */
  let requests: string;
  beforeAll(async () => {
    const subscriber = await startSubscriber();
    [project, form] = await Promise.all([emptyProjectWith('webhooks'), given.publishedForm()]);
    await given.subscription(form, subscriber.url);
    await given.submission(form, { name: 'Zoë ☃' });
    const [{ headers, body } = { headers: {}, body: '' }] = await subscriber.waitFor(1);
    requests = JSON.stringify([
      { headers, body },
      { headers, body: `${body} ` },
    ]);
    await subscriber.close();
  });
  afterAll(() => project.remove());

  const program = (load: string) => `(async () => {
    const { WebhookReceiver } = ${load};
    const receiver = new WebhookReceiver({ origin: ${JSON.stringify(anyone.origin)} });
    const outcomes = [];
    for (const request of ${requests}) {
      const outcome = receiver.verify(request).then(({ event }) => event.form_id + ' ' + event.data.name, ({ code }) => code);
      outcomes.push(await outcome);
    }
    return outcomes;
  })()`;

  describe.each(supportedNodes)('under Node %i', (major) => {
    it.each([
      ['an ES module', 'module', `await import('@sheaf/webhooks')`],
      ['a CommonJS module', 'commonjs', `require('@sheaf/webhooks')`],
    ])('verifies a delivery as %s', async (_, type, load) => {
      const code = `${program(load)}.then((outcomes) => console.log(JSON.stringify(outcomes)))`;
      const { stdout, stderr } = await run(await nodeExecutable(major), [`--input-type=${type}`, '-e', code], { cwd: project.folder });
      expect(JSON.parse(stdout)).toEqual([`${form} Zoë ☃`, 'signature_mismatch']);
      expect(stderr).toBe('');
    });
  });

  const printing = () => `console.log(JSON.stringify(await ${program(`await import('@sheaf/webhooks')`)}));`;

  it('verifies a delivery under Deno', async () => {
    expect(JSON.parse(await runInDeno(project.folder, printing()))).toEqual([`${form} Zoë ☃`, 'signature_mismatch']);
  });

  // Skipped where this machine has no Bun.
  const hasBun = spawnSync('bun', ['--version'], { timeout: 10_000 }).status === 0;
  (hasBun ? it : it.skip)('verifies a delivery under Bun', async () => {
    await writeFile(join(project.folder, 'bun.mjs'), printing());
    const { stdout } = await run('bun', ['run', 'bun.mjs'], { cwd: project.folder });
    expect(JSON.parse(stdout)).toEqual([`${form} Zoë ☃`, 'signature_mismatch']);
  });

  describe('has types', () => {
    const code = (wrong: string) => `
      import { WebhookError, WebhookReceiver, type ReplayStore } from '@sheaf/webhooks';
      const ids = new Set<string>();
      const replayStore: ReplayStore = { add: async (id) => ids.size < ids.add(id).size, has: async (id) => ids.has(id), remove: async (id) => void ids.delete(id) };
      const receiver = new WebhookReceiver({ origin: 'https://forms.example.org', replayStore });
      export const respond = (request: Request): Promise<Response> =>
        receiver.respond(request, async ({ event, traceparent }) => {
          if (event.event === 'submission.created') console.log(event.submission.created_at, event.answers?.['name']?.text, traceparent?.length);
          else if (event.event === 'submission.deleted') console.log(event.submission_id);
          else if (event.event === 'submission.status_changed') for (const id of event.submission_ids ?? [event.submission_id]) console.log(id, event.new_status);
          ${wrong}
        });
      export const isForged = (error: unknown) => error instanceof WebhookError && error.code === 'signature_mismatch';`;

    it.each(Object.keys(consumers))('that fit %s', async (consumer) => {
      expect(await typeComplaints(project.folder, code(''), consumer)).toEqual([]);
    });

    it('that fit the servers of Node', async () => {
      const server = `
        import { createServer } from 'node:http';
        import { WebhookReceiver } from '@sheaf/webhooks';
        createServer(new WebhookReceiver({ origin: 'https://forms.example.org' }).listener(({ id }) => console.log(id)));`;
      expect(await typeComplaints(project.folder, server, 'ES modules of Node')).toEqual([]);
    });

    it('that know the properties of each event', async () => {
      expect(await typeComplaints(project.folder, code('console.log(event.data);'), 'bundlers for browsers')).toEqual([
        expect.stringContaining("Property 'data' does not exist on type"),
      ]);
    });
  });

  itInBrowser('verifies a delivery in a browser', async () => {
    const server = await serveFolder(project.folder);
    try {
      const { page } = await asRespondent({ origins: [server.origin] });
      await page.goto(server.origin);
      expect(await page.evaluate(program(`await import('/node_modules/@sheaf/webhooks/index.js')`))).toEqual([
        `${form} Zoë ☃`,
        'signature_mismatch',
      ]);
    } finally {
      await server.close();
    }
  });
});

describe('A receiver', () => {
  let dataDir: string;
  let port: number | undefined;
  let system: System;
  let owner: Person;
  let server: Server;
  let url: string;
  let handled: Delivery[];
  let errors: unknown[];
  /** How far the receiver's clock is ahead. */
  let aheadMs: number;

  /** Starts the system at the same address each time. */
  async function startSystem(): Promise<void> {
    system = await System.start(dataDir, { PORT: String(port) });
    owner = new Person(system.origin, system.credentials.api_key);
  }

  /** Gives the deployment another secret. @returns the key sets before and after */
  async function replaceKeys(): Promise<[before: unknown, after: unknown]> {
    const file = join(dataDir, 'secrets.json');
    const keySet = async () => (await owner.get('/.well-known/webhook-keys.json')).body;
    const before = await keySet();
    await system.stop();
    const secrets = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...secrets, webhook_signing_secret: 'another secret that is long enough for a deployment' }));
    await startSystem();
    return [before, await keySet()];
  }

  beforeAll(async () => {
    dataDir = await newDataDir();
    [port] = await freePorts(1);
    await startSystem();
  });
  afterAll(async () => {
    await system.stop();
    await removeDataDir(dataDir);
  });

  beforeEach(async () => {
    [handled, errors, aheadMs] = [[], [], 0];
    const receiver = new WebhookReceiver({
      origin: system.origin,
      now: () => Date.now() + aheadMs,
      onError: (error) => errors.push(error),
    });
    const listener = receiver.listener((delivery) => handled.push(delivery));
    server = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const namesIn = () => handled.flatMap(({ event }) => (event.event === 'submission.created' ? [event.data.name] : []));

  async function subscribedForm(...events: string[]): Promise<string> {
    const form = await given.publishedForm({}, owner);
    for (const event of events) {
      await owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: url, event, source: 'zapier' });
    }
    return form;
  }

  const submit = async (form: string, name: string) =>
    ((await owner.post(`/public/v1/forms/${form}/submissions`, { data: { name } })).body as { id: string }).id;

  it('receives all events of a form', async () => {
    const form = await subscribedForm('submission.created', 'submission.status_changed', 'submission.deleted');
    const submission = await submit(form, 'Ada');
    await owner.patch(`/api/v1/forms/${form}/submissions/${submission}/status`, { status: 'approved' });
    await owner.delete(`/api/v1/forms/${form}/submissions/${submission}`);
    await eventually(() => expect(handled).toHaveLength(3));
    expect(handled.map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'submission.created', form_id: form, data: { name: 'Ada' } }),
        expect.objectContaining({ event: 'submission.status_changed', submission_id: submission, new_status: 'approved' }),
        expect.objectContaining({ event: 'submission.deleted', submission_id: submission }),
      ]),
    );
    expect(errors).toEqual([]);
  });

  it('receives named payloads and samples', async () => {
    const form = await given.publishedForm({}, owner);
    const webhooks = `/app/v1/forms/${form}/webhooks`;
    const { id } = (await owner.post(webhooks, { target_url: url, event: 'submission.created', payload: 'named' })).body as { id: string };
    await submit(form, 'Ada');
    await eventually(() => expect(handled).toHaveLength(1));
    expect(handled[0]).toMatchObject({
      isTest: false,
      event: { data: { name: 'Ada' }, answers: { name: { label: 'Your name', type: 'short_text', value: 'Ada', text: 'Ada' } } },
    });

    expect(await owner.post(`${webhooks}/${id}/test`, {})).toMatchObject({ status: 200, body: { delivered: true, status: 204 } });
    expect(handled[1]).toMatchObject({ isTest: true, event: { form_id: form, answers: { name: { label: 'Your name' } } } });
  });

  it('goes on after the keys were rotated, with the keys that it has', async () => {
    const form = await subscribedForm('submission.created');
    await submit(form, 'before');
    await eventually(() => expect(namesIn()).toEqual(['before']));

    const { email, password } = system.credentials.user;
    const { token } = (await owner.post('/app/v1/sessions', { email, password })).body as { token: string };
    expect(await owner.with(token).post('/app/v1/webhook-keys/rotate')).toMatchObject({ status: 200 });
    await submit(form, 'after');
    await eventually(() => expect(namesIn()).toEqual(['before', 'after']));
    expect(errors).toEqual([]);
  });

  it('goes on after an operator replaced all keys at once, because it fetches the new ones', async () => {
    const form = await subscribedForm('submission.created');
    await submit(form, 'before');
    await eventually(() => expect(namesIn()).toEqual(['before']));

    const [before, after] = await replaceKeys();
    expect(after).not.toEqual(before);
    aheadMs = 60_000;
    await submit(form, 'after');
    await eventually(() => expect(namesIn()).toEqual(['before', 'after']));
    expect(errors).toEqual([]);
  });

  it('answers a replayed request without handling it', async () => {
    const form = await subscribedForm('submission.created');
    const captured = await startSubscriber();
    await owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: captured.url, event: 'submission.created', source: 'zapier' });
    await submit(form, 'Ada');
    const [{ headers, body } = { headers: {}, body: '' }] = await captured.waitFor(1);
    await captured.close();
    const replay = async () =>
      (await fetch(url, { method: 'POST', headers: { ...(headers as Record<string, string>), connection: 'close' }, body })).status;
    await eventually(() => expect(handled).toHaveLength(1));
    // Another subscription's delivery has another id: it is new to this receiver once.
    expect([await replay(), await replay()]).toEqual([204, 204]);
    expect(handled).toHaveLength(2);
    aheadMs = 301_000;
    expect(await replay()).toBe(400);
    expect((errors as WebhookError[]).map(({ code }) => code)).toEqual(['timestamp_out_of_tolerance']);
  });
});
