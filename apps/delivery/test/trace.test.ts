import type { Tracer } from '@sheaf/runtime';
import { Attempts } from '../src/attempts/attempts';
import { plan } from '../src/planning/plan';
import { startService, type Service } from './support/service';

const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const tracesSentTo = (path: string) =>
  service.subscriber.received.filter((request) => request.path === path).map(({ headers }) => headers.traceparent);

it('sends the trace of an event with every attempt, including those of another process', async () => {
  const subscription = service.subscription({ url: `${service.subscriber.url}/traced` });
  service.subscriber.answer(500);
  await plan(service.deps, [service.event(subscription.form_id, { trace })]);

  await service.run();
  service.clock.advance(4_000);
  await service.run(new Attempts(service.otherProcess()));

  expect(tracesSentTo('/traced')).toEqual([trace, trace]);
});

it('knows the request of an event at every attempt, and in the log', async () => {
  const subscription = service.subscription({ url: `${service.subscriber.url}/asked` });
  service.subscriber.answer(500);
  const event = service.event(subscription.form_id, { requestId: 'r-1' });
  await plan(service.deps, [event]);
  const logged: unknown[] = [];
  const log = { ...service.deps.log, info: (line: unknown) => logged.push(line) } as unknown as typeof service.deps.log;

  await service.run(new Attempts({ ...service.otherProcess(), log }));

  expect(logged).toMatchObject([{ eventId: event.id, requestId: 'r-1', attempt: 1 }]);
});

it('sends no trace for an event without one', async () => {
  const subscription = service.subscription({ url: `${service.subscriber.url}/untraced` });
  service.subscriber.answer(200);
  await plan(service.deps, [service.event(subscription.form_id)]);

  await service.run();

  expect(tracesSentTo('/untraced')).toEqual([undefined]);
});

it('sends the trace of each event of a batch beside its id, and that of the first as its own', async () => {
  const other = trace.replace('4bf9', '5bf9');
  const { form_id } = service.subscription({
    url: `${service.subscriber.url}/batch`,
    options: { batch: { max_events: 4, max_seconds: 5 } },
  });
  service.subscriber.answer(500);
  await plan(service.deps, [
    service.event(form_id, { requestId: 'r-1' }),
    service.event(form_id, { trace, requestId: 'r-2' }),
    service.event(form_id, { trace: other, requestId: 'r-3' }),
    service.event(form_id, { trace, requestId: 'r-2' }),
  ]);
  const spans: unknown[] = [];
  const tracer: Tracer = {
    start: (_, __, ...of) => {
      spans.push(of);
      return { trace: other.replace('00f0', '11f0'), end: () => undefined };
    },
  };
  const logged: unknown[] = [];
  const log = { ...service.deps.log, info: (line: unknown) => logged.push(line) } as unknown as typeof service.deps.log;

  await service.run(new Attempts({ ...service.otherProcess(), log }));
  service.clock.advance(4_000);
  await service.run(new Attempts({ ...service.otherProcess(), tracer }));

  const [first, second] = service.subscriber.received.filter(({ path }) => path === '/batch');
  expect((JSON.parse(first?.body ?? '') as { events: { traceparent?: string }[] }).events.map(({ traceparent }) => traceparent)).toEqual([
    undefined,
    trace,
    other,
    trace,
  ]);
  expect(first?.headers.traceparent).toBe(trace);
  expect(logged).toMatchObject([{ requestIds: ['r-1', 'r-2', 'r-3'], traceId: trace.slice(3, 35) }]);
  // With a collector, the request is a span of its own, which is linked to the other traces.
  expect(second).toMatchObject({ body: first?.body, headers: { traceparent: other.replace('00f0', '11f0') } });
  expect(spans).toEqual([
    [trace, expect.objectContaining({ 'sheaf.batch_id': first?.headers['webhook-id'], 'sheaf.batch_events': 4 }), [other]],
  ]);
});
