import { setTimeout as delay } from 'node:timers/promises';
import type { MethodDefinition } from '@grpc/grpc-js';
import { newId, Problem } from '@sheaf/kernel';
import { aUser, callAs, eventually, startNeighbour } from '@sheaf/testing';
import { z } from 'zod';
import type { Client } from './client';
import type { MethodTypes, Protocol } from './protocol';
import { open, openStream, type Asked, type Doors } from './door';

const Message = z.object({ n: z.number(), filling: z.string().optional() });
type Message = z.output<typeof Message>;

type Counting = {
  Count: MethodTypes<Message, Message, Message, Message, 'answer'>;
  Sum: MethodTypes<Message, Message, Message, Message, 'request'>;
  Ping: MethodTypes<Message, Message, Message, Message, 'neither'>;
};

const method = (name: string, streams: { requestStream?: boolean; responseStream?: boolean }): MethodDefinition<unknown, unknown> => {
  const serialize = (value: unknown) => Buffer.from(JSON.stringify(value));
  const deserialize = (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown;
  return {
    path: `/test.Counting/${name}`,
    requestStream: false,
    responseStream: false,
    ...streams,
    requestSerialize: serialize,
    responseSerialize: serialize,
    requestDeserialize: deserialize,
    responseDeserialize: deserialize,
  };
};

const Counting: Protocol<Counting> = {
  name: 'test.Counting',
  service: 'forms',
  methods: { Count: method('Count', { responseStream: true }), Sum: method('Sum', { requestStream: true }), Ping: method('Ping', {}) },
};

const user = aUser({ instanceId: newId() });
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function startCounting(handlers: {
  count?: (request: Message, asked: Asked) => AsyncIterable<Message>;
  sum?: (requests: AsyncIterable<Message>, asked: Asked) => Promise<Message>;
}): Promise<Client<Counting>> {
  const doors: Partial<Doors<Counting>> = { ping: open(['user'], Message, ({ n }) => Promise.resolve({ n })) };
  if (handlers.count) doors.count = open(['user'], Message, handlers.count);
  if (handlers.sum) doors.sum = openStream(['user'], Message, handlers.sum);
  const { client, stop } = await startNeighbour(Counting, doors);
  stops.push(stop);
  return client;
}

/** The content of a message, large enough that a few messages fill all windows and buffers on the way. */
const filling = 'x'.repeat(64 * 1024);

/** Counts up from 0 until it is ended, and records how far it got. */
function counter() {
  const seen = { made: 0, isEnded: false };
  async function* count(): AsyncGenerator<Message> {
    try {
      for (;;) {
        seen.made += 1;
        yield { n: seen.made, filling };
        // Lets the other side run, as a real source would.
        if (seen.made % 10 === 0) await delay(0);
      }
    } finally {
      seen.isEnded = true;
    }
  }
  return { seen, count };
}

/** Resolves when a number has not changed for a while. */
async function settled(read: () => number): Promise<number> {
  for (;;) {
    const before = read();
    await delay(200);
    if (read() === before) return before;
  }
}

describe('a streamed answer', () => {
  it('arrives in order, and then ends', async () => {
    const client = await startCounting({
      async *count({ n }) {
        for (let i = 0; i < n; i += 1) yield await Promise.resolve({ n: i });
      },
    });
    const got: number[] = [];
    for await (const { n } of client.count(callAs(user), { n: 100 })) got.push(n);
    expect(got).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it('carries a complete problem, at its start or later', async () => {
    const problem = Problem.badRequest('n: must be small – für alle', [{ key: 'n', message: 'must be small' }]);
    const client = await startCounting({
      async *count({ n }) {
        for (let i = 0; i < n; i += 1) yield await Promise.resolve({ n: i });
        throw problem;
      },
    });
    for (const before of [0, 3]) {
      const got: number[] = [];
      const reading = (async () => {
        for await (const { n } of client.count(callAs(user), { n: before })) got.push(n);
      })();
      await expect(reading).rejects.toMatchObject({ code: 'bad_request', message: problem.message, details: problem.details });
      expect(got).toHaveLength(before);
    }
  });

  it('does not reveal the cause of an internal failure', async () => {
    const client = await startCounting({
      async *count() {
        yield await Promise.resolve({ n: 1 });
        throw new Error('password of the database: hunter2');
      },
    });
    const iterator = client.count(callAs(user), { n: 1 })[Symbol.asyncIterator]();
    await iterator.next();
    const failure = await iterator.next().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'internal_error', message: 'Something went wrong on our side.' });
    expect(JSON.stringify(failure)).not.toContain('hunter2');
  });

  it('is produced no faster than it is read, and delays no other call', async () => {
    const { seen, count } = counter();
    const client = await startCounting({ count });
    const iterator = client.count(callAs(user), { n: 0 })[Symbol.asyncIterator]();
    await iterator.next();
    const ahead = await settled(() => seen.made);
    expect(ahead).toBeLessThan(100);

    await expect(client.ping(callAs(user), { n: 5 })).resolves.toEqual({ n: 5 });
    for (let i = 0; i < ahead; i += 1) await iterator.next();
    await eventually(() => expect(seen.made).toBeGreaterThan(ahead));
    await iterator.return?.();
  });

  it.each<[string, (read: (signal?: AbortSignal) => AsyncIterator<Message>) => Promise<void>]>([
    [
      'the client stops iterating',
      async (read) => {
        const iterator = read();
        await iterator.next();
        await iterator.return?.();
      },
    ],
    [
      'the signal of the call aborts',
      async (read) => {
        const cancellation = new AbortController();
        const iterator = read(cancellation.signal);
        await iterator.next();
        await settled(() => 0);
        cancellation.abort();
        const rest = (async () => {
          while ((await iterator.next()).done !== true);
        })();
        await expect(rest).rejects.toMatchObject({ code: 'unavailable' });
      },
    ],
  ])('ends at its source when %s', async (_, act) => {
    const { seen, count } = counter();
    const client = await startCounting({ count });
    await act((signal) => client.count({ ...callAs(user), signal }, { n: 0 })[Symbol.asyncIterator]());
    await eventually(() => expect(seen.isEnded).toBe(true));
  });

  it('ends on both sides at its deadline', async () => {
    let heard: AbortSignal | undefined;
    const client = await startCounting({
      async *count(_, { call }) {
        heard = call.signal;
        yield await new Promise<Message>(() => undefined);
      },
    });
    // Long enough for the call to reach the service, even on a busy machine.
    const iterator = client.count({ ...callAs(user), deadline: Date.now() + 1_000 }, { n: 0 })[Symbol.asyncIterator]();
    await expect(iterator.next()).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(() => expect(heard?.aborted).toBe(true));
  });

  it('fails when the service stops', async () => {
    const { count } = counter();
    const { client, stop } = await startNeighbour(Counting, { count: open(['user'], Message, count) });
    const iterator = client.count(callAs(user), { n: 0 })[Symbol.asyncIterator]();
    await iterator.next();
    await stop();
    const rest = (async () => {
      while ((await iterator.next()).done !== true);
    })();
    await expect(rest).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is refused without a token, and to a kind of caller that the method does not admit', async () => {
    const { seen, count } = counter();
    const client = await startCounting({ count });
    const first = (call: ReturnType<typeof callAs>) => client.count(call, { n: 0 })[Symbol.asyncIterator]().next();
    await expect(first({ ...callAs(user), token: '' })).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(first(callAs({ kind: 'respondent', instanceId: newId() }))).rejects.toMatchObject({ code: 'forbidden' });
    expect(seen.made).toBe(0);
  });
});

describe('a streamed request', () => {
  const sum = async (requests: AsyncIterable<Message>) => {
    let n = 0;
    for await (const request of requests) n += request.n;
    return { n };
  };
  async function* upTo(n: number): AsyncGenerator<Message> {
    for (let i = 1; i <= n; i += 1) yield await Promise.resolve({ n: i });
  }

  it('is answered once, after all of it has been read', async () => {
    const client = await startCounting({ sum });
    await expect(client.sum(callAs(user), upTo(100))).resolves.toEqual({ n: 5050 });
  });

  it('returns a problem that was found after reading all of it', async () => {
    const problem = Problem.badRequest('n: must be small', [{ key: 'n', message: 'must be small' }]);
    const client = await startCounting({ sum: (requests) => sum(requests).then(() => Promise.reject(problem)) });
    await expect(client.sum(callAs(user), upTo(100))).rejects.toMatchObject({
      code: 'bad_request',
      message: problem.message,
      details: problem.details,
    });
  });

  it('is read no further once the service has answered or refused', async () => {
    const problem = new Problem('payload_too_large', 'That is too much.');
    const answers = [() => Promise.resolve({ n: 7 }), () => Promise.reject(problem)];
    const client = await startCounting({ sum: () => answers.shift()?.() ?? Promise.reject(new Error('no more')) });

    const first = counter();
    await expect(client.sum(callAs(user), first.count())).resolves.toEqual({ n: 7 });
    await eventually(() => expect(first.seen.isEnded).toBe(true));

    const second = counter();
    await expect(client.sum(callAs(user), second.count())).rejects.toMatchObject({ code: 'payload_too_large', message: problem.message });
    await eventually(() => expect(second.seen.isEnded).toBe(true));
  });

  it('is produced no faster than the service reads', async () => {
    const { seen, count } = counter();
    let goOn: (() => void) | undefined;
    const client = await startCounting({
      sum: async (requests) => {
        await new Promise<void>((resolve) => (goOn = resolve));
        for await (const { n } of requests) if (n > 300) return { n };
        return { n: 0 };
      },
    });
    const answer = client.sum(callAs(user), count());
    expect(await settled(() => seen.made)).toBeLessThan(100);
    goOn?.();
    await expect(answer).resolves.toEqual({ n: 301 });
  });

  it('never looks complete to the service when its source fails, and the client gets the reason', async () => {
    let outcome: unknown;
    let reached: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => (reached = resolve));
    const client = await startCounting({
      sum: (requests) => {
        reached?.();
        return sum(requests).catch((error: unknown) => ((outcome = error), Promise.reject(error as Error)));
      },
    });
    async function* broken() {
      yield { n: 1 };
      await arrived;
      throw Problem.badRequest('The upload was cut off.');
    }
    await expect(client.sum(callAs(user), broken())).rejects.toMatchObject({ code: 'bad_request', message: 'The upload was cut off.' });
    await eventually(() => expect(outcome).toMatchObject({ message: 'The request broke off.' }));
  });

  it('fails at its deadline', async () => {
    const client = await startCounting({ sum });
    async function* never(): AsyncGenerator<Message> {
      yield await new Promise<Message>(() => undefined);
    }
    await expect(client.sum({ ...callAs(user), deadline: Date.now() + 200 }, never())).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is refused without a token', async () => {
    const client = await startCounting({ sum });
    await expect(client.sum({ ...callAs(user), token: '' }, upTo(1))).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
