import { setTimeout as delay } from 'node:timers/promises';
import { Server, ServerCredentials, status, type ServerDuplexStream } from '@grpc/grpc-js';
import { newId, Problem } from '@sheaf/kernel';
import { aUser, callAs, eventually, refused, testProcess, type TestProcess, verifyTestCaller } from '@sheaf/testing';
import { connect, type Client } from './client';
import type { Answers } from '../generated/sheaf/rpc/v1/Answers';
import type { Requests__Output } from '../generated/sheaf/rpc/v1/Requests';
import { Calls, type MethodTypes, type Protocol } from './protocol';
import { open, serve } from './server';

interface Message {
  n: number;
  filling?: string;
}
type Echo = { Echo: MethodTypes<Message, Message, Message, Message, 'neither'> };

const serialize = (value: unknown) => Buffer.from(JSON.stringify(value));
const deserialize = (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown;
const Echo: Protocol<Echo> = {
  name: 'test.Echo',
  service: 'forms',
  methods: {
    Echo: {
      path: '/test.Echo/Echo',
      requestStream: false,
      responseStream: false,
      requestSerialize: serialize,
      responseSerialize: serialize,
      requestDeserialize: deserialize,
      responseDeserialize: deserialize,
    },
  },
};

const user = aUser({ instanceId: newId() });
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

type Handle = (message: Message) => Promise<Message>;
const echo: Handle = ({ n }) => Promise.resolve({ n });

async function serving(handle: Handle, { port = 0, maxAgeMs = 60_000 } = {}): Promise<{ port: number; own: TestProcess }> {
  const own = testProcess('echo');
  const settings = { BIND_HOST: '127.0.0.1', GRPC_PORT: port, GRPC_MAX_CONNECTION_AGE_MS: maxAgeMs };
  const bound = await serve(own, { protocol: Echo, doors: { echo: open(['user'], handle) }, verify: verifyTestCaller, settings });
  stops.push(() => own.stop());
  return { port: bound, own };
}

function clientOf(port: number, options: { pingMs?: number } = {}): Client<Echo> {
  const connection = connect(`127.0.0.1:${port}`, Echo, options);
  stops.push(() => connection.close());
  return connection.client;
}

describe('calls over one stream', () => {
  it('get each its own answer, however many are open and whatever order they end in', async () => {
    const { port } = await serving(async ({ n }) => {
      await delay(n % 7);
      return { n };
    });
    const client = clientOf(port);
    const answers = await Promise.all(Array.from({ length: 2_000 }, (_, n) => client.echo(callAs(user), { n })));
    expect(answers.map(({ n }) => n)).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
  });

  it('do not wait for one that takes long', async () => {
    let end: () => void = () => undefined;
    const { port } = await serving(({ n }) => (n === 0 ? new Promise((resolve) => (end = () => resolve({ n }))) : echo({ n })));
    const client = clientOf(port);
    const slow = client.echo(callAs(user), { n: 0 });
    await expect(Promise.all([1, 2, 3, 4].map((n) => client.echo(callAs(user), { n })))).resolves.toHaveLength(4);
    end();
    await expect(slow).resolves.toEqual({ n: 0 });
  });

  it('bring large answers whole, many at once', async () => {
    const filling = 'x'.repeat(3 * 1024 * 1024);
    const { port } = await serving(({ n }) => Promise.resolve({ n, filling }));
    const client = clientOf(port);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => client.echo(callAs(user), { n, filling })));
    expect(answers.every((answer, n) => answer.n === n && answer.filling === filling)).toBe(true);
  });

  it('end at their deadline without a trace for the others', async () => {
    let end: () => void = () => undefined;
    const { port } = await serving(({ n }) => (n === 0 ? new Promise((resolve) => (end = () => resolve({ n }))) : echo({ n })));
    const client = clientOf(port);
    const within = (ms: number) => ({ ...callAs(user), deadline: Date.now() + ms });
    await expect(client.echo(within(50), { n: 0 })).rejects.toEqual(refused('unavailable'));
    await expect(client.echo(within(-1), { n: 1 })).rejects.toEqual(refused('unavailable'));
    await expect(client.echo(within(5_000), { n: 2 })).resolves.toEqual({ n: 2 });
    // Else the service would wait for it when it stops.
    end();
  });
});

describe('a service that stops', () => {
  it('answers what it was asked, and what comes later finds the next one', async () => {
    let answer: (() => void) | undefined;
    const { port, own } = await serving(({ n }) => new Promise((resolve) => (answer = () => resolve({ n }))));
    const client = clientOf(port);
    const asked = client.echo(callAs(user), { n: 1 });
    await eventually(() => expect(answer).toBeDefined());

    const stopped = own.stop();
    await delay(50);
    answer?.();
    await expect(asked).resolves.toEqual({ n: 1 });
    await stopped;

    await serving(echo, { port });
    await eventually(async () => expect(await client.echo(callAs(user), { n: 2 })).toEqual({ n: 2 }));
  });

  it('is not held up by a client that never lets go', async () => {
    const { port, own } = await serving(() => new Promise(() => undefined));
    const asked = clientOf(port).echo(callAs(user), { n: 1 });
    asked.catch(() => undefined);
    await delay(50);
    await own.stop();
    await expect(asked).rejects.toEqual(refused('unavailable'));
  }, 15_000);
});

describe('copies of a service behind one address', () => {
  const methodOf = ({ Echo: method }: Protocol<Echo>['methods']) => method as NonNullable<typeof method>;
  const repeatable: Protocol<Echo> = { ...Echo, methods: { Echo: { ...methodOf(Echo.methods), repeatable: true } } };

  function clientOfAll(ports: readonly number[], protocol = Echo): Client<Echo> {
    const connection = connect(`ipv4:${ports.map((port) => `127.0.0.1:${port}`).join()}`, protocol);
    stops.push(() => connection.close());
    return connection.client;
  }

  /** A copy that does with each stream of calls what it is told. */
  async function taking(Open: (rpc: ServerDuplexStream<Requests__Output, Answers>) => unknown): Promise<number> {
    const server = new Server();
    server.addService({ Open: Calls.methods.Open } as never, { Open });
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    stops.push(() => server.forceShutdown());
    return port;
  }

  /** One that breaks off whatever it is asked, as one does that is killed. */
  const breaking = () => taking((rpc) => rpc.on('data', () => rpc.emit('error', { code: status.UNAVAILABLE, details: 'killed' })));

  it('take over what one of them broke off, where asking twice does no harm', async () => {
    const { port } = await serving(echo);
    const client = clientOfAll([port, await breaking()], repeatable);
    await eventually(async () => expect(await client.echo(callAs(user), { n: 0 })).toEqual({ n: 0 }));
    for (let n = 1; n < 20; n += 1) await expect(client.echo(callAs(user), { n })).resolves.toEqual({ n });
  });

  it('leave undone what changes something: nobody knows whether it was done', async () => {
    const client = clientOfAll([await breaking()]);
    await expect(client.echo(callAs(user), { n: 1 })).rejects.toEqual(refused('unavailable'));
  });

  it('take all calls by one stream where there is one of them, once that is known', async () => {
    const taken: number[] = [];
    const port = await taking((rpc) => {
      const stream = taken.push(0) - 1;
      rpc.write({ answers: [] });
      rpc.on('data', ({ requests }: Requests__Output) => {
        taken[stream] = (taken[stream] ?? 0) + requests.length;
        rpc.write({ answers: requests.map(({ id, message }) => ({ id, message })) });
      });
    });
    const client = clientOf(port);
    const ask = (calls: number) => Promise.all(Array.from({ length: calls }, (_, n) => client.echo(callAs(user), { n })));

    await ask(2);
    await ask(2);
    taken.fill(0);
    for (let round = 0; round < 5; round += 1) await ask(20);
    expect(taken.filter((calls) => calls > 0)).toEqual([100]);
  });

  it('are all used from the start, although the first one was there before the others', async () => {
    const taken = [0, 0];
    const ports = await Promise.all(
      taken.map((_, copy) =>
        serving(async (message) => {
          taken[copy] = (taken[copy] ?? 0) + 1;
          await delay(5);
          return message;
        }),
      ),
    );
    for (let gateway = 0; gateway < 4; gateway += 1) {
      const client = clientOfAll(ports.map(({ port }) => port));
      taken.fill(0);
      await eventually(async () => {
        await Promise.all(Array.from({ length: 10 }, (_, n) => client.echo(callAs(user), { n })));
        expect(Math.min(...taken)).toBeGreaterThan(0);
      });
      taken.fill(0);
      for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 20 }, (_, n) => client.echo(callAs(user), { n })));
      expect(Math.min(...taken)).toBeGreaterThan(20);
    }
  });

  describe('of which one cannot work', () => {
    /** Answers at once that it cannot, where the other one takes its time. */
    async function pair() {
      const well = await serving(async (message) => {
        await delay(10);
        return message;
      });
      const state = { isSick: true, answered: 0, looks: 0 };
      const sick = await serving((message) => {
        if (state.isSick) return Promise.reject(Problem.unavailable('no database'));
        state.answered += 1;
        return echo(message);
      });
      const tell = () =>
        sick.own.health.require('postgres', () => {
          state.looks += 1;
          return state.isSick ? Promise.reject(new Error('away')) : Promise.resolve();
        });
      return { ports: [sick.port, well.port], state, tell };
    }
    const ask = async (client: Client<Echo>, calls: number) => {
      const outcomes = await Promise.allSettled(Array.from({ length: calls }, (_, n) => client.echo(callAs(user), { n })));
      return outcomes.filter(({ status: how }) => how === 'rejected').length;
    };

    it('do not get half of the calls wasted by it, although it is always the least busy', async () => {
      const { ports } = await pair();
      const client = clientOfAll(ports);
      await eventually(async () => expect(await ask(client, 10)).toBe(0));
      let failed = 0;
      for (let round = 0; round < 50; round += 1) failed += await ask(client, 10);
      // Of 500. It is tried again every 100 ms, so the slower the machine, the more.
      expect(failed).toBeLessThan(100);
    });

    it('know that one by its failures, whichever stream they came by, although it says that it is ready', async () => {
      const { ports } = await pair();
      const client = clientOfAll(ports);
      // Long enough for several looks for another copy, each by a new stream.
      const from = Date.now();
      while (Date.now() - from < 1_500) await ask(client, 5);
      let wasted = 0;
      while (Date.now() - from < 5_000) wasted += await ask(client, 5);
      expect(wasted).toBeLessThanOrEqual(4);
    }, 15_000);

    it('answer all reads, as those are asked again of another one', async () => {
      const { ports } = await pair();
      const client = clientOfAll(ports, repeatable);
      await eventually(async () => expect(await ask(client, 10)).toBe(0));
      for (let round = 0; round < 20; round += 1) expect(await ask(client, 10)).toBe(0);
    });

    it('answer reads elsewhere although the process stands still for longer than it avoids that copy', async () => {
      const taken = { well: 0, sick: 0 };
      let isSick = false;
      const well = await serving(async (message) => {
        taken.well += 1;
        await delay(5);
        return message;
      });
      const sick = await serving(async (message) => {
        taken.sick += 1;
        if (isSick) throw Problem.unavailable('no database');
        await delay(5);
        return message;
      });
      const client = clientOfAll([sick.port, well.port], repeatable);
      const bothTake = async (calls: number) => {
        Object.assign(taken, { well: 0, sick: 0 });
        expect(await ask(client, calls)).toBe(0);
        expect(Math.min(taken.well, taken.sick)).toBeGreaterThan(0);
      };
      await eventually(() => bothTake(10));

      isSick = true;
      // Each look at the clock finds that so much time has passed. Few calls, as the deadline is by the same clock.
      let now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now += 101));
      await bothTake(4).finally(() => clock.mockRestore());
    });

    it('get none of the calls to it once it knows that it is not ready, and their share when it is', async () => {
      const { ports, state, tell } = await pair();
      tell();
      await eventually(() => expect(state.looks).toBeGreaterThan(1));
      const client = clientOfAll(ports);
      await eventually(async () => expect(await ask(client, 10)).toBe(0));
      for (let round = 0; round < 50; round += 1) expect(await ask(client, 10)).toBe(0);

      state.isSick = false;
      await eventually(async () => {
        expect(await ask(client, 10)).toBe(0);
        expect(state.answered).toBeGreaterThan(10);
      });
    });

    it('still take calls when all of them say that they are not ready: some may do without what is away', async () => {
      const { port, own } = await serving(echo);
      let looks = 0;
      own.health.require('postgres', () => {
        looks += 1;
        return Promise.reject(new Error('away'));
      });
      const client = clientOf(port);
      await client.echo(callAs(user), { n: 0 });
      await eventually(() => expect(looks).toBeGreaterThan(1));
      for (let n = 0; n < 5; n += 1) await expect(client.echo(callAs(user), { n })).resolves.toEqual({ n });
    });
  });

  it('get their share when they are new, as old connections are let go', async () => {
    const heardBy = (name: 'old' | 'new') => () => Promise.resolve({ n: name === 'new' ? 1 : 0 });
    const { port } = await serving(heardBy('old'), { maxAgeMs: 300 });
    const { port: free, own } = await serving(heardBy('new'));
    await own.stop();
    const client = clientOfAll([port, free]);
    await expect(client.echo(callAs(user), { n: 0 })).resolves.toEqual({ n: 0 });

    await serving(heardBy('new'), { port: free, maxAgeMs: 300 });
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => client.echo(callAs(user), { n })));
      expect(new Set(answers.map(({ n }) => n))).toEqual(new Set([0, 1]));
    });
  });
});

it('lets streams go by their age, and no call is lost by it', async () => {
  const { port } = await serving(
    async (message) => {
      await delay(5);
      return message;
    },
    { maxAgeMs: 40 },
  );
  const client = clientOf(port);
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => client.echo(callAs(user), { n })));
    await delay(5);
  }
});

it('is answered over a connection that was let go by its age, however often that is pinged meanwhile', async () => {
  const { port } = await serving(
    async (message) => {
      await delay(500);
      return message;
    },
    { maxAgeMs: 100 },
  );
  const client = clientOf(port, { pingMs: 20 });
  await expect(client.echo(callAs(user), { n: 1 })).resolves.toEqual({ n: 1 });
});
