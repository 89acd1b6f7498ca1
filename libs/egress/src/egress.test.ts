import type { Socket } from 'node:net';
import { answering, open, strict } from '../test/egresses';
import { closeServers, http, tcp } from '../test/servers';
import { createEgress, type Egress, type Post } from './egress';

let connection: Post['connection'] = 'kept';
const post = (egress: Egress, url: string, timeoutMs = 2_000) =>
  egress.post(url, { headers: { 'X-Test': 'yes' }, body: '{"a":1}', timeoutMs, connection });
const kinds: Post['connection'][] = ['kept', 'new'];
describe.each(kinds)('a POST over a %s connection', (kind) => {
  beforeAll(() => (connection = kind));

  it('sends the body and the headers and returns the status', async () => {
    const seen: unknown[] = [];
    const { port } = await http((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          seen.push([request.method, request.url, request.headers['x-test'], Buffer.concat(chunks).toString()]);
          response.writeHead(204).end();
        });
    });

    await expect(post(open, `http://127.0.0.1:${port}/hook?a=b#c`)).resolves.toMatchObject({ status: 204 });
    expect(seen).toEqual([['POST', '/hook?a=b', 'yes', '{"a":1}']]);
  });

  it('does not follow a redirect', async () => {
    let calls = 0;
    const { port } = await http((_, response) => {
      calls += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });

    await expect(post(open, `http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status: 307 });
    expect(calls).toBe(1);
  });

  it('looks up the addresses once and connects only to them', async () => {
    let hostSeen: string | undefined;
    const { port } = await http((request, response) => {
      hostSeen = request.headers.host;
      response.end();
    });
    // This name does not exist, so only the pinned address can lead to the server.
    const origin = `http://hooks.invalid:${port}`;
    const asked = jest.fn(answering('127.0.0.1'));
    const egress = createEgress({ allowPrivateTargets: false, privateOrigins: [origin], resolve: asked });

    await expect(post(egress, `${origin}/`)).resolves.toMatchObject({ status: 200 });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(hostSeen).toBe(`hooks.invalid:${port}`);
  });

  it('tries the next address if the first one refuses', async () => {
    const { port } = await http((_, response) => void response.end());
    const egress = createEgress({ allowPrivateTargets: true, privateOrigins: [], resolve: answering('::1', '127.0.0.1') });

    await expect(post(egress, `http://hooks.invalid:${port}/`)).resolves.toMatchObject({ status: 200 });
  });

  it('checks the addresses again, since the name may have changed', async () => {
    const answers = [['1.1.1.1'], ['127.0.0.1']];
    const egress = strict(() => Promise.resolve(answers.shift() ?? []));

    await expect(egress.vet('https://rebound.example.org/')).resolves.toMatchObject({ addresses: ['1.1.1.1'] });
    await expect(post(egress, 'https://rebound.example.org/')).resolves.toMatchObject({ error: 'address_not_allowed' });
  });

  it('ignores proxy variables', async () => {
    const { port } = await http((_, response) => void response.end());
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1';
    try {
      await expect(post(open, `http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status: 200 });
    } finally {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    }
  });
});

describe.each(kinds)('a POST over a %s connection fails and names the reason', (kind) => {
  beforeAll(() => (connection = kind));

  it('for a URL that is not allowed', async () => {
    await expect(post(strict(), 'http://example.org')).resolves.toMatchObject({ error: 'url_not_allowed' });
    await expect(post(strict(), 'https://127.0.0.1')).resolves.toMatchObject({ error: 'address_not_allowed' });
    await expect(post(strict(answering()), 'https://example.org')).resolves.toMatchObject({ error: 'dns' });
  });

  it('for a name that does not exist, by its code', async () => {
    const notFound = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    await expect(post(strict(notFound), 'https://example.org')).resolves.toMatchObject({ error: 'dns', code: 'ENOTFOUND' });
  });

  it('for a connection that is refused', async () => {
    const { port } = await tcp(() => undefined);
    await closeServers();
    await expect(post(open, `http://127.0.0.1:${port}/`)).resolves.toMatchObject({ error: 'connection_refused', code: 'ECONNREFUSED' });
  });

  it('for a connection that is closed before the response', async () => {
    const { port: closing } = await tcp((socket) => socket.once('data', () => socket.end()));
    const { port: resetting } = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await expect(post(open, `http://127.0.0.1:${closing}/`)).resolves.toMatchObject({ error: 'reset' });
    await expect(post(open, `http://127.0.0.1:${resetting}/`)).resolves.toMatchObject({ error: 'reset' });
  });

  it('for something that does not speak HTTP', async () => {
    const { port } = await tcp((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    await expect(post(open, `http://127.0.0.1:${port}/`)).resolves.toMatchObject({
      error: 'protocol',
      code: expect.stringMatching(/^HPE_/) as string,
    });
  });

  it('for something that does not speak TLS', async () => {
    const { port } = await http((_, response) => void response.end());
    await expect(post(open, `https://127.0.0.1:${port}/`)).resolves.toMatchObject({
      error: 'tls',
      code: expect.stringMatching(/^(EPROTO|ERR_SSL_)/) as string,
    });
  });

  it.each([
    ['never answers', (socket: Socket) => void socket.resume()],
    [
      'sends its head byte by byte',
      (socket: Socket) => {
        const drip = setInterval(() => socket.write('x'), 20);
        socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
        socket.on('close', () => clearInterval(drip));
      },
    ],
    [
      'sends one interim response after another',
      (socket: Socket) => {
        const drip = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
        socket.on('close', () => clearInterval(drip));
      },
    ],
  ])('for a server that %s, in time', async (_, handle) => {
    const { port } = await tcp(handle);
    const outcome = await post(open, `http://127.0.0.1:${port}/`, 300);
    expect(outcome).toMatchObject({ error: 'timeout' });
  });

  it('for a TLS handshake that hangs, and for a name server that hangs, in time', async () => {
    const { port } = await tcp((socket) => void socket.resume());
    await expect(post(open, `https://127.0.0.1:${port}/`, 300)).resolves.toMatchObject({ error: 'timeout' });
    await expect(
      post(
        strict(() => new Promise(() => undefined)),
        'https://example.org',
        300,
      ),
    ).resolves.toMatchObject({ error: 'timeout' });
  });
});

describe.each(kinds)('the body of a response over a %s connection', (kind) => {
  beforeAll(() => (connection = kind));

  it('is not awaited before a failure is returned', async () => {
    const { port } = await http((_, response) => void response.writeHead(500).write('and so on'));
    const outcome = await post(open, `http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ status: 500 });
  });

  it('does not change a success, even if it is endless or very slow', async () => {
    const { port: endless } = await http((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.writeHead(200).on('drain', more);
      more();
    });
    const { port: dripping } = await http((_, response) => {
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drip));
    });
    // Neither body ever ends, so a status proves that `post` stops reading.
    await expect(Promise.all([post(open, `http://127.0.0.1:${endless}/`), post(open, `http://127.0.0.1:${dripping}/`)])).resolves.toEqual([
      expect.objectContaining({ status: 200 }),
      expect.objectContaining({ status: 200 }),
    ]);
  });
});
