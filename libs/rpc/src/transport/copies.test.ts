import { setTimeout as delay } from 'node:timers/promises';
import { Server, ServerCredentials, status, type ServerDuplexStream } from '@grpc/grpc-js';
import { Problem } from '@sheaf/kernel';
import { callAs, eventually, refused } from '@sheaf/testing';
import { afterThisTest, connectToEcho, echo, RepeatableEcho, startEcho, user, type Echo } from '../../test/echo-service';
import type { Answers } from '../generated/sheaf/rpc/v1/Answers';
import type { Requests__Output } from '../generated/sheaf/rpc/v1/Requests';
import type { Client } from './client';
import { Calls } from './protocol';

describe('copies of a service behind one address', () => {
  /** A copy that handles each stream of calls as the test says. */
  async function startCopy(Open: (rpc: ServerDuplexStream<Requests__Output, Answers>) => unknown): Promise<number> {
    const server = new Server();
    server.addService({ Open: Calls.methods.Open } as never, { Open });
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    afterThisTest(() => server.forceShutdown());
    return port;
  }

  /** A copy that breaks every stream at its first call, as if it were killed. */
  const startBreakingCopy = () =>
    startCopy((rpc) => rpc.on('data', () => rpc.emit('error', { code: status.UNAVAILABLE, details: 'killed' })));

  it('take over the calls of a copy that dies, if they are safe to repeat', async () => {
    const { port } = await startEcho(echo);
    const client = connectToEcho([port, await startBreakingCopy()], { protocol: RepeatableEcho });
    await eventually(async () => expect(await client.echo(callAs(user), { n: 0 })).toEqual({ n: 0 }));
    for (let n = 1; n < 20; n += 1) await expect(client.echo(callAs(user), { n })).resolves.toEqual({ n });
  });

  it('do not repeat changes, because the first call may have been executed', async () => {
    const client = connectToEcho([await startBreakingCopy()]);
    await expect(client.echo(callAs(user), { n: 1 })).rejects.toEqual(refused('unavailable'));
  });

  it('receive all calls over one stream once only one copy is known to exist', async () => {
    const taken: number[] = [];
    const port = await startCopy((rpc) => {
      const stream = taken.push(0) - 1;
      rpc.write({ answers: [] });
      rpc.on('data', ({ requests }: Requests__Output) => {
        taken[stream] = (taken[stream] ?? 0) + requests.length;
        rpc.write({ answers: requests.map(({ id, message }) => ({ id, message })) });
      });
    });
    const client = connectToEcho([port]);
    const ask = (calls: number) => Promise.all(Array.from({ length: calls }, (_, n) => client.echo(callAs(user), { n })));

    await ask(2);
    await ask(2);
    taken.fill(0);
    for (let round = 0; round < 5; round += 1) await ask(20);
    expect(taken.filter((calls) => calls > 0)).toEqual([100]);
  });

  it('are all used from the start, even though the first connected before the others', async () => {
    const taken = [0, 0];
    const ports = await Promise.all(
      taken.map((_, copy) =>
        startEcho(async (message) => {
          taken[copy] = (taken[copy] ?? 0) + 1;
          await delay(5);
          return message;
        }),
      ),
    );
    for (let gateway = 0; gateway < 4; gateway += 1) {
      const client = connectToEcho(ports.map(({ port }) => port));
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

  describe('with one failing copy', () => {
    /** The failing copy responds at once, so it is always less busy than the healthy one. */
    async function startPair() {
      const healthy = await startEcho(async (message) => {
        await delay(10);
        return message;
      });
      const state = { isFailing: true, answered: 0, checks: 0 };
      const failing = await startEcho((message) => {
        if (state.isFailing) return Promise.reject(Problem.unavailable('no database'));
        state.answered += 1;
        return echo(message);
      });
      const reportReadiness = () =>
        failing.process.health.require('postgres', () => {
          state.checks += 1;
          return state.isFailing ? Promise.reject(new Error('down')) : Promise.resolve();
        });
      return { ports: [failing.port, healthy.port], state, reportReadiness };
    }
    /** From now on the clock of the failures goes on as the test says, however fast the machine is. */
    function holdClock(): (ms: number) => void {
      let now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
      afterThisTest(() => clock.mockRestore());
      return (ms) => (now += ms);
    }
    const ask = async (client: Client<Echo>, calls: number) => {
      const outcomes = await Promise.allSettled(Array.from({ length: calls }, (_, n) => client.echo(callAs(user), { n })));
      return outcomes.filter(({ status: how }) => how === 'rejected').length;
    };

    /** Until the failing copy, to which the connection may be the later one, has taken calls, and is avoided. */
    const knownToFail = async (client: Client<Echo>, calls: number) => {
      await eventually(async () => expect(await ask(client, calls)).toBeGreaterThan(0));
      await eventually(async () => expect(await ask(client, calls)).toBe(0));
    };

    it('do not lose half of the calls to it, even though it is always the least busy', async () => {
      const { ports } = await startPair();
      const client = connectToEcho(ports);
      await knownToFail(client, 10);
      const pass = holdClock();
      let failed = 0;
      for (let round = 0; round < 50; round += 1, pass(20)) failed += await ask(client, 10);
      // Of 500 within a second: the copy is tried with one call each time, at most after 0.1, 0.3 and 0.7 seconds.
      expect(failed).toBeLessThanOrEqual(4);
    });

    it('avoid it after failures on any stream, even though it reports that it is ready', async () => {
      const { ports } = await startPair();
      const client = connectToEcho(ports);
      await knownToFail(client, 5);
      const pass = holdClock();
      /** Long enough for the client to look for another copy several times, each time with a new stream. */
      const askFor = async (ms: number) => {
        let failed = 0;
        for (let passed = 0; passed < ms; passed += 50, pass(50)) failed += await ask(client, 5);
        return failed;
      };
      await askFor(1_500);
      expect(await askFor(3_500)).toBeLessThanOrEqual(4);
    });

    it('answer all reads, because failed reads are repeated on another copy', async () => {
      const { ports } = await startPair();
      const client = connectToEcho(ports, { protocol: RepeatableEcho });
      await eventually(async () => expect(await ask(client, 10)).toBe(0));
      for (let round = 0; round < 20; round += 1) expect(await ask(client, 10)).toBe(0);
    });

    it('repeat failed reads on another copy even if the caller pauses for longer than it avoids the failing one', async () => {
      const taken = { healthy: 0, failing: 0 };
      let isFailing = false;
      const healthy = await startEcho(async (message) => {
        taken.healthy += 1;
        await delay(5);
        return message;
      });
      const failing = await startEcho(async (message) => {
        taken.failing += 1;
        if (isFailing) throw Problem.unavailable('no database');
        await delay(5);
        return message;
      });
      const client = connectToEcho([failing.port, healthy.port], { protocol: RepeatableEcho });
      const bothTake = async (calls: number) => {
        Object.assign(taken, { healthy: 0, failing: 0 });
        expect(await ask(client, calls)).toBe(0);
        expect(Math.min(taken.healthy, taken.failing)).toBeGreaterThan(0);
      };
      await eventually(() => bothTake(10));

      isFailing = true;
      // Each reading of the clock advances it. Few calls are made, because their deadlines use the same clock.
      let now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now += 101));
      await bothTake(4).finally(() => clock.mockRestore());
    });

    it('leave all calls to the other while it is not ready, and share them again once it is', async () => {
      const { ports, state, reportReadiness } = await startPair();
      reportReadiness();
      await eventually(() => expect(state.checks).toBeGreaterThan(1));
      const client = connectToEcho(ports);
      await eventually(async () => expect(await ask(client, 10)).toBe(0));
      for (let round = 0; round < 50; round += 1) expect(await ask(client, 10)).toBe(0);

      state.isFailing = false;
      await eventually(async () => {
        expect(await ask(client, 10)).toBe(0);
        expect(state.answered).toBeGreaterThan(10);
      });
    });

    it('still receive calls when none of them is ready: some calls may not need the missing part', async () => {
      const { port, process } = await startEcho(echo);
      let checks = 0;
      process.health.require('postgres', () => {
        checks += 1;
        return Promise.reject(new Error('down'));
      });
      const client = connectToEcho([port]);
      await client.echo(callAs(user), { n: 0 });
      await eventually(() => expect(checks).toBeGreaterThan(1));
      for (let n = 0; n < 5; n += 1) await expect(client.echo(callAs(user), { n })).resolves.toEqual({ n });
    });
  });

  it('receive their share when they are new, because old connections are closed', async () => {
    const answerOf = (name: 'old' | 'new') => () => Promise.resolve({ n: name === 'new' ? 1 : 0 });
    const { port } = await startEcho(answerOf('old'), { maxAgeMs: 300 });
    const { port: free, process } = await startEcho(answerOf('new'));
    await process.stop();
    const client = connectToEcho([port, free]);
    await expect(client.echo(callAs(user), { n: 0 })).resolves.toEqual({ n: 0 });

    await startEcho(answerOf('new'), { port: free, maxAgeMs: 300 });
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => client.echo(callAs(user), { n })));
      expect(new Set(answers.map(({ n }) => n))).toEqual(new Set([0, 1]));
    });
  });
});
