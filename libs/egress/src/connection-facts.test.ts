import { createServer as createHttpsServer } from 'node:https';
import { anAuthority, certificateFor } from '@sheaf/testing';
import { http, listen, tcp } from '../test/servers';
import { open } from '../test/egresses';
import { createEgress, type Outcome } from './egress';

const ms = expect.any(Number) as unknown;
const day = 86_400_000;
const request = { headers: {}, body: '{}', timeoutMs: 60_000, connection: 'new' } as const;

it('tells the times of a connection, and of none for one that was kept', async () => {
  const { url } = await http();
  const kept = { ...request, connection: 'kept' } as const;
  await expect(open.post(url, kept)).resolves.toMatchObject({ connection: { isReused: false, connectMs: ms, firstByteMs: ms } });
  const { connection } = await open.post(url, kept);
  expect(connection).toEqual({ isReused: true, firstByteMs: ms });
});

it('tells the times of the steps that were finished before a failure', async () => {
  const { url } = await tcp((socket) => socket.on('data', () => undefined));
  const { connection, ...outcome } = await open.post(url, { ...request, timeoutMs: 200 });
  expect(outcome).toMatchObject({ error: 'timeout' });
  expect(connection).toEqual({ isReused: false, connectMs: ms });
});

it('names the TLS of a connection, and none where the certificate was refused', async () => {
  const authority = await anAuthority('An \u202eauthority');
  const postTo = async (until: Date): Promise<Outcome> => {
    const { port } = await listen(
      createHttpsServer(await certificateFor(['hooks.example.org'], { issuer: authority, until }), (_, response) => void response.end()),
      'https',
    );
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const egress = createEgress({ allowPrivateTargets: true, privateOrigins: [], resolve, ca: authority.cert });
    return egress.post(`https://hooks.example.org:${port}/`, request);
  };
  const [later, before] = [new Date(Date.now() + day), new Date(Date.now() - day)];
  const facts = { isReused: false, dnsMs: ms, connectMs: ms };
  // Text of the other side must not turn around the text beside it.
  const issuer = 'An �authority';
  await expect(postTo(later)).resolves.toMatchObject({
    status: 200,
    connection: { ...facts, tlsMs: ms, firstByteMs: ms, tls: { protocol: 'TLSv1.3', issuer, expiresAt: secondOf(later) } },
  });
  await expect(postTo(before)).resolves.toEqual({ durationMs: ms, error: 'tls', code: 'CERT_HAS_EXPIRED', connection: facts });
});

/** Certificates know no milliseconds. */
const secondOf = (moment: Date): string => new Date(Math.floor(moment.getTime() / 1_000) * 1_000).toISOString();
