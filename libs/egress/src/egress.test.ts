import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { type Problem } from '@sheaf/kernel';
import { createEgress, type Egress, type Post } from './egress';
import type { Resolve } from './resolve';

const servers: { server: Server; sockets: Set<Socket> }[] = [];

afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  servers.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const http = (handle: RequestListener) => listen(createHttpServer(handle));
const tcp = (handle: (socket: Socket) => void) => listen(createTcpServer(handle));

const answering =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses);
const strict = (resolve: Resolve = answering('1.1.1.1')) => createEgress({ allowPrivateTargets: false, privateOrigins: [], resolve });
const open = createEgress({ allowPrivateTargets: true, privateOrigins: [] });
let connection: Post['connection'] = 'kept';
const post = (egress: Egress, url: string, timeoutMs = 2_000) =>
  egress.post(url, { headers: { 'X-Test': 'yes' }, body: '{"a":1}', timeoutMs, connection });
const kinds: Post['connection'][] = ['kept', 'new'];
const whyNot = (url: string, egress = strict()) =>
  egress.vet(url).then(
    () => 'allowed',
    (error: unknown) => (error as Problem).message,
  );

describe('vetting a URL', () => {
  it('allows a public https URL and returns the addresses that it checked', async () => {
    await expect(strict(answering('1.1.1.1', '2606:4700::1')).vet('https://hooks.example.org/x?y=1')).resolves.toMatchObject({
      addresses: ['1.1.1.1', '2606:4700::1'],
    });
  });

  it.each([
    ['no URL', 'nonsense', 'must be a URL'],
    ['white space that would be dropped', ' https://example.org', 'must be a URL'],
    ['a line break that would be dropped', 'https://example.org/\na', 'must be a URL'],
    ['backslashes that would be turned around', 'https:\\\\example.org', 'must be a URL'],
    ['no host', 'https://', 'must be a URL'],
    ['plain http', 'http://example.org', 'must be an https URL'],
    ['another scheme', 'ftp://example.org', 'must be an https URL'],
    ['a file', 'file:///etc/passwd', 'must be an https URL'],
    ['a user', 'https://me@example.org', 'must not contain credentials'],
    ['a password', 'https://:secret@example.org', 'must not contain credentials'],
    ['2049 characters', `https://example.org/${'x'.repeat(2_029)}`, 'must have at most 2048 characters'],
  ])('refuses %s', async (_, url, why) => {
    await expect(whyNot(url)).resolves.toBe(`target_url: ${why}`);
  });

  it('accepts 2048 characters', async () => {
    await expect(whyNot(`https://example.org/${'x'.repeat(2_028)}`)).resolves.toBe('allowed');
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[100:0:0:1::1]',
    '[2002:7f00:1::]',
    '[fd00::1]',
    '[fe80::1]',
    '[0:0:0:0:0:ffff:a9fe:a9fe]',
  ])('recognizes the private address in https://%s/', async (host) => {
    await expect(whyNot(`https://${host}/`)).resolves.toBe('target_url: its host must have public addresses only');
  });

  it('refuses a name as soon as one of its addresses is not public', async () => {
    await expect(whyNot('https://example.org', strict(answering('1.1.1.1', '10.0.0.1')))).resolves.toBe(
      'target_url: its host must have public addresses only',
    );
  });

  it('refuses a name that cannot be found', async () => {
    await expect(whyNot('https://example.org', strict(answering()))).resolves.toBe('target_url: its host cannot be found');
    await expect(
      whyNot(
        'https://example.org',
        strict(() => Promise.reject(new Error('ENOTFOUND'))),
      ),
    ).resolves.toBe('target_url: its host cannot be found');
  });

  it('allows the origins that an operator listed, including their port, and no others', async () => {
    const listed = createEgress({ allowPrivateTargets: false, privateOrigins: ['http://127.0.0.1:5678'], resolve: answering('1.1.1.1') });

    await expect(whyNot('http://127.0.0.1:5678/hook', listed)).resolves.toBe('allowed');
    await expect(whyNot('http://127.0.0.1:5679/hook', listed)).resolves.toBe('target_url: must be an https URL');
    await expect(whyNot('https://127.0.0.1:5678/hook', listed)).resolves.toBe('target_url: its host must have public addresses only');
    await expect(whyNot('http://me@127.0.0.1:5678/hook', listed)).resolves.toBe('target_url: must not contain credentials');
  });

  it('allows every http and https URL in development, except with credentials', async () => {
    await expect(whyNot('http://localhost:3000/hook', open)).resolves.toBe('allowed');
    await expect(whyNot('http://me:secret@localhost:3000/hook', open)).resolves.toBe('target_url: must not contain credentials');
    await expect(whyNot('ftp://localhost/', open)).resolves.toBe('target_url: must be an https URL');
  });
});

describe.each(kinds)('a POST over a connection that is %s', (kind) => {
  beforeAll(() => (connection = kind));

  it('sends the body and the headers and returns the status', async () => {
    const seen: unknown[] = [];
    const port = await http((request, response) => {
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
    const port = await http((_, response) => {
      calls += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });

    await expect(post(open, `http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status: 307 });
    expect(calls).toBe(1);
  });

  it('looks up the addresses once and connects only to them', async () => {
    let hostSeen: string | undefined;
    const port = await http((request, response) => {
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
    const port = await http((_, response) => void response.end());
    const egress = createEgress({ allowPrivateTargets: true, privateOrigins: [], resolve: answering('::1', '127.0.0.1') });

    await expect(post(egress, `http://hooks.invalid:${port}/`)).resolves.toMatchObject({ status: 200 });
  });

  it('checks the addresses again, since the name may have changed', async () => {
    const answers = [['1.1.1.1'], ['127.0.0.1']];
    const egress = strict(() => Promise.resolve(answers.shift() ?? []));

    await expect(whyNot('https://rebound.example.org/', egress)).resolves.toBe('allowed');
    await expect(post(egress, 'https://rebound.example.org/')).resolves.toMatchObject({ error: 'address_not_allowed' });
  });

  it('ignores proxy variables', async () => {
    const port = await http((_, response) => void response.end());
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1';
    try {
      await expect(post(open, `http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status: 200 });
    } finally {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    }
  });
});

describe.each(kinds)('a POST over a connection that is %s fails and says why', (kind) => {
  beforeAll(() => (connection = kind));

  it('for a URL that is not allowed', async () => {
    await expect(post(strict(), 'http://example.org')).resolves.toMatchObject({ error: 'url_not_allowed' });
    await expect(post(strict(), 'https://127.0.0.1')).resolves.toMatchObject({ error: 'address_not_allowed' });
    await expect(post(strict(answering()), 'https://example.org')).resolves.toMatchObject({ error: 'dns' });
  });

  it('for a connection that is refused', async () => {
    const port = await tcp(() => undefined);
    await Promise.all(servers.splice(0).map(({ server }) => new Promise((resolve) => server.close(resolve))));
    await expect(post(open, `http://127.0.0.1:${port}/`)).resolves.toMatchObject({ error: 'connection_refused' });
  });

  it('for a connection that is closed before the answer', async () => {
    const closing = await tcp((socket) => socket.once('data', () => socket.end()));
    const resetting = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await expect(post(open, `http://127.0.0.1:${closing}/`)).resolves.toMatchObject({ error: 'reset' });
    await expect(post(open, `http://127.0.0.1:${resetting}/`)).resolves.toMatchObject({ error: 'reset' });
  });

  it('for something that does not speak HTTP', async () => {
    const port = await tcp((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    await expect(post(open, `http://127.0.0.1:${port}/`)).resolves.toMatchObject({ error: 'protocol' });
  });

  it('for something that does not speak TLS', async () => {
    const port = await http((_, response) => void response.end());
    await expect(post(open, `https://127.0.0.1:${port}/`)).resolves.toMatchObject({ error: 'tls' });
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
      'sends one interim answer after the other',
      (socket: Socket) => {
        const drip = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
        socket.on('close', () => clearInterval(drip));
      },
    ],
  ])('for a server that %s, in time', async (_, handle) => {
    const port = await tcp(handle);
    const outcome = await post(open, `http://127.0.0.1:${port}/`, 300);
    expect(outcome).toMatchObject({ error: 'timeout' });
    expect(outcome.durationMs).toBeLessThan(1_500);
  });

  it('for a TLS handshake that hangs, and for a name server that hangs, in time', async () => {
    const port = await tcp((socket) => void socket.resume());
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

describe.each(kinds)('the body of an answer over a connection that is %s', (kind) => {
  beforeAll(() => (connection = kind));

  it('is not awaited if the status is a failure', async () => {
    const port = await http((_, response) => void response.writeHead(500).write('and so on'));
    const outcome = await post(open, `http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ status: 500 });
    expect(outcome.durationMs).toBeLessThan(1_000);
  });

  it('does not change a success, even if it is endless or very slow', async () => {
    const endless = await http((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.writeHead(200).on('drain', more);
      more();
    });
    const dripping = await http((_, response) => {
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drip));
    });
    // Neither body ends, so an outcome at all proves the rule.
    await expect(Promise.all([post(open, `http://127.0.0.1:${endless}/`), post(open, `http://127.0.0.1:${dripping}/`)])).resolves.toEqual([
      expect.objectContaining({ status: 200 }),
      expect.objectContaining({ status: 200 }),
    ]);
  });
});
