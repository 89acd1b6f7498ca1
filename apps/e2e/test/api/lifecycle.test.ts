import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { apps } from '@sheaf/kernel';
import {
  Documented,
  eventually,
  isRunning,
  newDataDir,
  Person,
  removeDataDir,
  startCollector,
  startSubscriber,
  type CollectedSpan,
  type Collector,
  type Subscriber,
  superuserOf,
  System,
} from '@sheaf/testing';
import { Eraser } from '../../support/erasing';
import { jsonLines, logLines } from '../../support/log-lines';

// These tests start, kill and stop their own system. It has a collector of traces, which goes away before anything else does.

const clientsTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const clientsSpan = '00f067aa0ba902b7';
const traceparent = `00-${clientsTrace}-${clientsSpan}-01`;

const supervised = [...apps, 'nats', 'postgres'];
/** The way of a submission. The launcher treats all processes alike, and tools/crash kills every one of them. */
const killed = ['gateway', 'submissions', 'delivery', 'nats', 'postgres'];
const names = ['system', ...supervised];
let dataDir: string;
let system: System;
let subscriber: Subscriber;
let collector: Collector;
let owner: Person;
let anyone: Person;
let form: string;

async function start(): Promise<void> {
  system = await System.start(dataDir, {
    SAMPLE_FORM: 'true',
    ERASING_SECOND_LOOK_MS: '500',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer of-the-collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    RETRY_DELAYS_MS: '100,100,1000,5000,30000',
  });
  anyone = new Person(system.origin, undefined, new Documented(system.origin));
  owner = anyone.with(system.credentials.api_key);
}

const pids = async () => (await Promise.all(names.map((name) => system.pid(name)))).filter((pid) => pid !== undefined);
const submit = async (name: string) => {
  const { status, body } = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name } }, { 'idempotency-key': name });
  if (status !== 201) throw new Error(`submitting answered ${status} ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
};
const waitForDelivery = (id: string) => subscriber.waitFor(1, ({ body }) => body.includes(id));

beforeAll(async () => {
  dataDir = await newDataDir();
  [subscriber, collector] = await Promise.all([startSubscriber(), startCollector()]);
  await start();

  ({ id: form } = (await owner.post('/api/v1/forms', { title: 'Kept' })).body as { id: string });
  await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await owner.post(`/api/v1/forms/${form}/publish`);
  await owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: subscriber.url, event: 'submission.created', source: 'zapier' });
});
afterAll(async () => {
  await Promise.all([subscriber.close(), collector.close()]);
  await system.stop();
  await removeDataDir(dataDir);
});

/** The sample form's title, and its address as the launcher prints it, for as long as the form is there. */
async function sample(): Promise<{ titles: string[]; address: string | undefined }> {
  const { body } = await owner.get('/api/v1/forms');
  const titles = (body as { data: { title: string }[] }).data
    .map(({ title }) => title)
    .filter((title) => title !== 'Kept' && title !== 'Traced');
  return { titles, address: /^ {2}Form {4}(\S+)$/m.exec(system.said)?.[1] };
}

it('prints at its first start the address of a page that is ready to be filled in', async () => {
  const { titles, address = '' } = await sample();
  expect(titles).toEqual(['Workshop feedback']);
  expect(address).toBe(`${system.origin}/f/workshop-feedback`);
  const page = await fetch(address);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Which workshop did you take part in?');
});

it('keeps its credentials private and writes its logs as JSON lines', async () => {
  expect((await stat(join(dataDir, 'credentials.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);

  for (const file of await readdir(join(dataDir, 'log'))) {
    const lines = await logLines(dataDir, file);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) as unknown, level: expect.any(String) as unknown });
    expect(lines.join()).not.toContain(system.credentials.api_key);
  }
});

it('rejects a second launcher on the same data', async () => {
  await expect(System.start(dataDir)).rejects.toThrow(/did not start/);
  expect(await owner.get('/api/v1/auth/me')).toMatchObject({ status: 200 });
});

describe('with a collector', () => {
  let traced: string;
  beforeAll(async () => {
    ({ id: traced } = (await owner.post('/api/v1/forms', { title: 'Traced' })).body as { id: string });
    await owner.put(`/app/v1/forms/${traced}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
    await owner.post(`/api/v1/forms/${traced}/publish`);
    await owner.post('/api/v1/hooks/subscribe', {
      form_id: traced,
      target_url: `${subscriber.url}/traced?key=of-the-subscriber`,
      event: 'submission.created',
      source: 'zapier',
    });
  });

  const tracesOf = (submission: string) =>
    subscriber.received.filter(({ body }) => body.includes(submission)).map(({ headers }) => headers.traceparent);
  const send = async (headers: Record<string, string> = {}) =>
    ((await anyone.post(`/public/v1/forms/${traced}/submissions`, { data: { name: 'Traceable Answer' } }, headers)).body as { id: string })
      .id;
  const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  /** Lists the spans from this one up to the root of its trace, each with its service. */
  const pathToRoot = (from: CollectedSpan | undefined): string[] => {
    if (from === undefined) return [];
    return [
      `${from.service} ${from.kind} ${from.name}`,
      ...pathToRoot(spansOf(from.traceId).find(({ spanId }) => spanId === from.parentSpanId)),
    ];
  };
  const traceIdIn = (header: unknown) => String(header).split('-')[1] ?? '';
  const spanIdIn = (header: unknown) => String(header).split('-')[2] ?? '';

  it('a submission is one trace from the request through calls, outbox and broker to the webhook', async () => {
    subscriber.answer(200);
    const submission = await send();
    const [received] = await subscriber.waitFor(1, ({ body }) => body.includes(submission));
    const sent = received?.headers.traceparent;

    const attempt = await eventually(() => {
      const found = collector.spans.find(({ spanId }) => spanId === spanIdIn(sent));
      expect(pathToRoot(found)).toEqual([
        'sheaf-delivery client POST',
        'sheaf-delivery consumer process sheaf.events.submissions.submission.created',
        'sheaf-submissions producer publish sheaf.events.submissions.submission.created',
        'sheaf-submissions server sheaf.submissions.v1.Submissions/Submit',
        'sheaf-gateway client sheaf.submissions.v1.Submissions/Submit',
        'sheaf-gateway server POST /public/v1/forms/:form/submissions',
      ]);
      return found;
    });
    const root = spansOf(traceIdIn(sent)).find(({ parentSpanId }) => parentSpanId === undefined);
    expect(root?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/public/v1/forms/:form/submissions',
      'http.response.status_code': 201,
    });
    expect(attempt?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    });
    expect(collector.headers.authorization).toBe('Bearer of-the-collector');
    await eventually(async () =>
      expect(await jsonLines(dataDir, 'delivery')).toContainEqual(
        expect.objectContaining({ msg: 'attempt', traceId: traceIdIn(sent), spanId: spanIdIn(sent) }),
      ),
    );
  });

  it('a repeated attempt is in the same trace, with its own span', async () => {
    let refusals = 1;
    subscriber.answer(() => (refusals-- > 0 ? 500 : 200));
    const submission = await send();
    const attempts = await subscriber.waitFor(2, ({ body }) => body.includes(submission));
    const [first, second] = attempts.map(({ headers }) => headers.traceparent);

    expect(traceIdIn(second)).toBe(traceIdIn(first));
    expect(spanIdIn(second)).not.toBe(spanIdIn(first));
    await eventually(() => {
      const posts = spansOf(traceIdIn(first)).filter(({ name }) => name === 'POST');
      expect(
        posts.map(({ failed, attributes }) => ({
          failed,
          status: attributes['http.response.status_code'],
          resends: attributes['http.request.resend_count'],
        })),
      ).toEqual([
        { failed: true, status: 500, resends: undefined },
        { failed: false, status: 200, resends: 1 },
      ]);
    });
  });

  it('a client’s trace is continued', async () => {
    subscriber.answer(200);
    const submission = await send({ traceparent });
    const [received] = await subscriber.waitFor(1, ({ body }) => body.includes(submission));

    expect(traceIdIn(received?.headers.traceparent)).toBe(clientsTrace);
    await eventually(() =>
      expect(spansOf(clientsTrace)).toContainEqual(
        expect.objectContaining({ service: 'sheaf-gateway', kind: 'server', parentSpanId: clientsSpan }),
      ),
    );
  });

  it('submissions of one batch stay in the traces of their own requests', async () => {
    subscriber.answer(200);
    const ids = Array.from({ length: 20 }, (_, n) => (n + 1).toString(16).padStart(32, 'a'));
    const submissions = await Promise.all(ids.map((id) => send({ traceparent: `00-${id}-${clientsSpan}-01` })));

    await eventually(() => expect(submissions.map((submission) => tracesOf(submission).map(traceIdIn))).toEqual(ids.map((id) => [id])));
  });

  it('spans contain no answers or keys, and only the pattern of a path and the host of an address', async () => {
    await owner.get(`/api/v1/forms/${traced}/submissions?limit=7`);
    const spans = await eventually(() => {
      const found = collector.spans.filter(({ name }) => name === 'GET /api/v1/forms/:id/submissions');
      expect(found).not.toEqual([]);
      return collector.spans;
    });

    const text = JSON.stringify(spans);
    for (const secret of [system.credentials.api_key, 'Traceable Answer', 'of-the-subscriber', '/traced', 'limit=7', traced, '127.0.0.1:'])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/user_agent|client\.address|url\.(path|full|query)/);
  });

  it('a missing collector affects no request, and is logged only occasionally', async () => {
    const complaintsOf = async (service: string) =>
      (await jsonLines(dataDir, service)).filter(({ msg }) => msg === 'traces could not be sent');
    await collector.close();
    for (let n = 0; n < 50; n++) {
      await send();
      if (n > 0) continue;
      for (const service of ['gateway', 'delivery']) await eventually(async () => expect(await complaintsOf(service)).toHaveLength(1));
    }
    const submission = await send();
    await subscriber.waitFor(1, ({ body }) => body.includes(submission));

    for (const service of ['gateway', 'delivery']) expect((await complaintsOf(service)).length).toBeLessThanOrEqual(1);
    expect(JSON.stringify(await jsonLines(dataDir, 'gateway'))).not.toContain('of-the-collector');
  });
});

it.each(killed)('restarts %s after it was killed, and delivers the submissions accepted before and after', async (name) => {
  const before = await submit(`before-${name}`);
  const pid = (await system.pid(name)) ?? 0;
  process.kill(pid, 'SIGKILL');

  const after = await eventually(() => submit(`after-${name}`));
  await waitForDelivery(before);
  await waitForDelivery(after);
  await eventually(async () => {
    const next = await system.pid(name);
    expect(next).toBeDefined();
    expect(next).not.toBe(pid);
  });
});

it('answers 503 before the deadline while a service does not respond', async () => {
  const pid = (await system.pid('forms')) ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    // The client's timeout is 10 s.
    expect(await owner.get(`/api/v1/forms/${form}`)).toMatchObject({ status: 503, body: { error: { code: 'internal_error' } } });
    expect(await owner.get('/api/v1/auth/me')).toMatchObject({ status: 200 });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await eventually(async () => expect(await owner.get(`/api/v1/forms/${form}`)).toMatchObject({ status: 200 }));
});

it('reports only the request id of an internal failure to the client, and the cause in the log', async () => {
  const postgres = await superuserOf(dataDir, 'sheaf_submissions');
  try {
    await postgres.query('alter table submission rename to renamed');
    const { status, body, headers } = await owner.get(`/api/v1/forms/${form}/submissions`);
    expect({ status, body }).toEqual({
      status: 500,
      body: { error: { code: 'internal_error', message: 'Something went wrong on our side.' } },
    });

    const requestId = headers.get('x-request-id') ?? 'none';
    // The launcher writes what a process logs a moment after the process has answered.
    await eventually(async () => {
      const logged = (await logLines(dataDir, 'submissions')).find((line) => line.includes(requestId));
      expect(logged).toContain('relation \\"submission\\" does not exist');
    });
  } finally {
    await postgres.query('alter table renamed rename to submission');
    await postgres.end();
  }
});

it('has neither lost nor duplicated a submission after all these failures', async () => {
  const { body } = await owner.get(`/api/v1/forms/${form}/submissions?limit=100`);
  const { data, total } = body as { data: { data: { name: string } }[]; total: number };
  const sent = killed.flatMap((name) => [`before-${name}`, `after-${name}`]);

  expect(total).toBe(sent.length);
  expect(data.map(({ data: { name } }) => name).sort()).toEqual(sent.sort());
});

it('exits with 0, leaves no process running, and keeps its data for the next start, where a sample form that was deleted does not come back', async () => {
  const { body } = await owner.get('/api/v1/forms?q=feedback');
  expect(await owner.delete(`/api/v1/forms/${(body as { data: { id: string }[] }).data[0]?.id ?? ''}`)).toMatchObject({ status: 204 });
  const before = await pids();
  expect(before.filter((pid) => isRunning(pid))).toHaveLength(names.length);

  expect(await system.stop()).toBe(0);
  expect(before.filter((pid) => isRunning(pid))).toEqual([]);
  expect(await pids()).toEqual([]);

  await start();
  expect(await owner.get(`/api/v1/forms/${form}`)).toMatchObject({ status: 200, body: { title: 'Kept', current_version: 1 } });
  await waitForDelivery(await submit('after-the-restart'));
  expect(await sample()).toEqual({ titles: [], address: undefined });
});

it('submissions that a form or its instance keeps only for a time are nowhere any more after that, and the rest is everywhere it was', async () => {
  const eraser = new Eraser(system, subscriber);
  const { send, placesWith } = eraser;
  const [ofForm, ofInstance, stays] = [`kept${Date.now()}`, `default${Date.now()}`, `newer${Date.now()}`];
  const [form, silent] = [await eraser.aForm(), await eraser.aForm()];
  await send('PATCH', `/app/v1/forms/${form}`, { retention: { trash_days: 30 } });
  await send('PATCH', '/app/v1/instance/retention', { trash_days: 60 });
  const overTime = [await eraser.markedSubmission(form, ofForm), await eraser.markedSubmission(silent, ofInstance)];
  const newer = await eraser.markedSubmission(silent, stays);
  for (const [of, id] of [
    [form, overTime[0]],
    [silent, overTime[1]],
    [silent, newer],
  ])
    await send('DELETE', `/api/v1/forms/${of}/submissions/${id}`);
  for (const marker of [ofForm, ofInstance, stays])
    await eventually(async () => expect(await placesWith(marker)).toEqual(expect.arrayContaining(['submissions.search_entry'])));
  const db = await superuserOf(dataDir, 'sheaf_submissions');
  const inTrashFor = (days: number, ids: readonly string[]) =>
    db.query(`update submission set deleted_at = now() - $1 * interval '1 day' where id = any($2)`, [days, ids]);
  await inTrashFor(31, [overTime[0] ?? '', newer]);
  await inTrashFor(61, [overTime[1] ?? '']);
  // The days were decided so long ago that they are in force.
  await eventually(async () => expect((await db.query('select from form_keeping where form_id = $1', [form])).rows).toHaveLength(1));
  for (const table of ['form_keeping', 'instance_keeping'])
    await db.query(
      `update ${table} set decided = (select jsonb_agg(each || '{"since": "1970-01-01T00:00:00.000Z"}') from jsonb_array_elements(decided) each)
        where decided <> '[]'`,
    );
  await db.end();
  const others = await placesWith(stays);

  // A process looks for what is over its time when it starts.
  process.kill((await system.pid('submissions')) ?? 0, 'SIGKILL');
  for (const marker of [ofForm, ofInstance]) await eventually(async () => expect(await placesWith(marker)).toEqual([]));
  expect(await placesWith(stays)).toEqual(others);
  for (const target of [form, silent]) {
    const { body: log } = await send('GET', `/app/v1/audit-log?action=submissions.erased&target_id=${target}`);
    expect(log).toMatchObject({ total: 1, data: [{ actor: { kind: 'service', id: 'submissions' }, details: { count: 1 } }] });
  }
});

it('leaves no process running when the launcher is killed', async () => {
  const before = await pids();
  system.launcher.kill('SIGKILL');
  await eventually(() => expect(before.filter((pid) => isRunning(pid))).toEqual([]));
});
