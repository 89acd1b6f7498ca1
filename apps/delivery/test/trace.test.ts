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
