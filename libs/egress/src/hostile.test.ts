import { createSocket } from 'node:dgram';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { decode, encode } from 'dns-packet';
import { generate, type GenerateResult } from 'selfsigned';
import { open } from '../test/egresses';
import { afterThisTest, http, listen, tcp } from '../test/servers';
import { createEgress, type Egress, type Outcome, type Post } from './egress';
import { fromDns, type Resolve } from './resolve';

// Malicious or broken subscribers. Each is a real server, and each gets the contract's 10 s unless the test is about a limit.

const timeoutMs = 10_000;
type Options = { egress?: Egress; within?: number; connection?: Post['connection'] };
const post = (url: string, { egress = open, within = timeoutMs, connection = 'kept' }: Options = {}): Promise<Outcome> =>
  egress.post(url, { headers: { 'Content-Type': 'application/json' }, body: '{}', timeoutMs: within, connection });

/** Measures how much the process's memory grows during the work. */
async function memoryGrowth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  await work();
  return process.memoryUsage().rss - before;
}

const megabyte = 1024 * 1024;

function endlessly(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

describe('a subscriber whose response is too large', () => {
  it.each([
    ['a success', 200],
    ['a failure', 500],
  ])('is not read to the end: a giant body of %s', async (_, status) => {
    const { port } = await http((__, response) => endlessly(response.writeHead(status), Buffer.alloc(megabyte, 'x')));
    let outcomes: Outcome[] = [];
    const grown = await memoryGrowth(async () => {
      outcomes = await Promise.all(Array.from({ length: 20 }, () => post(`http://127.0.0.1:${port}/`)));
    });
    expect(outcomes).toEqual(outcomes.map(() => expect.objectContaining({ status }) as unknown));
    // Twenty endless responses at once; each POST reads at most 64 KiB.
    expect(grown).toBeLessThan(200 * megabyte);
  });

  it('is not decompressed: a small body that would expand a thousandfold', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * megabyte));
    const { port } = await http((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb),
    );
    let outcome: Outcome | undefined;
    const grown = await memoryGrowth(async () => {
      outcome = await post(`http://127.0.0.1:${port}/`);
    });
    expect(outcome).toMatchObject({ status: 200 });
    expect(grown).toBeLessThan(32 * megabyte);
  });

  it('fails with an endless response head', async () => {
    const { port } = await tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(`X-More: ${'x'.repeat(8_000)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    await expect(post(`http://127.0.0.1:${port}/`)).resolves.toMatchObject({ error: 'protocol', code: 'HPE_HEADER_OVERFLOW' });
  });

  it.each(['kept', 'new'] as const)('is accepted with a head of up to 64 KB, on a %s connection', async (connection) => {
    const { url } = await http((_, response) => void response.writeHead(200, { 'x-large': 'x'.repeat(63 * 1024) }).end());
    await expect(post(url, { connection })).resolves.toMatchObject({ status: 200 });
    await expect(post(url, { connection })).resolves.toMatchObject({ status: 200 });
  });

  it('fails with a larger head, and says so', async () => {
    const { url } = await http((_, response) => void response.writeHead(200, { 'x-large': 'x'.repeat(65 * 1024) }).end());
    await expect(post(url)).resolves.toMatchObject({ error: 'protocol', code: 'HPE_HEADER_OVERFLOW' });
  });

  it.each(['kept', 'new'] as const)('fails when it switches to another protocol, on a %s connection', async (connection) => {
    const { url } = await tcp((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'));
    });

    await expect(post(url, { connection })).resolves.toMatchObject({ status: 101 });
    await expect(post(url, { connection })).resolves.toMatchObject({ status: 101 });
  });

  it('fails with endless interim responses once the time is up', async () => {
    const { port } = await tcp((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)));
      };
      // Yields to the event loop between two floods; otherwise nothing else in this process would run.
      const flood = setInterval(more, 5);
      socket.on('close', () => clearInterval(flood));
    });
    await expect(post(`http://127.0.0.1:${port}/`, { within: 500 })).resolves.toMatchObject({ error: 'timeout' });
  });
});

describe('a subscriber that disconnects', () => {
  it('has accepted the event if it was in the middle of the body', async () => {
    const { port } = await tcp((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf of i', () => socket.resetAndDestroy());
      }),
    );
    await expect(post(`http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status: 200 });
  });

  it('has failed if it was in the middle of the head', async () => {
    const { port } = await tcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Le')));
    expect(await post(`http://127.0.0.1:${port}/`)).toHaveProperty('error');
  });

  it('costs no attempt by closing a kept connection if each POST uses a new one', async () => {
    let connections = 0;
    // Announces a minute of keep-alive, but closes the connection as soon as it is idle.
    const server = createHttpServer((_, response) => {
      response.on('finish', () => setTimeout(() => response.req.socket.destroy(), 5));
      response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=60' }).end('ok');
    });
    server.on('connection', () => (connections += 1));
    const { port } = await listen(server);
    for (let i = 0; i < 10; i += 1) {
      await expect(post(`http://127.0.0.1:${port}/`, { connection: 'new' })).resolves.toMatchObject({ status: 200 });
      await new Promise((resolve) => setTimeout(resolve, 5 * (i % 3)));
    }
    expect(connections).toBe(10);
  });
});

describe('the limit of ten seconds', () => {
  it('accepts a response after 9.9 s and times out before one after 10.1 s', async () => {
    const [inTime, late] = await Promise.all([answerAfter(9_900), answerAfter(10_100)]);
    // If this machine was so busy that the server itself responded late, the response was too late.
    expect(inTime.outcome).toHaveProperty(inTime.answeredAfterMs < 9_970 ? 'status' : 'durationMs');
    expect(late.outcome).toMatchObject({ error: 'timeout' });
  });

  async function answerAfter(ms: number): Promise<{ outcome: Outcome; answeredAfterMs: number }> {
    let answeredAfterMs = Number.POSITIVE_INFINITY;
    const from = performance.now();
    const { port } = await http((_, response) => {
      const answer = () => {
        answeredAfterMs = performance.now() - from;
        response.end();
      };
      setTimeout(answer, ms - (performance.now() - from));
    });
    return { outcome: await post(`http://127.0.0.1:${port}/`), answeredAfterMs };
  }
});

describe('a subscriber with TLS', () => {
  const day = 24 * 60 * 60 * 1_000;
  let authority: GenerateResult;
  beforeAll(async () => {
    authority = await generate([{ name: 'commonName', value: 'An authority of this test' }], {
      algorithm: 'sha256',
      keyType: 'ec',
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, critical: true },
      ],
    });
  });

  async function certificate(given: { name?: string; from?: Date; until?: Date; issuer?: GenerateResult }): Promise<GenerateResult> {
    const { name = 'hooks.example.org', from = new Date(Date.now() - day), until = new Date(Date.now() + day), issuer } = given;
    return generate([{ name: 'commonName', value: name }], {
      algorithm: 'sha256',
      keyType: 'ec',
      notBeforeDate: from,
      notAfterDate: until,
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
      ...(issuer ? { ca: { key: issuer.private, cert: issuer.cert } } : {}),
    });
  }

  /** The name leads to the server and its authority is trusted, so only the fault under test remains. */
  async function postTo(given: GenerateResult, name = 'hooks.example.org'): Promise<Outcome> {
    const { port } = await listen(createHttpsServer({ key: given.private, cert: given.cert }, (_, response) => void response.end()));
    const egress = createEgress({
      allowPrivateTargets: true,
      privateOrigins: [],
      resolve: () => Promise.resolve(['127.0.0.1']),
      ca: authority.cert,
    });
    return post(`https://${name}:${port}/`, { egress });
  }

  it('is accepted with a valid certificate', async () => {
    await expect(postTo(await certificate({ issuer: authority }))).resolves.toMatchObject({ status: 200 });
  });

  it.each([
    [
      'that has expired',
      'CERT_HAS_EXPIRED',
      async () => postTo(await certificate({ issuer: authority, from: new Date(Date.now() - 2 * day), until: new Date(Date.now() - day) })),
    ],
    [
      'that is not valid yet',
      'CERT_NOT_YET_VALID',
      async () => postTo(await certificate({ issuer: authority, from: new Date(Date.now() + day), until: new Date(Date.now() + 2 * day) })),
    ],
    [
      'of another host',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      async () => postTo(await certificate({ issuer: authority, name: 'other.example.org' })),
    ],
    ['that is self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', async () => postTo(await certificate({}))],
    [
      'of an unknown authority',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      async () => postTo(await certificate({ issuer: await certificate({ name: 'Nobody' }) })),
    ],
  ])('is refused with a certificate %s, by the code %s', async (_, code, answer) => {
    await expect(answer()).resolves.toMatchObject({ error: 'tls', code });
  });
});

describe('a subscriber with its own name server', () => {
  const internet =
    (port: number): Resolve =>
    (host, _scope, signal) =>
      fromDns(host, signal, [`127.0.0.1:${port}`]);

  /** A name server on loopback that answers each address query with the next of these results, then repeats the last one. */
  async function nameServer(...answers: { A?: string[]; AAAA?: string[] }[]): Promise<{ port: number; asked: () => number }> {
    const counts = { A: 0, AAAA: 0 };
    const socket = createSocket('udp4');
    socket.on('message', (message, from) => {
      const { id, questions = [] } = decode(message);
      const [question] = questions;
      if (question?.type !== 'A' && question?.type !== 'AAAA') return;
      const { type, name } = question;
      const now = answers[Math.min(counts[type]++, answers.length - 1)] ?? {};
      const records = (now[type] ?? []).map((data) => ({ type, name, ttl: 0, data }));
      socket.send(encode({ type: 'response', id: id ?? 0, questions, answers: records }), from.port, from.address);
    });
    afterThisTest(() => new Promise<void>((resolve) => socket.close(() => resolve())));
    const port = await new Promise<number>((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket.address().port)));
    return { port, asked: () => counts.A };
  }

  it('cannot change the address between the check and the connection', async () => {
    const { port } = await http((_, response) => void response.end());
    // A second query returns an address without a server.
    const dns = await nameServer({ A: ['127.0.0.1'] }, { A: ['127.0.0.2'] });
    const origin = `http://rebind.example.org:${port}`;
    const egress = createEgress({ allowPrivateTargets: false, privateOrigins: [origin], resolve: internet(dns.port) });

    await expect(post(origin, { egress })).resolves.toMatchObject({ status: 200 });
    expect(dns.asked()).toBe(1);
  });

  it('is refused at the next delivery if its address has become private since it subscribed', async () => {
    const dns = await nameServer({ A: ['1.1.1.1'] }, { A: ['127.0.0.1'] });
    const egress = createEgress({ allowPrivateTargets: false, privateOrigins: [], resolve: internet(dns.port) });

    await expect(egress.vet('https://rebind.example.org/')).resolves.toMatchObject({ addresses: ['1.1.1.1'] });
    await expect(post('https://rebind.example.org/', { egress })).resolves.toMatchObject({ error: 'address_not_allowed' });
  });

  it.each([
    ['a loopback address among public ones', { A: ['1.1.1.1', '127.0.0.1'] }],
    ['a loopback address of the other family', { A: ['1.1.1.1'], AAAA: ['::1'] }],
    ['the metadata service of a cloud', { A: ['169.254.169.254'] }],
    ['IPv4 inside IPv6', { AAAA: ['::ffff:10.0.0.1'] }],
  ])('is refused with %s', async (_, answer) => {
    const dns = await nameServer(answer);
    const egress = createEgress({ allowPrivateTargets: false, privateOrigins: [], resolve: internet(dns.port) });
    await expect(post('https://mixed.example.org/', { egress })).resolves.toMatchObject({ error: 'address_not_allowed' });
  });
});

describe('a subscriber that redirects', () => {
  it.each([301, 302, 303, 307, 308])('to a private address is not followed: %i', async (status) => {
    let called = 0;
    const { port: inside } = await http((_, response) => {
      called += 1;
      response.end();
    });
    const { port } = await http((_, response) => response.writeHead(status, { location: `http://127.0.0.1:${inside}/admin` }).end());
    await expect(post(`http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status });
    expect(called).toBe(0);
  });
});
