import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type App } from '@sheaf/kernel';
import {
  anAuthority,
  aUser,
  callAs,
  eventually,
  issueInto,
  servingSettings,
  testProcess,
  verifyTestCaller,
  type Authority,
  type Issue,
  type TestProcess,
} from '@sheaf/testing';
import { z } from 'zod';
import { id } from '../shapes';
import { Certificates, certificatesOf, tlsSteps, type TlsStep } from './certificates';
import { connect, type Client } from './client';
import { open, type Doors } from './door';
import { Hooks, type HooksDefinition } from './protocol';
import { serve } from './server';

// `hooks` is called by `gateway` and `delivery` only. The doors are real sockets.

const day = 86_400_000;
const tlsHandshakeByte = 22;
const user = aUser({ instanceId: newId() });
let authority: Authority;
let otherAuthority: Authority;
beforeAll(async () => {
  [authority, otherAuthority] = await Promise.all([anAuthority('One'), anAuthority('Another')]);
});

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Writes a certificate for an app into a folder. */
const issue = (folder: string, app: string, { issuer = authority, ...given }: Partial<Issue> = {}) =>
  issueInto(folder, [app, `${app}.sheaf.svc`], { issuer, ...given });

async function aFolder(app: string, given: Partial<Issue> = {}): Promise<string> {
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
async function aService(
  folder: string | undefined,
  { maxAgeMs = 60_000, step, port: given = 0 }: { maxAgeMs?: number; step?: TlsStep | undefined; port?: number } = {},
): Promise<{ port: number; certificates: Certificates | undefined; process: TestProcess; answers: () => number }> {
  let answers = 0;
  const process = aProcess('hooks');
  const answering = open(['user'], z.object({ id: id() }), () => {
    answers += 1;
    return Promise.resolve({});
  });
  const doors = new Proxy({}, { get: () => answering }) as Doors<HooksDefinition>;
  const settings = { ...servingSettings, GRPC_MAX_CONNECTION_AGE_MS: maxAgeMs, GRPC_TLS_DIR: folder, GRPC_TLS: step, GRPC_PORT: given };
  const port = await serve(process, { protocol: Hooks, doors, verify: verifyTestCaller, settings });
  return { port, certificates: certificatesOf(process, settings), process, answers: () => answers };
}

function aCaller(
  port: number,
  app: App,
  folder: string | undefined,
  step?: TlsStep,
): { client: Client<HooksDefinition>; certificates: Certificates | undefined } {
  const process = aProcess(app);
  const certificates = certificatesOf(process, { GRPC_TLS_DIR: folder, GRPC_TLS: step });
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
  const { port, certificates: ofService } = await aService(serving, { maxAgeMs: 300 });
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
  const steps: [string, App, Certificates | undefined, Partial<Issue>][] = [
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

it('tells when its certificate ends, and when that of the authority which signed it', async () => {
  const until = new Date('2030-01-02T03:04:05Z');
  const process = aProcess('hooks');
  const trusted = [otherAuthority, authority];
  certificatesOf(process, { GRPC_TLS_DIR: await aFolder('hooks', { until, trusted }) });
  const text = await process.metrics.getSingleMetricAsString('sheaf_certificate_expires_timestamp_seconds');
  const [own, ofAuthority] = ['own', 'authority'].map((which) => Number(new RegExp(`certificate="${which}"} (\\d+)`).exec(text)?.[1]));
  expect(own).toBe(until.getTime() / 1_000);
  expect(ofAuthority).toBe(Date.parse(new X509Certificate(authority.cert).validTo) / 1_000);
});

it.each([
  [14.5, undefined],
  [13.5, 'the certificate of this process ends at 2030-01-15T00:00:00.000Z, in 13 days'],
  [1.5, 'the certificate of this process ends at 2030-01-15T00:00:00.000Z, in 1 day'],
  [0.5, 'the certificate of this process ends at 2030-01-15T00:00:00.000Z, in less than a day'],
  [-0.5, 'the certificate of this process ended at 2030-01-15T00:00:00.000Z: new connections to and from other processes fail'],
])('%d days before its certificate ends, a process warns: %s', async (days, warning) => {
  const until = new Date('2030-01-15T00:00:00Z');
  const [issuer, long] = await Promise.all([anAuthority('Short', until), anAuthority('Long', new Date('2040-01-01T00:00:00Z'))]);
  const own = Certificates.read(await aFolder('hooks', { issuer: long, until }), 'hooks');
  const now = until.getTime() - days * day;
  expect(own.warningAt(now)).toBe(warning);
  const ofAuthority = Certificates.read(await aFolder('hooks', { issuer, until: new Date('2035-01-01T00:00:00Z') }), 'hooks');
  expect(ofAuthority.warningAt(now)).toBe(warning?.replace('the certificate of this process', 'the authority of its certificate'));
});

describe('while a system changes over to TLS', () => {
  // Before the first step, a process has no certificate.
  const steps = [undefined, ...tlsSteps];
  const folderAt = (step: TlsStep | undefined, app: App) => (step === undefined ? Promise.resolve(undefined) : aFolder(app));
  const caller = async (port: number, step: TlsStep | undefined) => aCaller(port, 'gateway', await folderAt(step, 'gateway'), step).client;

  const neighbours = steps.flatMap((calling, at) => steps.slice(Math.max(0, at - 1), at + 2).map((serving) => [calling, serving] as const));
  it.each(neighbours.map(([calling, serving]) => [calling ?? 'no step', serving ?? 'no step', calling, serving] as const))(
    'a caller at %s is answered by a service at %s',
    async (_calling, _serving, calling, serving) => {
      const { port } = await aService(await folderAt(serving, 'hooks'), { step: serving });
      expect(await call(await caller(port, calling))).toEqual({});
    },
  );

  it.each(['accept', 'call'] as const)('a service at %s refuses a certificate as if it required one', async (step) => {
    const { port } = await aService(await aFolder('hooks'), { step });
    const { client } = aCaller(port, 'gateway', await aFolder('gateway', { issuer: otherAuthority, trusted: [authority] }));
    await expect(call(client)).rejects.toEqual(unavailable);
    await expect(call(aCaller(port, 'pages', await aFolder('pages')).client)).rejects.toMatchObject({ code: 'internal_error' });
  });

  it('a service counts the connections without TLS, of which none may be left before it requires it', async () => {
    const { port, process } = await aService(await aFolder('hooks'), { step: 'call' });
    const open = () => process.metrics.getSingleMetricAsString('sheaf_grpc_plaintext_connections');
    await call(await caller(port, 'call'));
    expect(await open()).toMatch(/ 0$/);
    await call(await caller(port, 'accept'));
    expect(await open()).toMatch(/ 1$/);
  });

  it('a connection that says nothing, or breaks before it does, costs the service nothing', async () => {
    const { port, process } = await aService(await aFolder('hooks'), { step: 'accept' });
    const [silent, broken, nonsense] = Array.from({ length: 3 }, () => connectTo(port, '127.0.0.1'));
    for (const socket of [silent, broken, nonsense]) socket?.on('error', () => undefined);
    await Promise.all([silent, broken, nonsense].map(async (socket) => socket && once(socket, 'connect')));
    broken?.resetAndDestroy();
    const closed = [silent, nonsense].map(async (socket) => socket && once(socket, 'close'));
    nonsense?.end(Buffer.from([tlsHandshakeByte, 3, 1, 0, 1, 0]));
    await closed[1];
    expect(await call(await caller(port, 'accept'))).toEqual({});
    // It does not wait for it when it stops.
    await process.stop();
    await closed[0];
  });

  it('no call is refused while copies take one step after the other, there and back', async () => {
    const folders = { hooks: await aFolder('hooks'), gateway: await aFolder('gateway') };
    const refused: unknown[] = [];
    let client: Client<HooksDefinition> | undefined;
    let isOver = false;
    stops.push(() => (isOver = true));
    // Calls that are not repeated by themselves.
    const caller = async () => {
      while (!isOver && refused.length === 0)
        await (client ? call(client) : Promise.reject(new Error('nobody to call'))).then(
          () => undefined,
          (error: unknown) => refused.push(error),
        );
    };
    const at = (step: TlsStep | undefined, app: App) => (step === undefined ? undefined : folders[app as 'hooks' | 'gateway']);
    const first = await aService(undefined);
    const second = await aService(undefined);
    const copies = [first, second];
    const addresses = `ipv4:127.0.0.1:${first.port},127.0.0.1:${second.port}`;
    const callFrom = (step: TlsStep | undefined) => {
      const process = aProcess('gateway');
      const connection = connect(addresses, Hooks, {
        certificates: certificatesOf(process, { GRPC_TLS_DIR: at(step, 'gateway'), GRPC_TLS: step }),
      });
      stops.push(() => connection.close());
      client = connection.client;
    };
    /** The callers have reached these copies, as a rollout waits for a new pod before it stops the next. */
    const reached = async (...those: readonly { answers: () => number }[]) => {
      const before = those.map(({ answers }) => answers());
      await eventually(() => expect([refused, those.every(({ answers }, at) => answers() > (before[at] ?? 0) + 20)]).toEqual([[], true]));
    };
    callFrom(undefined);
    const load = Array.from({ length: 4 }, caller);
    for (const step of ['accept', 'call', 'require', 'call', 'accept', undefined] as const) {
      // Callers and services take a step in any order: here one copy, the caller, and the other copy.
      for (const index of [0, 1]) {
        const old = copies[index] ?? first;
        await old.process.stop();
        const copy = await aService(at(step, 'hooks'), { step, port: old.port });
        copies[index] = copy;
        await reached(copy);
        if (index === 0) {
          callFrom(step);
          await reached(...copies);
        }
      }
    }
    isOver = true;
    await Promise.all(load);
    expect(refused).toEqual([]);
  });

  it('a step needs certificates', () => {
    expect(() => certificatesOf(aProcess('hooks'), { GRPC_TLS: 'accept' })).toThrow('GRPC_TLS: needs GRPC_TLS_DIR');
  });
});
