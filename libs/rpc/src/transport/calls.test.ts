import { setTimeout as delay } from 'node:timers/promises';
import { callAs, eventually, refused } from '@sheaf/testing';
import { connectToEcho, echo, startEcho, user } from '../../test/echo-service';

describe('calls over one stream', () => {
  it('each get their own answer, however many are open and in whatever order they end', async () => {
    const { port } = await startEcho(async ({ n }) => {
      await delay(n % 7);
      return { n };
    });
    const client = connectToEcho([port]);
    const answers = await Promise.all(Array.from({ length: 2_000 }, (_, n) => client.echo(callAs(user), { n })));
    expect(answers.map(({ n }) => n)).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
  });

  it('do not wait for a slow one', async () => {
    let end: () => void = () => undefined;
    const { port } = await startEcho(({ n }) => (n === 0 ? new Promise((resolve) => (end = () => resolve({ n }))) : echo({ n })));
    const client = connectToEcho([port]);
    const slow = client.echo(callAs(user), { n: 0 });
    await expect(Promise.all([1, 2, 3, 4].map((n) => client.echo(callAs(user), { n })))).resolves.toHaveLength(4);
    end();
    await expect(slow).resolves.toEqual({ n: 0 });
  });

  it('receive many large answers at once, each complete', async () => {
    const filling = 'x'.repeat(3 * 1024 * 1024);
    const { port } = await startEcho(({ n }) => Promise.resolve({ n, filling }));
    const client = connectToEcho([port]);
    // 120 MB through one stream take a busy machine longer than a call usually may.
    const call = { ...callAs(user), deadline: Date.now() + 60_000 };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => client.echo(call, { n, filling })));
    expect(answers.every((answer, n) => answer.n === n && answer.filling === filling)).toBe(true);
  });

  it('end at their deadline without affecting the others', async () => {
    let end: () => void = () => undefined;
    const { port } = await startEcho(({ n }) => (n === 0 ? new Promise((resolve) => (end = () => resolve({ n }))) : echo({ n })));
    const client = connectToEcho([port]);
    const within = (ms: number) => ({ ...callAs(user), deadline: Date.now() + ms });
    await expect(client.echo(within(50), { n: 0 })).rejects.toEqual(refused('unavailable'));
    await expect(client.echo(within(-1), { n: 1 })).rejects.toEqual(refused('unavailable'));
    await expect(client.echo(within(5_000), { n: 2 })).resolves.toEqual({ n: 2 });
    // Otherwise the service would wait for this call when it stops.
    end();
  });
});

describe('a service that stops', () => {
  it('answers open calls, and later calls reach the next process', async () => {
    let answer: (() => void) | undefined;
    const { port, process } = await startEcho(({ n }) => new Promise((resolve) => (answer = () => resolve({ n }))));
    const client = connectToEcho([port]);
    const answered = client.echo(callAs(user), { n: 1 });
    await eventually(() => expect(answer).toBeDefined());

    const stopped = process.stop();
    await delay(50);
    answer?.();
    await expect(answered).resolves.toEqual({ n: 1 });
    await stopped;

    await startEcho(echo, { port });
    await eventually(async () => expect(await client.echo(callAs(user), { n: 2 })).toEqual({ n: 2 }));
  });

  it('is not delayed by a client that never closes its calls', async () => {
    const { port, process } = await startEcho(() => new Promise(() => undefined));
    const answered = connectToEcho([port]).echo(callAs(user), { n: 1 });
    answered.catch(() => undefined);
    await delay(50);
    await process.stop();
    await expect(answered).rejects.toEqual(refused('unavailable'));
  });
});

it('ends old streams without losing a call', async () => {
  const { port } = await startEcho(
    async (message) => {
      await delay(5);
      return message;
    },
    { maxAgeMs: 40 },
  );
  const client = connectToEcho([port]);
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => client.echo(callAs(user), { n })));
    await delay(5);
  }
});

it('answers a call over an old, closing connection, however often the connection is pinged in the meantime', async () => {
  const { port } = await startEcho(
    async (message) => {
      await delay(500);
      return message;
    },
    { maxAgeMs: 100 },
  );
  const client = connectToEcho([port], { pingMs: 20 });
  await expect(client.echo(callAs(user), { n: 1 })).resolves.toEqual({ n: 1 });
});
