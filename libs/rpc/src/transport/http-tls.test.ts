import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { Agent, request as requestOverTls } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@sheaf/kernel';
import { listenUntilStop } from '@sheaf/runtime';
import { anAuthority, eventually, issueInto, testProcess, type Authority, type Issue, type TestProcess } from '@sheaf/testing';
import { certificatesOf, tlsSteps, type TlsStep } from './certificates';
import { httpAgentFor, httpServerFor, type HttpConnections } from './http-tls';

// `pages` is called by `gateway` alone.

let authority: Authority;
let otherAuthority: Authority;
beforeAll(async () => {
  [authority, otherAuthority] = await Promise.all([anAuthority('One'), anAuthority('Another')]);
});
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function aFolder(app: App, given: Partial<Issue> = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-http-certificates-'));
  stops.push(() => rmSync(folder, { recursive: true }));
  await issueInto(folder, [app], { issuer: authority, ...given });
  return folder;
}

function aProcess(name: App): TestProcess {
  const process = testProcess(name);
  stops.push(() => process.stop());
  return process;
}

/** A server that answers with what it was sent. */
async function pages(folder: string | undefined, step?: TlsStep, name: App = 'pages'): Promise<{ port: number; process: TestProcess }> {
  const process = aProcess(name);
  const server = httpServerFor('gateway', process, {
    settings: { GRPC_TLS_DIR: folder, GRPC_TLS: step },
    options: {},
    listener: (request, response) => void request.pipe(response),
  });
  await listenUntilStop(process, server, { port: 0, host: '127.0.0.1', closeNoticeMs: 0 });
  return { port: (server.address() as AddressInfo).port, process };
}

function aCaller(name: App, folder: string | undefined, step?: TlsStep): HttpConnections & { process: TestProcess } {
  const process = aProcess(name);
  const connections = httpAgentFor('pages', process, { GRPC_TLS_DIR: folder, GRPC_TLS: step }, { keepAlive: true });
  stops.push(() => connections.agent.destroy());
  return { ...connections, process };
}

/** @returns what the server answers to a body */
async function ask(port: number, { agent, protocol }: HttpConnections, body = 'hello'): Promise<string> {
  const send = protocol === 'https:' ? requestOverTls : request;
  const outgoing = send({ port, host: '127.0.0.1', method: 'POST', agent, headers: { host: 'forms.example' } });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [AsyncIterable<Buffer>];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return Buffer.concat(parts).toString();
}

it('pages answer the gateway over TLS, one request after the other on a connection, whatever host a browser asked for', async () => {
  const { port } = await pages(await aFolder('pages'));
  const caller = aCaller('gateway', await aFolder('gateway'));
  const body = 'x'.repeat(300_000);
  expect([await ask(port, caller), (await ask(port, caller, body)) === body]).toEqual(['hello', true]);
});

it.each([
  ['an app that does not call it', async () => aCaller('forms', await aFolder('forms'))],
  [
    'a certificate of another authority',
    async () => aCaller('gateway', await aFolder('gateway', { issuer: otherAuthority, trusted: [authority] })),
  ],
  ['no certificate and no TLS', () => Promise.resolve(aCaller('gateway', undefined))],
  [
    'TLS without a certificate',
    async () => ({ ...aCaller('gateway', await aFolder('gateway')), agent: new Agent({ rejectUnauthorized: false }) }),
  ],
] as [string, () => Promise<HttpConnections>][])('pages refuse %s', async (_what, caller) => {
  const { port } = await pages(await aFolder('pages'));
  await expect(caller().then((connections) => ask(port, connections))).rejects.toThrow(/socket hang up|ECONNRESET|EPIPE|alert/);
});

it.each([
  ['whose certificate is of another app', async () => pages(await aFolder('forms'), undefined, 'forms')],
  [
    'whose certificate is of another authority',
    async () => pages(await aFolder('pages', { issuer: otherAuthority, trusted: [authority] })),
  ],
  ['that speaks without TLS', () => pages(undefined)],
] as [string, () => ReturnType<typeof pages>][])('the gateway asks no server %s', async (_what, server) => {
  const { port } = await server();
  await expect(ask(port, aCaller('gateway', await aFolder('gateway')))).rejects.toThrow(/certificate|wrong version number|packet length/);
});

it('a new authority is trusted without a restart, and an old one is not any more', async () => {
  const [serving, calling] = [await aFolder('pages'), await aFolder('gateway')];
  const { port, process } = await pages(serving);
  const caller = aCaller('gateway', calling);
  const both = [authority, otherAuthority];
  const refreshed = (of: TestProcess, folder: string) => certificatesOf(of, { GRPC_TLS_DIR: folder })?.refresh();
  const steps: [string, TestProcess, App, Partial<Issue>][] = [
    [serving, process, 'pages', { trusted: both }],
    [calling, caller.process, 'gateway', { issuer: otherAuthority, trusted: both }],
    [serving, process, 'pages', { issuer: otherAuthority }],
  ];
  for (const [folder, of, app, given] of steps) {
    await issueInto(folder, [app], { issuer: authority, ...given });
    expect(await refreshed(of, folder)).toBe(true);
    expect(await ask(port, caller)).toBe('hello');
  }
  await expect(ask(port, aCaller('gateway', await aFolder('gateway', { trusted: both })))).rejects.toThrow();
});

describe('while a system changes over to TLS', () => {
  const steps = [undefined, ...tlsSteps];
  const folderAt = (step: TlsStep | undefined, app: App) => (step === undefined ? Promise.resolve(undefined) : aFolder(app));
  const neighbours = steps.flatMap((calling, at) => steps.slice(Math.max(0, at - 1), at + 2).map((serving) => [calling, serving] as const));

  it.each(neighbours.map(([calling, serving]) => [calling ?? 'no step', serving ?? 'no step', calling, serving] as const))(
    'a gateway at %s is answered by pages at %s',
    async (_calling, _serving, calling, serving) => {
      const { port } = await pages(await folderAt(serving, 'pages'), serving);
      const caller = aCaller('gateway', await folderAt(calling, 'gateway'), calling);
      const body = 'x'.repeat(300_000);
      expect([await ask(port, caller), (await ask(port, caller, body)) === body]).toEqual(['hello', true]);
    },
  );

  it('pages count the connections without TLS, and stop although one of them says nothing', async () => {
    const { port, process } = await pages(await aFolder('pages'), 'accept');
    const open = () => process.metrics.getSingleMetricAsString('sheaf_grpc_plaintext_connections');
    await ask(port, aCaller('gateway', await aFolder('gateway'), 'call'));
    expect(await open()).toMatch(/ 0$/);
    const plain = aCaller('gateway', undefined);
    await ask(port, plain);
    expect(await open()).toMatch(/ 1$/);
    plain.agent.destroy();
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    await ask(port, aCaller('gateway', undefined));
    const closed = once(silent, 'close');
    await Promise.all([process.stop(), eventually(async () => expect(await closed).toBeDefined())]);
  });
});
