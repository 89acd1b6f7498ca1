import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { anAuthority, certificateFor, eventually } from '@sheaf/testing';
import { afterThisTest, closeServers, http, listen, tcp } from '../test/servers';
import { Authorities } from './authorities';
import { createEgress, type Outcome, type Post, type Rules } from './egress';
import type { Proxy } from './tunnel';

const ms = expect.any(Number) as unknown;
const request: Post = { headers: {}, body: '{}', timeoutMs: 60_000, connection: 'new' };
const credentials = 'sheaf:s3cret-pass';
const host = 'hooks.example.org';
const dayMs = 86_400_000;

interface Asked {
  authority: string;
  headers: IncomingHttpHeaders;
}

/** A proxy that connects to what it is asked for, at loopback whatever the host, unless `refuse` names a status. */
async function aProxy(refuse: (authority: string) => number | undefined = () => undefined) {
  const asked: Asked[] = [];
  const server = createHttpServer((_, response) => void response.writeHead(405).end());
  server.on('connect', ({ url: authority = '', headers }, socket: Socket) => {
    asked.push({ authority, headers });
    socket.on('error', () => undefined);
    const status = refuse(authority);
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\nno`);
    const onward = connect(Number(/:(\d+)$/.exec(authority)?.[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    }).on('error', () => socket.destroy());
    return socket.on('close', () => onward.destroy());
  });
  const { port, sockets } = await listen(server);
  const proxy: Proxy = { host: '127.0.0.1', port, credentials };
  return { proxy, asked, sockets };
}

/** A receiver with a certificate of a private authority, and the file that names the authority. */
async function aReceiver(names = [host]) {
  const authority = await anAuthority('An authority');
  const seen: IncomingHttpHeaders[] = [];
  const until = new Date(Date.now() + dayMs);
  const { port } = await listen(
    createHttpsServer(await certificateFor(names, { issuer: authority, until }), ({ headers }, response) => {
      seen.push(headers);
      response.end('ok');
    }),
    'https',
  );
  return { port, seen, authorities: new Authorities(fileWith(authority.cert)) };
}

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-ca-'));
  afterThisTest(() => Promise.resolve(rmSync(folder, { recursive: true })));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, text);
  return file;
}

const looksUp: string[] = [];
const at =
  (...addresses: string[]) =>
  (name: string) => {
    looksUp.push(name);
    return Promise.resolve(addresses);
  };
beforeEach(() => void looksUp.splice(0));

const strict = (rules: Partial<Rules>) =>
  createEgress({ allowPrivateTargets: false, privateOrigins: [], resolve: at('1.1.1.1'), ...rules });

describe('through a proxy', () => {
  it('the vetted address is asked for, and TLS is with the name of the receiver', async () => {
    const { proxy, asked } = await aProxy();
    const { port, seen, authorities } = await aReceiver();
    const outcome = await strict({ proxy, authorities }).post(`https://${host}:${port}/`, request);

    expect(outcome).toMatchObject({
      status: 200,
      connection: { isReused: false, dnsMs: ms, connectMs: ms, tlsMs: ms, firstByteMs: ms, tls: { issuer: 'An authority' } },
    });
    expect(asked).toMatchObject([
      { authority: `1.1.1.1:${port}`, headers: { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` } },
    ]);
    // The receiver learns nothing of the proxy.
    expect(Object.keys(seen[0] ?? {}).filter((name) => name.startsWith('proxy'))).toEqual([]);
    expect(seen[0]?.host).toBe(`${host}:${port}`);
  });

  it('a certificate of another name, or of an unknown authority, ends the attempt before anything is sent', async () => {
    const { proxy } = await aProxy();
    const other = await aReceiver(['other.example.org']);
    const post = (rules: Partial<Rules>) => strict({ proxy, ...rules }).post(`https://${host}:${other.port}/`, request);

    await expect(post(other)).resolves.toMatchObject({ error: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    await expect(post({})).resolves.toMatchObject({ error: 'tls', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    expect(other.seen).toEqual([]);
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1'])(
    'a name with the private address %s is refused, and the proxy not asked',
    async (address) => {
      const { proxy, asked } = await aProxy();
      await expect(strict({ proxy, resolve: at('1.1.1.1', address) }).post(`https://${host}/`, request)).resolves.toMatchObject({
        error: 'address_not_allowed',
      });
      expect(asked).toEqual([]);
    },
  );

  it.each([403, 407, 502])('its answer %i is a failure that names it, without its password', async (status) => {
    const { proxy, sockets } = await aProxy(() => status);
    const outcome = await strict({ proxy }).post(`https://${host}/`, request);

    expect(outcome).toEqual({ durationMs: ms, error: 'proxy', code: `PROXY_${status}`, connection: { isReused: false, dnsMs: ms } });
    expectNoPassword(outcome);
    expect(sockets.length).toBe(1);
  });

  it('the next address is tried after a 5xx, and none after a refusal', async () => {
    const { port, authorities } = await aReceiver();
    const resolve = at('1.1.1.1', '2606:4700::1', '1.0.0.1');
    const failing = await aProxy((authority) => (authority.startsWith('1.0.0.1') ? undefined : 503));
    await expect(strict({ ...failing, authorities, resolve }).post(`https://${host}:${port}/`, request)).resolves.toMatchObject({
      status: 200,
    });
    expect(failing.asked.map(({ authority }) => authority)).toEqual([`1.1.1.1:${port}`, `[2606:4700::1]:${port}`, `1.0.0.1:${port}`]);

    const refusing = await aProxy(() => 407);
    await expect(strict({ ...refusing, resolve }).post(`https://${host}:${port}/`, request)).resolves.toMatchObject({ code: 'PROXY_407' });
    expect(refusing.asked).toHaveLength(1);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['hangs', (socket) => socket.resume(), 'ETIMEDOUT'],
    ['closes the connection', (socket) => socket.once('data', () => socket.end()), 'ECONNRESET'],
    ['speaks no HTTP', (socket) => socket.once('data', () => socket.end('220 mail ready\r\n')), 'HPE_INVALID_CONSTANT'],
  ])('a proxy that %s is a failure of the proxy, not of the receiver', async (_, handle, code) => {
    const { port, sockets } = await tcp(handle);
    const outcome = await strict({ proxy: { host: '127.0.0.1', port, credentials } }).post(`https://${host}/`, {
      ...request,
      timeoutMs: 500,
    });
    expect(outcome).toMatchObject({ error: 'proxy', code });
    expectNoPassword(outcome);
    await eventually(() => expect(sockets[0]?.destroyed).toBe(true));
  });

  it('a proxy that cannot be reached is a fault of our own: nothing was sent, and no attempt is used up', async () => {
    const { proxy } = await aProxy();
    await closeServers();
    const post = strict({ proxy }).post(`https://${host}/`, request);
    const fault: unknown = await post.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(fault).toMatchObject({ name: 'OwnFailure', stage: 'proxy' });
    expectNoPassword(fault);
  });

  it('a connection is kept, and used again without asking the proxy', async () => {
    const { proxy, asked } = await aProxy();
    const { port, authorities } = await aReceiver();
    const egress = strict({ proxy, authorities, idleMs: 60_000 });
    const post = () => egress.post(`https://${host}:${port}/`, { ...request, connection: 'kept' });

    await expect(post()).resolves.toMatchObject({ status: 200, connection: { isReused: false, connectMs: ms } });
    const { connection } = await post();
    expect(connection).toMatchObject({ isReused: true, firstByteMs: ms, tls: { issuer: 'An authority' } });
    expect(connection).not.toHaveProperty('connectMs');
    expect(asked).toHaveLength(1);
  });

  it('plain http has a tunnel too, so that the proxy reads no address and changes no answer', async () => {
    const { proxy, asked } = await aProxy();
    const { port, over } = await http();
    const egress = createEgress({ allowPrivateTargets: true, privateOrigins: [], proxy });
    await expect(egress.post(`http://127.0.0.1:${port}/hook`, request)).resolves.toMatchObject({ status: 200 });
    expect(asked.map(({ authority }) => authority)).toEqual([`127.0.0.1:${port}`]);
    expect(over).toEqual([1]);
  });

  it('private origins are called directly', async () => {
    const { proxy, asked } = await aProxy();
    const { port } = await http();
    const egress = strict({ proxy, privateOrigins: [`http://127.0.0.1:${port}`], proxyHosts: [host] });
    await expect(egress.post(`http://127.0.0.1:${port}/hook`, request)).resolves.toMatchObject({ status: 200 });
    expect(asked).toEqual([]);
  });
});

describe('where only the proxy looks up names', () => {
  // The last one is of names, and of no address that ends so.
  const proxyHosts = [host, '*.make.example', '*.0.0.1'];

  it('it is asked for the names that it may look up, and nothing is looked up here', async () => {
    const { proxy, asked } = await aProxy();
    const { port, authorities } = await aReceiver([host, 'eu1.make.example']);
    const egress = strict({ proxy, authorities, proxyHosts });
    for (const name of [host, 'EU1.make.example']) {
      await expect(egress.post(`https://${name}:${port}/`, request)).resolves.toMatchObject({
        status: 200,
        connection: { isReused: false },
      });
    }
    expect(asked.map(({ authority }) => authority)).toEqual([`${host}:${port}`, `eu1.make.example:${port}`]);
    expect(looksUp).toEqual([]);
  });

  it.each([
    'https://example.org/',
    'https://make.example/',
    `https://${host}.example.net/`,
    'https://1.1.1.1/',
    'https://127.0.0.1/',
    'https://evilmake.example/',
  ])('nothing else may be called: %s', async (url) => {
    const { proxy, asked } = await aProxy();
    const egress = strict({ proxy, proxyHosts });
    await expect(egress.vet(url)).rejects.toThrow('target_url: its host must be one that the proxy may look up');
    const outcome: Outcome = await egress.post(url, request);
    expect([outcome, asked]).toMatchObject([{ error: 'address_not_allowed' }, []]);
  });
});

describe('private authorities', () => {
  it('are read anew when the file changes, and stay as they were while it cannot be used', async () => {
    const [first, second] = [await anAuthority('First'), await anAuthority('Second')];
    const file = fileWith(first.cert);
    const faults: unknown[] = [];
    const authorities = new Authorities(file, (error) => faults.push(error));
    const before = authorities.context;
    for (const text of ['', 'nonsense', second.cert.slice(0, 200), `${first.cert}\n${second.cert.slice(0, 200)}`]) {
      writeFileSync(file, text);
      authorities.look();
    }
    expect([authorities.context === before, faults.length]).toEqual([true, 4]);

    writeFileSync(file, `# Ours\n${first.cert}\n${second.cert}`);
    authorities.look();
    expect([authorities.context === before, faults.length]).toEqual([false, 4]);
    expect(() => new Authorities(fileWith('nonsense'))).toThrow('must hold PEM certificates');
  });
});

function expectNoPassword(value: unknown): void {
  const text = inspect(value, { depth: 10, showHidden: true });
  for (const secret of ['s3cret-pass', Buffer.from(credentials).toString('base64')]) expect(text).not.toContain(secret);
}
