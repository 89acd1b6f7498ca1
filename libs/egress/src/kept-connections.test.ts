import { request as httpRequest, type ClientRequestArgs, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, Socket } from 'node:net';
import { eventually, TestClock } from '@sheaf/testing';
import { generate } from 'selfsigned';
import { http, listen, tcp, type Listening } from '../test/servers';
import { createEgress, type Egress, type Post } from './egress';
import { KeptConnections, defaultIdleMs } from './kept-connections';
import type { Resolve } from './resolve';

const clock = new TestClock();
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Answers each POST on each connection with raw bytes; a POST is small, so it arrives in one piece. */
async function raw(answer: (socket: Socket, nth: number) => void): Promise<Listening> {
  const listening: Listening = await tcp((socket) => {
    let nth = 0;
    socket.on('data', () => {
      listening.over.push(listening.sockets.indexOf(socket) + 1);
      answer(socket, (nth += 1));
    });
  });
  return listening;
}

// Long enough that no test depends on its speed; Node's own servers close connections that are idle for five seconds.
const idleMs = 60_000;
// Only a request that hangs reaches it.
const hangingMs = 60_000;
const anEgress = (options: { resolve?: Resolve; ca?: string; idleMs?: number } = {}) =>
  createEgress({ allowPrivateTargets: true, privateOrigins: [], clock, idleMs, ...options });
const post = (egress: Egress, url: string, connection: Post['connection'] = 'kept') =>
  egress.post(url, { headers: {}, body: '{"a":1}', timeoutMs: hangingMs, connection });
const success = expect.objectContaining({ status: 200 }) as unknown;

/** Waits much less than an idle connection would be kept. */
const ended = (socket?: Socket) => eventually(() => expect(socket?.destroyed).toBe(true));

async function times(count: number, send: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i += 1) await expect(send()).resolves.toEqual(success);
}

describe('a connection', () => {
  it('is reused after a success', async () => {
    const server = await http();
    const egress = anEgress();
    await times(3, () => post(egress, server.url));
    expect(server.over).toEqual([1, 1, 1]);
  });

  it('is reused after a success without a body and after a chunked body', async () => {
    const server = await http((_, response) => {
      if (server.over.length === 1) return response.writeHead(200, { 'content-length': 0 }).end();
      response.write('in ');
      return response.end('pieces');
    });
    const egress = anEgress();
    await times(3, () => post(egress, server.url));
    expect(server.over).toEqual([1, 1, 1]);
  });

  it('is reused with TLS, without another handshake', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'hooks.example.org' }], {
      algorithm: 'sha256',
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'hooks.example.org' }] }],
    });
    const server = await listen(
      createHttpsServer({ key, cert }, (_, response) => void response.end()),
      'https',
    );
    const egress = anEgress({ ca: cert, resolve: () => Promise.resolve(['127.0.0.1']) });
    await times(3, () => post(egress, `https://hooks.example.org:${server.port}/`));
    expect(server.over).toEqual([1, 1, 1]);
  });

  it('is never shared by two POSTs at once', async () => {
    const waiting: ServerResponse[] = [];
    const server = await http((_, response) => {
      waiting.push(response);
      if (waiting.length === 3) for (const one of waiting.splice(0)) one.end();
    });
    const egress = anEgress();
    const three = () => Promise.all([1, 2, 3].map(() => post(egress, server.url)));

    await expect(three()).resolves.toEqual([success, success, success]);
    await expect(three()).resolves.toEqual([success, success, success]);
    expect(server.over.slice(0, 3).sort()).toEqual([1, 2, 3]);
    expect(server.over.slice(3).sort()).toEqual([1, 2, 3]);
  });

  it('is not used by a POST that asks for a new one, which is not shared either', async () => {
    const server = await http();
    const egress = anEgress();
    await post(egress, server.url);
    await post(egress, server.url, 'new');
    await post(egress, server.url);
    expect(server.over).toEqual([1, 2, 1]);
  });
});

describe('a connection is not reused', () => {
  it('after it has been idle for a second', async () => {
    expect(defaultIdleMs).toBe(1_000);
    const server = await http();
    const egress = anEgress();
    await post(egress, server.url);
    clock.advance(idleMs - 1);
    await post(egress, server.url);
    clock.advance(idleMs);
    await post(egress, server.url);
    expect(server.over).toEqual([1, 1, 2]);
  });

  it('and is closed before common servers would close it', async () => {
    const server = await http(undefined, { keepAliveTimeout: 60_000 });
    await post(anEgress({ idleMs: defaultIdleMs }), server.url);
    await eventually(() => expect(server.sockets[0]?.destroyed).toBe(true));
  });

  it.each([
    ['the server announced its end', (response: ServerResponse) => response.writeHead(200, { connection: 'close' }).end('ok')],
    [
      'the server announced too short a keep-alive',
      (response: ServerResponse) => response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=1' }).end('ok'),
    ],
    ['the response was not a success', (response: ServerResponse) => response.writeHead(500).end('no')],
    ['the response was a redirect', (response: ServerResponse) => response.writeHead(302, { location: '/' }).end()],
    ['the body was too large', (response: ServerResponse) => response.writeHead(200).end('x'.repeat(1_000_000))],
    ['the body did not end', (response: ServerResponse) => response.writeHead(200).write('and so on')],
  ])('when %s', async (_, answer) => {
    const server = await http((__, response) => void answer(response));
    const egress = anEgress();
    const first = await post(egress, server.url);
    expect(first).toHaveProperty('status');
    expect(await post(egress, server.url)).toMatchObject({ status: 'status' in first && first.status });
    expect(server.over).toEqual([1, 2]);
  });

  it.each([
    ['speaks HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['answers twice at once', ok + ok],
    ['sends more data after its response', `${ok}and more`],
  ])('when the server %s', async (_, answer) => {
    const server = await raw((socket) => socket.write(answer));
    const egress = anEgress();
    await times(2, () => post(egress, server.url));
    expect(server.over).toEqual([1, 2]);
  });

  it('when the server sends unsolicited data, and the next POST gets its own response', async () => {
    const server = await raw((socket) => socket.write(server.over.length === 1 ? ok : ok.replace('200', '201')));
    const egress = anEgress();
    await post(egress, server.url);
    server.sockets[0]?.write(ok);
    await ended(server.sockets[0]);
    await expect(post(egress, server.url)).resolves.toMatchObject({ status: 201 });
    expect(server.over).toEqual([1, 2]);
  });

  it('when the server answered before it received the whole POST', async () => {
    const server = await tcp((socket) => socket.pause().write(ok));
    const egress = anEgress();
    const large = { headers: {}, body: 'x'.repeat(20_000_000), timeoutMs: hangingMs, connection: 'kept' } as const;
    await expect(egress.post(server.url, large)).resolves.toEqual(success);
    server.sockets[0]?.resume();
    await ended(server.sockets[0]);
    await expect(post(egress, server.url)).resolves.toEqual(success);
    expect(server.sockets).toHaveLength(2);
  });

  it('when the name now has other addresses', async () => {
    const server = await http();
    const answers = [['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1', '::1'], ['::1', '127.0.0.1']];
    const egress = anEgress({ resolve: () => Promise.resolve(answers.shift() ?? ['127.0.0.2']) });
    const url = `http://hooks.invalid:${server.port}/`;

    await times(4, () => post(egress, url));
    // Other addresses need another connection, but a different order of the same addresses does not.
    expect(server.over).toEqual([1, 1, 2, 2]);
    await expect(post(egress, url)).resolves.toMatchObject({ error: 'connection_refused' });
  });

  it('for another origin at the same address', async () => {
    const server = await http();
    const egress = anEgress({ resolve: () => Promise.resolve(['127.0.0.1']) });
    await post(egress, `http://one.invalid:${server.port}/`);
    await post(egress, `http://two.invalid:${server.port}/`);
    expect(server.over).toEqual([1, 2]);
  });

  it('when the server has already closed it, so no POST fails', async () => {
    const server = await raw((socket) => socket.end(ok));
    const egress = anEgress();
    for (let i = 1; i <= 10; i += 1) {
      await expect(post(egress, server.url)).resolves.toEqual(success);
      await ended(server.sockets[i - 1]);
    }
    expect(server.over).toHaveLength(10);
  });
});

describe('a kept connection that breaks before the response', () => {
  it.each([
    ['is closed', (socket: Socket) => void socket.end()],
    ['is reset', (socket: Socket) => void socket.resetAndDestroy()],
  ])('fails its POST when it %s, and the POST is not sent again', async (_, breaking) => {
    const server = await raw((socket, nth) => (nth === 1 ? socket.write(ok) : breaking(socket)));
    const egress = anEgress();
    await expect(post(egress, server.url)).resolves.toEqual(success);
    await expect(post(egress, server.url)).resolves.toMatchObject({ error: 'reset' });
    expect(server.over).toEqual([1, 1]);
  });

  it('limits its origin, and no other, to new connections for ten minutes', async () => {
    const breaks = (socket: Socket, nth: number) => (nth === 1 ? socket.write(ok) : socket.resetAndDestroy());
    const server = await raw(breaks);
    const other = await http();
    const egress = anEgress();
    await post(egress, server.url);
    await post(egress, server.url);

    clock.advance(10 * 60_000 - 1);
    await times(3, () => post(egress, server.url));
    await times(2, () => post(egress, other.url));
    expect(server.over).toEqual([1, 1, 2, 3, 4]);
    expect(other.over).toEqual([1, 1]);

    clock.advance(1);
    await times(1, () => post(egress, server.url));
    await expect(post(egress, server.url)).resolves.toMatchObject({ error: 'reset' });
    expect(server.over).toEqual([1, 1, 2, 3, 4, 5, 5]);
  });

  it('fails its POST, and is distrusted, if no response arrives in time', async () => {
    const server = await raw((socket, nth) => nth === 1 && socket.write(ok));
    const egress = anEgress();
    await post(egress, server.url);
    await expect(egress.post(server.url, { headers: {}, body: '', timeoutMs: 200, connection: 'kept' })).resolves.toMatchObject({
      error: 'timeout',
    });
    await times(2, () => post(egress, server.url));
    expect(server.over).toEqual([1, 1, 2, 3]);
  });

  it('differs from a new one: if that fails, its origin is trusted as before', async () => {
    let failing = true;
    const server = await raw((socket) => (failing ? socket.resetAndDestroy() : socket.write(ok)));
    const egress = anEgress();
    await expect(post(egress, server.url)).resolves.toMatchObject({ error: 'reset' });
    failing = false;
    await times(2, () => post(egress, server.url));
    expect(server.over).toEqual([1, 2, 2]);
  });
});

describe('the pool', () => {
  const send = (kept: KeptConnections, createConnection: ClientRequestArgs['createConnection']) =>
    new Promise<Socket>((resolve, reject) => {
      const request = httpRequest({ agent: kept, host: 'one', createConnection }, (answer) => {
        const { socket } = answer;
        answer.resume().on('end', () => resolve(socket));
      });
      request.on('error', reject).end();
    });
  const connectTo = (port: number) => (_: unknown, done: (error: null, socket: Socket) => void) => {
    const socket = connect(port, '127.0.0.1', () => done(null, socket));
    return undefined;
  };

  it('does not reuse a connection that has ended but is not closed yet', async () => {
    const server = await http();
    const kept = new KeptConnections(clock);
    const first = await send(kept, connectTo(server.port));
    // Newer versions of Node close an idle connection at once instead of reporting its end.
    const gone = new Promise((resolve) => ['end', 'close'].forEach((event) => first.once(event, resolve)));
    const second = gone.then(() => send(kept, connectTo(server.port)));
    server.sockets[0]?.end();
    await expect(second).resolves.not.toBe(first);
  });

  it('forgets closed connections and unreachable servers', async () => {
    const server = await http();
    const kept = new KeptConnections(clock);
    const one = await send(kept, connectTo(server.port));
    await eventually(() => expect(kept.idle.size).toBe(1));
    one.destroy();
    await eventually(() => expect([kept.idle.size, kept.sockets, kept.freeSockets]).toEqual([0, {}, {}]));

    const refused = new Error('refused');
    await expect(send(kept, (_, done) => (done(refused, new Socket()), undefined))).rejects.toBe(refused);
    expect(kept.sockets).toEqual({});
  });
});
