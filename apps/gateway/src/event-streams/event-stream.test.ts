import { Problem, type User } from '@sheaf/kernel';
import { ChangeFeed } from './change-feed';
import type { EventIds } from './event-ids';
import { EventStream } from './event-stream';

const ada: User = { kind: 'user', id: 'ada', instanceId: 'i', roles: { w: 'viewer' }, via: 'session', credentialId: 's' };

const readable: EventIds = {
  idOf: ({ stream, position }) => `${stream}-${position}`,
  placeOf: (id) => {
    const [, stream = '', position] = /^(\w+)-(\d+)$/.exec(id) ?? [];
    return position === undefined ? undefined : { stream, position: Number(position) };
  },
};

/** A stream and its feed, which has the messages 1 to 3. */
function aStream(options: { lastEventId?: string; until?: number } = {}) {
  const streams: EventStream[] = [];
  const feed = new ChangeFeed(
    () => undefined,
    () => streams.forEach((stream) => stream.notify()),
    100,
  );
  const send = (position: number, formId = 'own') =>
    feed.onMessage(position, [{ type: 'submission.created', instanceId: 'i', formId, subject: `s${position}` }]);
  feed.onStream('1970-01-01T00:00:00Z');
  for (const position of [1, 2, 3]) send(position);
  feed.onCaughtUp(3);
  const state = { now: 0, caller: Promise.resolve(ada), isCut: false };
  const stream = new EventStream({
    caller: ada,
    feed,
    ids: readable,
    mayHear: (_, { formId }) => Promise.resolve(formId === 'own'),
    revalidate: () => state.caller,
    lastEventId: options.lastEventId,
    now: () => state.now,
    until: options.until ?? Infinity,
    cut: () => (state.isCut = true),
  });
  streams.push(stream);
  const chunks = stream.chunks();
  const read = async () => {
    const { value } = (await chunks.next()) as { value?: Uint8Array };
    return value && Buffer.from(value).toString();
  };
  return { stream, feed, send, state, read };
}
const reset = (id: string) => `event: reset\nid: ${id}\ndata: {}\n\n`;
const change = (position: number) =>
  `event: change\nid: 0-${position}\ndata: {"kind":"submission","action":"created","form_id":"own","submission_id":"s${position}"}\n\n`;

it('tells a new client to load everything, and what changes from then on', async () => {
  const { read, send } = aStream();
  expect(await read()).toMatch(/^retry: 1\d\d\d\n\n$/);
  expect(await read()).toBe(reset('0-3'));
  send(4);
  expect(await read()).toBe(change(4));
});

it('continues after the last event that the client has', async () => {
  const { read } = aStream({ lastEventId: '0-1' });
  await read();
  expect(await read()).toBe(change(2) + change(3));
});

it.each(['0-0', 'other-2', 'nonsense', '0-', ''])(
  'resets a client that comes with the id %j, from which nothing can be continued',
  async (id) => {
    const { read, feed } = aStream({ lastEventId: id });
    if (id === '0-0')
      for (let position = 4; position < 200; position++)
        feed.onMessage(position, [{ type: 'submission.created', instanceId: 'i', formId: 'own', subject: 's' }]);
    await read();
    expect(await read()).toBe(reset(`0-${feed.last}`));
  },
);

it('resets clients when the stream is lost, and when a message does not tell what changed', async () => {
  const { read, feed } = aStream();
  await read();
  await read();
  feed.onMessage(4, undefined);
  expect(await read()).toBe(reset('0-4'));
  feed.onStream('1970-01-01T00:00:00.005Z');
  feed.onCaughtUp(0);
  expect(await read()).toBe(reset('5-0'));
});

it('says nothing of forms that the person has no role on, but moves on', async () => {
  const { read, send, state, stream } = aStream();
  await read();
  await read();
  send(4, 'of others');
  state.now = 15_000;
  stream.tick();
  expect(await read()).toBe(': heartbeat\nid: 0-4\n\n');
});

it('ends when the credential or a role is gone, and sends nothing that came after', async () => {
  for (const now of [Promise.reject(Problem.unauthorized('ended')), Promise.resolve({ ...ada, roles: {} })]) {
    now.catch(() => undefined);
    const { read, send, state, stream } = aStream();
    await read();
    await read();
    state.caller = now;
    await stream.check();
    send(4);
    expect(await read()).toBeUndefined();
  }
});

it('ends at its time', async () => {
  const { read, state, stream } = aStream({ until: 3_600_000 });
  await read();
  await read();
  const next = read();
  state.now = 3_600_000;
  stream.tick();
  expect(await next).toBeUndefined();
});

it('cuts off a client that has not read for half a minute', async () => {
  const { read, state, stream } = aStream();
  await read();
  state.now = 29_999;
  stream.tick();
  expect(state.isCut).toBe(false);
  state.now = 30_000;
  stream.tick();
  expect(state.isCut).toBe(true);
  expect(await read()).toBeUndefined();
});

it('waits with a heartbeat while the events cannot be read', async () => {
  const { read, feed, state, stream } = aStream();
  feed.onLost();
  await read();
  state.now = 15_000;
  stream.tick();
  expect(await read()).toBe(': heartbeat\n\n');
  feed.onCaughtUp(9);
  expect(await read()).toBe(reset('0-9'));
});
