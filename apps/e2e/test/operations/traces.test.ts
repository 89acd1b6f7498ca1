import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { jsonLines } from '../../support/log-lines';
import { anyone, asOwner } from '../../support/people';

// Without a collector. With one, `api/lifecycle` follows a submission: a process reads once, when it starts, where its collector is.

const clientsTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const clientsSpan = '00f067aa0ba902b7';
const traceparent = `00-${clientsTrace}-${clientsSpan}-01`;

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

const tracesOf = (submission: string) =>
  subscriber.received.filter(({ body }) => body.includes(submission)).map(({ headers }) => headers.traceparent);

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
    expect(await jsonLines(dataDir, 'delivery')).toContainEqual(
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
