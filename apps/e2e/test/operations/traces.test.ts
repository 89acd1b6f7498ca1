import {
  eventually,
  newDataDir,
  Person,
  removeDataDir,
  startCollector,
  startSubscriber,
  System,
  type CollectedSpan,
  type Collector,
  type Subscriber,
} from '@sheaf/testing';
import * as given from '../../support/given';
import { logLines } from '../../support/log-lines';
import { anyone, asOwner } from '../../support/people';

const clientsTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const clientsSpan = '00f067aa0ba902b7';
const traceparent = `00-${clientsTrace}-${clientsSpan}-01`;

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

const linesOf = async (dataDir: string, service: string) =>
  (await logLines(dataDir, service)).map((line) => JSON.parse(line) as Record<string, unknown>);

const tracesOf = (submission: string) =>
  subscriber.received.filter(({ body }) => body.includes(submission)).map(({ headers }) => headers.traceparent);

describe('without a collector', () => {
  const dataDir = process.env.E2E_DATA_DIR ?? '';
  let form: string;
  beforeAll(async () => {
    form = await given.publishedForm();
    await given.subscription(form, `${subscriber.url}/untraced`);
  });
  const submit = async (headers: Record<string, string>) => {
    const { status, body } = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, headers);
    expect(status).toBe(201);
    const { id } = body as { id: string };
    await subscriber.waitFor(1, (request) => request.body.includes(id));
    return id;
  };

  it('a client’s trace reaches the subscriber and the log line of the attempt', async () => {
    const submission = await submit({ traceparent, tracestate: 'vendor=secret' });

    expect(tracesOf(submission)).toEqual([traceparent]);
    expect(subscriber.received.at(-1)?.headers).not.toHaveProperty('tracestate');
    await eventually(async () =>
      expect(await linesOf(dataDir, 'delivery')).toContainEqual(
        expect.objectContaining({ msg: 'attempt', formId: form, traceId: clientsTrace, spanId: clientsSpan }),
      ),
    );
  });

  it('an invalid trace is dropped, and no trace is invented', async () => {
    expect(tracesOf(await submit({ traceparent: '00-0000-1-01' }))).toEqual([undefined]);
    expect(tracesOf(await submit({}))).toEqual([undefined]);
  });

  it('changes of a status and deletions carry the trace of their request', async () => {
    await given.subscription(form, `${subscriber.url}/changes`, 'submission.status_changed');
    await given.subscription(form, `${subscriber.url}/changes`, 'submission.deleted');
    const submission = await submit({});
    const path = `/api/v1/forms/${form}/submissions/${submission}`;
    await asOwner.send('PATCH', `${path}/status`, { status: 'in_review' }, { traceparent });
    await asOwner.send('DELETE', path, undefined, { traceparent });

    await eventually(() => expect(tracesOf(submission)).toEqual([undefined, traceparent, traceparent]));
  });
});

// A system of its own: a process reads once, when it starts, where its collector is.
describe('with a collector', () => {
  let dataDir: string;
  let collector: Collector;
  let system: System;
  let visitor: Person;
  let owner: Person;
  let form: string;

  beforeAll(async () => {
    [dataDir, collector] = await Promise.all([newDataDir(), startCollector()]);
    system = await System.start(dataDir, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer of-the-collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      RETRY_DELAYS_MS: '100,100',
    });
    visitor = new Person(system.origin);
    owner = visitor.with(system.credentials.api_key);
    form = ((await owner.post('/api/v1/forms', { title: 'Traced' })).body as { id: string }).id;
    await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
    await owner.post(`/api/v1/forms/${form}/publish`);
    await owner.post('/api/v1/hooks/subscribe', {
      form_id: form,
      target_url: `${subscriber.url}/traced?key=of-the-subscriber`,
      event: 'submission.created',
      source: 'zapier',
    });
  });
  afterAll(async () => {
    await system.stop();
    await collector.close();
    await removeDataDir(dataDir);
  });

  const submit = async (headers: Record<string, string> = {}) =>
    ((await visitor.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Traceable Answer' } }, headers)).body as { id: string })
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
    const submission = await submit();
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
      expect(await linesOf(dataDir, 'delivery')).toContainEqual(
        expect.objectContaining({ msg: 'attempt', traceId: traceIdIn(sent), spanId: spanIdIn(sent) }),
      ),
    );
  });

  it('a repeated attempt is in the same trace, with its own span', async () => {
    let refusals = 1;
    subscriber.answer(() => (refusals-- > 0 ? 500 : 200));
    const submission = await submit();
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
    const submission = await submit({ traceparent });
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
    const submissions = await Promise.all(ids.map((id) => submit({ traceparent: `00-${id}-${clientsSpan}-01` })));

    await eventually(() => expect(submissions.map((submission) => tracesOf(submission).map(traceIdIn))).toEqual(ids.map((id) => [id])));
  });

  it('spans contain no answers or keys, and only the pattern of a path and the host of an address', async () => {
    await owner.get(`/api/v1/forms/${form}/submissions?limit=7`);
    const spans = await eventually(() => {
      const found = collector.spans.filter(({ name }) => name === 'GET /api/v1/forms/:id/submissions');
      expect(found).not.toEqual([]);
      return collector.spans;
    });

    const text = JSON.stringify(spans);
    for (const secret of [system.credentials.api_key, 'Traceable Answer', 'of-the-subscriber', '/traced', 'limit=7', form, '127.0.0.1:'])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/user_agent|client\.address|url\.(path|full|query)/);
  });

  it('a missing collector affects no request, and is logged only occasionally', async () => {
    await collector.close();
    for (let n = 0; n < 50; n++) await submit();
    const submission = await submit();
    await subscriber.waitFor(1, ({ body }) => body.includes(submission));

    expect(await system.stop()).toBe(0);
    for (const service of ['gateway', 'delivery']) {
      const complaints = (await linesOf(dataDir, service)).filter(({ msg }) => msg === 'traces could not be sent');
      expect(complaints.length).toBeLessThanOrEqual(1);
    }
    expect(JSON.stringify(await linesOf(dataDir, 'gateway'))).not.toContain('of-the-collector');
  });
});
