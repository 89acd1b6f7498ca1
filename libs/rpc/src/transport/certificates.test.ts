import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type App } from '@sheaf/kernel';
import { aUser, callAs, eventually, servingSettings, testProcess, verifyTestCaller, type TestProcess } from '@sheaf/testing';
import { generate, type GenerateResult } from 'selfsigned';
import { z } from 'zod';
import { id } from '../shapes';
import { Certificates, certificatesOf } from './certificates';
import { connect, type Client } from './client';
import { open, type Doors } from './door';
import { Hooks, type HooksDefinition } from './protocol';
import { serve } from './server';

// `hooks` is called by `gateway` and `delivery` only. The doors are real sockets.

const day = 86_400_000;
const user = aUser({ instanceId: newId() });
let authority: GenerateResult;
let otherAuthority: GenerateResult;
beforeAll(async () => {
  [authority, otherAuthority] = await Promise.all([anAuthority(), anAuthority()]);
});

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

function anAuthority(): Promise<GenerateResult> {
  return generate([{ name: 'commonName', value: `Authority ${newId()}` }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
}

interface Issue {
  issuer?: GenerateResult;
  trusted?: GenerateResult[];
  until?: Date;
}

/** Writes a certificate for an app into a folder, as cert-manager does. */
async function issue(
  folder: string,
  app: string,
  { issuer = authority, trusted = [issuer], until = new Date(Date.now() + day) }: Issue = {},
) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'not looked at' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    notBeforeDate: new Date(Date.now() - 2 * day),
    notAfterDate: until,
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: app },
          { type: 2, value: `${app}.sheaf.svc` },
        ],
      },
    ],
    ca: { key: issuer.private, cert: issuer.cert },
  });
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key);
  writeFileSync(join(folder, 'ca.crt'), trusted.map((each) => each.cert).join('\n'));
}

async function aFolder(app: string, given: Issue = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-certificates-'));
  stops.push(() => rmSync(folder, { recursive: true }));
  await issue(folder, app, given);
  return folder;
}

function aProcess(name: App): TestProcess {
  const process = testProcess(name);
  stops.push(() => process.stop());
  return process;
}

/** A service that answers every lookup, with connections that live this long. @returns its port */
async function aService(folder: string | undefined, maxAgeMs = 60_000): Promise<{ port: number; certificates: Certificates | undefined }> {
  const process = aProcess('hooks');
  const answering = open(['user'], z.object({ id: id() }), () => Promise.resolve({}));
  const doors = new Proxy({}, { get: () => answering }) as Doors<HooksDefinition>;
  const settings = { ...servingSettings, GRPC_MAX_CONNECTION_AGE_MS: maxAgeMs, GRPC_TLS_DIR: folder };
  const port = await serve(process, { protocol: Hooks, doors, verify: verifyTestCaller, settings });
  return { port, certificates: certificatesOf(process, settings) };
}

function aCaller(
  port: number,
  app: App,
  folder: string | undefined,
): { client: Client<HooksDefinition>; certificates: Certificates | undefined } {
  const process = aProcess(app);
  const certificates = certificatesOf(process, { GRPC_TLS_DIR: folder });
  const connection = connect(`127.0.0.1:${port}`, Hooks, { certificates });
  stops.push(() => connection.close());
  return { client: connection.client, certificates };
}

const call = (client: Client<HooksDefinition>) => client.unsubscribe(callAs(user), { id: newId() });
const unavailable = expect.objectContaining({ code: 'unavailable' }) as unknown;

it('a service answers an app that calls it, if both have certificates of an authority that both trust', async () => {
  const { port } = await aService(await aFolder('hooks'));
  expect(await call(aCaller(port, 'gateway', await aFolder('gateway')).client)).toEqual({});
  expect(await call(aCaller(port, 'delivery', await aFolder('delivery')).client)).toEqual({});
});

it.each([
  ['a certificate of another authority', 'gateway', () => aFolder('gateway', { issuer: otherAuthority, trusted: [authority] })],
  ['a certificate that has expired', 'gateway', () => aFolder('gateway', { until: new Date(Date.now() - day) })],
  ['no certificate and no TLS', 'gateway', () => Promise.resolve(undefined)],
] as [string, App, () => Promise<string | undefined>][])('a service refuses %s', async (_what, app, folder) => {
  const { port } = await aService(await aFolder('hooks'));
  await expect(call(aCaller(port, app, await folder()).client)).rejects.toEqual(unavailable);
});

it('a service refuses an app that does not call it', async () => {
  const { port } = await aService(await aFolder('hooks'));
  // A fault of the installation, which waiting does not mend.
  await expect(call(aCaller(port, 'pages', await aFolder('pages')).client)).rejects.toMatchObject({ code: 'internal_error' });
});

it.each([
  ['whose certificate is of another authority', () => aFolder('hooks', { issuer: otherAuthority, trusted: [authority] })],
  ['whose certificate has expired', () => aFolder('hooks', { until: new Date(Date.now() - day) })],
  ['that speaks without TLS', () => Promise.resolve(undefined)],
] as [string, () => Promise<string | undefined>][])('an app does not call a service %s', async (_what, folder) => {
  const { port } = await aService(await folder());
  await expect(call(aCaller(port, 'gateway', await aFolder('gateway')).client)).rejects.toEqual(unavailable);
});

it('an app does not call another service in the place of the one that it asks for', async () => {
  // Its certificate is for both, so that it starts; then its place is taken by one that is for `forms` alone.
  const folder = await aFolder('forms');
  expect(() => Certificates.read(folder, 'hooks')).toThrow('GRPC_TLS_DIR: tls.crt is not for hooks: it needs the DNS name hooks');
  const impostor = aProcess('forms');
  const settings = { ...servingSettings, GRPC_TLS_DIR: folder };
  const answering = open(['user'], z.object({ id: id() }), () => Promise.resolve({}));
  const doors = new Proxy({}, { get: () => answering }) as Doors<HooksDefinition>;
  const port = await serve(impostor, { protocol: Hooks, doors, verify: verifyTestCaller, settings });
  await expect(call(aCaller(port, 'gateway', await aFolder('gateway')).client)).rejects.toEqual(unavailable);
});

it('new certificates and a new authority come into use under load without a refused call', async () => {
  const [serving, calling] = await Promise.all([aFolder('hooks'), aFolder('gateway')]);
  // Every connection lives for a moment, so that all through the test some begin.
  const { port, certificates: ofService } = await aService(serving, 300);
  const { client, certificates: ofCaller } = aCaller(port, 'gateway', calling);
  let answered = 0;
  const refused: unknown[] = [];
  let isOver = false;
  stops.push(() => (isOver = true));
  const load = Array.from({ length: 8 }, async () => {
    while (!isOver && refused.length === 0) {
      // A change, which is not repeated by itself.
      await call(client).then(
        () => (answered += 1),
        (error: unknown) => refused.push(error),
      );
    }
  });
  const both = [authority, otherAuthority];
  const steps: [string, App, Certificates | undefined, Issue][] = [
    [serving, 'hooks', ofService, { trusted: both }],
    [calling, 'gateway', ofCaller, { trusted: both }],
    [serving, 'hooks', ofService, { issuer: otherAuthority, trusted: both }],
    [calling, 'gateway', ofCaller, { issuer: otherAuthority, trusted: both }],
    [serving, 'hooks', ofService, { issuer: otherAuthority }],
    [calling, 'gateway', ofCaller, { issuer: otherAuthority }],
  ];
  for (const [folder, app, certificates, given] of steps) {
    await issue(folder, app, given);
    expect(await certificates?.refresh()).toBe(true);
    const before = answered;
    await eventually(() => expect([refused, answered > before + 100]).toEqual([[], true]));
  }
  isOver = true;
  await Promise.all(load);
  expect(refused).toEqual([]);
  // By now, the first authority opens no door any more.
  await expect(call(aCaller(port, 'gateway', await aFolder('gateway', { trusted: both })).client)).rejects.toEqual(unavailable);
});

it('files that do not fit together are left for the next look', async () => {
  const folder = await aFolder('hooks');
  const { port, certificates } = await aService(folder);
  const other = await aFolder('hooks');
  copyFileSync(join(other, 'tls.key'), join(folder, 'tls.key'));
  await expect(certificates?.refresh()).rejects.toThrow('tls.key is not the key of tls.crt');
  rmSync(join(folder, 'ca.crt'));
  await expect(certificates?.refresh()).rejects.toThrow('ENOENT');
  expect(await call(aCaller(port, 'gateway', await aFolder('gateway')).client)).toEqual({});
  await issue(folder, 'hooks');
  expect(await certificates?.refresh()).toBe(true);
  expect(await certificates?.refresh()).toBe(false);
});

it.each([
  ['tls.crt', '', /^GRPC_TLS_DIR: /],
  ['ca.crt', 'nonsense', /^GRPC_TLS_DIR: /],
  ['tls.key', undefined, 'GRPC_TLS_DIR: needs the files tls.crt, tls.key, ca.crt'],
] as [string, string | undefined, RegExp | string][])('a process does not start if %s is %j', async (file, text, message) => {
  const folder = await aFolder('hooks');
  if (text === undefined) rmSync(join(folder, file));
  else writeFileSync(join(folder, file), text);
  expect(() => certificatesOf(aProcess('hooks'), { GRPC_TLS_DIR: folder })).toThrow(message);
});

it('tells when its certificate ends', async () => {
  const until = new Date('2030-01-02T03:04:05Z');
  const process = aProcess('hooks');
  certificatesOf(process, { GRPC_TLS_DIR: await aFolder('hooks', { until }) });
  expect(await process.metrics.getSingleMetricAsString('sheaf_certificate_expires_timestamp_seconds')).toContain(
    ` ${until.getTime() / 1_000}`,
  );
});
