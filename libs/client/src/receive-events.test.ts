import { eventsWithin, type EventOptions, type SheafEvent } from './receive-events';
import { answer, hangUp, refuse, ScriptedServer, type Step } from './testing/scripted-server';

let server: ScriptedServer;
beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());

const reset = (id: string) => `event: reset\nid: ${id}\ndata: {}\n\n`;
const change = (id: string, action: string) => `event: change\nid: ${id}\ndata: {"kind":"form","action":"${action}","form_id":"f"}\n\n`;
const stream =
  (...chunks: string[]): Step =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) response.write(chunk);
  };
const endingStream =
  (...chunks: string[]): Step =>
  (request, response) => {
    stream(...chunks)(request, response);
    response.end();
  };
const lastEventIds = () => server.received.map(({ headers }) => headers['last-event-id']);

/** Reads until this many events have arrived. */
async function read(count: number, options: Partial<EventOptions> = {}, limitMs = 45_000): Promise<SheafEvent[]> {
  const events: SheafEvent[] = [];
  for await (const event of eventsWithin(limitMs, { client: server.client({ key: 'k' }), ...options })) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

it('receives events in the order of the stream, also those that arrive in pieces', async () => {
  const text = `retry: 1200\n\n${reset('0-1')}: heartbeat\nid: 0-2\n\n${change('0-3', 'published')}`;
  server.will(stream(text.slice(0, 30), text.slice(30)));
  expect(await read(2)).toEqual([
    { type: 'reset', id: '0-1' },
    { type: 'change', id: '0-3', data: { kind: 'form', action: 'published', form_id: 'f' } },
  ]);
  expect(server.received[0]).toMatchObject({ url: '/app/v1/events', headers: { authorization: 'Bearer k' } });
});

it('is over when the answer is no event stream, such as a page of a proxy', async () => {
  server.will((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'));
  await expect(read(1)).rejects.toMatchObject({ name: 'SheafError', code: 'unexpected_response' });
  expect(server.received).toHaveLength(1);
});

it('ignores events of a kind that it does not know', async () => {
  server.will(stream('event: celebration\ndata: {}\n\n', reset('0-1')));
  expect(await read(1)).toEqual([{ type: 'reset', id: '0-1' }]);
});

it('continues after the last event, or heartbeat, when the stream ends', async () => {
  server.will(endingStream(reset('0-1'), ': heartbeat\nid: 0-7\n\n'), stream(change('0-8', 'created')));
  expect(await read(2)).toMatchObject([{ id: '0-1' }, { id: '0-8' }]);
  expect(lastEventIds()).toEqual([undefined, '0-7']);
});

it('continues after the event that the caller names', async () => {
  server.will(stream(change('0-8', 'created')));
  await read(1, { lastEventId: '0-5' });
  expect(lastEventIds()).toEqual(['0-5']);
});

it('connects again, more and more slowly, for as long as the server is away', async () => {
  server.will(hangUp, refuse(503, 'internal_error'), refuse(429, 'too_many_requests'), hangUp, hangUp, stream(reset('0-1')));
  expect(await read(1)).toHaveLength(1);
  expect(server.waits).toEqual([187.5, 375, 750, 1_500, 3_000]);
});

it('waits briefly again after a stream that had events', async () => {
  server.will(hangUp, hangUp, endingStream(reset('0-1')), stream(change('0-2', 'created')));
  await read(2);
  expect(server.waits).toEqual([187.5, 375, 187.5]);
});

it('connects again after a silence longer than the heartbeats allow', async () => {
  server.will(stream(reset('0-1')), stream(change('0-2', 'created')));
  expect(await read(2, {}, 50)).toHaveLength(2);
  expect(lastEventIds()).toEqual([undefined, '0-1']);
});

it('fails when the server refuses the stream', async () => {
  server.will(endingStream(reset('0-1')), refuse(401, 'unauthorized'));
  await expect(read(2)).rejects.toMatchObject({ code: 'unauthorized' });
});

it('fails when an answer is not a stream of Sheaf', async () => {
  server.will(answer('not found', 404));
  await expect(read(1)).rejects.toMatchObject({ code: 'unexpected_response' });
});

it('ends with the signal, and closes its connection with the loop', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const observed: Step = (request, response) => {
    closed = new Promise((resolve) => request.socket.once('close', resolve));
    stream(reset('0-1'))(request, response);
  };
  server.will(observed);
  await read(1);
  await closed;

  const controller = new AbortController();
  const reading = read(2, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await expect(reading).rejects.toThrow('enough');
  await closed;
});
