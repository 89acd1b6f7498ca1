import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as GrpcClient, credentials, type ClientDuplexStream } from '@grpc/grpc-js';
import { callAs, eventually, refused } from '@sheaf/testing';
import { tokenOf } from '../call';
import type { Requests } from '../generated/sheaf/rpc/v1/Requests';
import { Calls } from './protocol';
import { afterThisTest, connectToEcho, echo, startEcho, user } from '../../test/echo-service';

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

describe('a call whose caller disconnects', () => {
  /** A service that works on a call until nobody waits for it. */
  async function startWorking() {
    const signals: (AbortSignal | undefined)[] = [];
    const { port } = await startEcho(async (message, { call: { signal } }) => {
      signals.push(signal);
      if (message.n > 0 && signal) await once(signal, 'abort');
      return message;
    });
    return { signals, port, client: connectToEcho([port]) };
  }

  function openStreamTo(port: number): ClientDuplexStream<Requests, unknown> {
    const grpc = new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure());
    afterThisTest(() => grpc.close());
    const { Open } = Calls.methods;
    if (!Open) throw new Error('calls.proto has no Open.');
    const stream = grpc.makeBidiStreamRequest<Requests, unknown>(Open.path, Open.requestSerialize, Open.responseDeserialize);
    return stream.on('data', () => undefined).on('error', () => undefined);
  }

  it('ends on both sides, and not the others', async () => {
    const { signals, client } = await startWorking();
    const [gone, patient] = [new AbortController(), new AbortController()];
    const ask = ({ signal }: AbortController) => client.echo({ ...callAs(user), signal }, { n: 1 });
    const [first, second] = [ask(gone), ask(patient)];
    await eventually(() => expect(signals).toHaveLength(2));
    gone.abort();
    await expect(first).rejects.toEqual(refused('unavailable'));
    await eventually(() => expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]));
    expect(await client.echo(callAs(user), { n: 2 })).toEqual({ n: 2 });
    // Otherwise the service would wait for this call when it stops.
    patient.abort();
    await expect(second).rejects.toEqual(refused('unavailable'));
  });

  it('is not made if the caller has disconnected before', async () => {
    const { signals, client } = await startWorking();
    await expect(client.echo({ ...callAs(user), signal: AbortSignal.abort() }, { n: 1 })).rejects.toEqual(refused('unavailable'));
    expect(await client.echo(callAs(user), { n: 2 })).toEqual({ n: 2 });
    expect(signals).toEqual([undefined]);
  });

  it('is answered like any other if the caller stays', async () => {
    const { client } = await startWorking();
    expect(await client.echo({ ...callAs(user), signal: new AbortController().signal }, { n: 0 })).toEqual({ n: 0 });
  });

  it('ends, too, when the process of the caller dies', async () => {
    const { signals, port } = await startWorking();
    const stream = openStreamTo(port);
    const call = callAs(user);
    const message = Buffer.from(JSON.stringify({ n: 1 }));
    const request = { id: 1, method: 'Echo', message, token: tokenOf(call, 'forms'), request_id: call.requestId, timeout_ms: 60_000 };
    stream.write({ requests: [{ ...request, cancellable: true }] });
    await eventually(() => expect(signals).toHaveLength(1));
    expect(signals[0]?.aborted).toBe(false);
    stream.cancel();
    await eventually(() => expect(signals[0]?.aborted).toBe(true));
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

describe('a connection that refuses streams, as one that is closing does', () => {
  /** A proxy in front of a service, which refuses these many streams first. */
  async function startRefusing(port: number, refusals: number): Promise<{ port: number; refused: () => number }> {
    let count = 0;
    const service = http2.connect(`http://127.0.0.1:${port}`);
    const proxy = http2.createServer();
    const sessions: http2.ServerHttp2Session[] = [];
    proxy.on('session', (session) => sessions.push(session));
    proxy.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      if (count < refusals) {
        count += 1;
        stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
        return;
      }
      const onward = service.request(headers).on('error', () => undefined);
      onward.on('response', (answer) => stream.respond(answer));
      stream.pipe(onward).pipe(stream);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    afterThisTest(() => {
      for (const session of [service, ...sessions]) session.destroy();
      proxy.close();
    });
    return { port: (proxy.address() as AddressInfo).port, refused: () => count };
  }

  it('loses no call, even one that must not be repeated: none of them has reached the service', async () => {
    const heard: number[] = [];
    const { port } = await startEcho(({ n }) => {
      heard.push(n);
      return Promise.resolve({ n });
    });
    const refusing = await startRefusing(port, 5);
    const client = connectToEcho([refusing.port]);
    const answers = await Promise.all([1, 2, 3].map((n) => client.echo(callAs(user), { n })));
    expect([answers, heard.sort(), refusing.refused()]).toEqual([[{ n: 1 }, { n: 2 }, { n: 3 }], [1, 2, 3], 5]);
  });

  it('fails the calls if it never stops', async () => {
    const { port } = await startEcho(echo);
    const refusing = await startRefusing(port, Infinity);
    await expect(connectToEcho([refusing.port]).echo(callAs(user), { n: 1 })).rejects.toEqual(refused('unavailable'));
  });
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
