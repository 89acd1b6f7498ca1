import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { z } from 'zod';
import { readConfig } from './config';
import { tracingSettings } from './tracing';

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

// Runs in its own process, bundled like an app: the SDK reads the environment and loads parts of itself in a way that Jest does not support.
const folder = mkdtempSync(join(tmpdir(), 'sheaf-tracing-'));
beforeAll(() => {
  buildSync({
    stdin: {
      contents: `import { z } from 'zod'; import { readConfig } from './config'; import { endProcess } from './end-process'; import { createLog } from './log'; import { startTracing, tracingSettings } from './tracing';
        const say = (what) => process.stdout.write(JSON.stringify(what) + '\\n');
        void (async () => {
          const tracing = await startTracing('test', readConfig(z.object(tracingSettings), process.env), createLog('test', 'info'));
          if (!tracing) return say({ none: true });
          const spans = JSON.parse(process.env.SPANS).map(([kind, name, parent, end, links]) => {
            const span = tracing.tracer.start(kind, name, parent ?? undefined, {}, links);
            span.end(end);
            return span.trace;
          });
          await tracing.stop();
          say({ spans });
          await endProcess(0);
        })();`,
      resolveDir: __dirname,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: join(folder, 'main.cjs'),
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Wanted = [kind: string, name: string, parent: string | null, end?: Record<string, unknown>, links?: string[]];

/** @returns the `traceparent` of each span and the log lines of the process. */
async function run(env: Record<string, string>, spans: Wanted[] = []): Promise<{ none?: boolean; spans: string[]; log: string[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.cjs')], {
    env: { ...process.env, ...env, SPANS: JSON.stringify(spans) },
    timeout: 240_000,
  });
  const isLogged = (line: string) => line.startsWith('{"level"');
  const lines = stdout.trim().split('\n');
  const said = lines.find((line) => !isLogged(line)) ?? '';
  return { ...(JSON.parse(said) as { none?: boolean; spans: string[] }), log: lines.filter(isLogged) };
}

async function aCollector() {
  const taken: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      taken.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

interface Exported {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        kind: number;
        status: { code?: number };
        links: { traceId: string; spanId: string }[];
      }[];
    }[];
  }[];
}

let collector: Awaited<ReturnType<typeof aCollector>>;
beforeEach(async () => {
  collector = await aCollector();
});
afterEach(() => collector.close());

it('creates no spans without an endpoint', async () => {
  expect(await run({ OTEL_TRACES_SAMPLER: 'always_on', OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toEqual({ none: true, log: [] });
});

it('sends the remaining spans when the process stops, with its name and the configured headers', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer x',
    OTEL_RESOURCE_ATTRIBUTES: 'cloud.region=here',
  };
  const {
    spans: [trace],
  } = await run(env, [
    ['server', 'GET /x', parent, { 'http.route': '/x' }],
    ['client', 'POST', parent, { 'error.type': 'timeout' }, [parent.replaceAll('f', 'e')]],
  ]);

  expect(collector.taken).toMatchObject([{ path: '/v1/traces', headers: { authorization: 'Bearer x' } }]);
  const {
    resourceSpans: [sent],
  } = JSON.parse(collector.taken[0]?.body.toString() ?? '{}') as Exported;
  const below = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentSpanId: '00f067aa0ba902b7' };
  expect(sent?.scopeSpans[0]?.spans).toMatchObject([
    { name: 'GET /x', kind: 2, ...below, spanId: trace?.slice(36, 52), status: { code: 0 } },
    {
      name: 'POST',
      kind: 3,
      ...below,
      status: { code: 2 },
      links: [{ traceId: '4be92e3577b34da6a3ce929d0e0e4736', spanId: '00e067aa0ba902b7' }],
    },
  ]);
  expect(Object.fromEntries(sent?.resource.attributes.map(({ key, value }) => [key, value.stringValue]) ?? [])).toMatchObject({
    'service.name': 'sheaf-test',
    'cloud.region': 'here',
  });
});

it('takes the headers from a file, even though the SDK reads only the environment', async () => {
  const file = join(folder, 'headers');
  writeFileSync(file, 'authorization=Bearer filed\n');
  await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS_FILE: file }, [['server', 'GET /x', null]]);
  expect(collector.taken).toMatchObject([{ headers: { authorization: 'Bearer filed' } }]);
});

it('uses protobuf by default', async () => {
  await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, [['server', 'GET /x', null]]);
  expect(collector.taken).toMatchObject([{ path: '/v1/traces', headers: { 'content-type': 'application/x-protobuf' } }]);
});

it('begins a trace without a parent and passes on that a trace is not sampled', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'parentbased_always_off' };
  const {
    spans: [fresh, unwanted, wanted],
  } = await run(env, [
    ['server', 'fresh', null],
    ['server', 'unwanted', parent.replace(/01$/, '00')],
    ['server', 'wanted', parent],
  ]);
  expect(fresh).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/);
  expect(unwanted).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
  expect(wanted).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/);
});

it('logs one line without secrets while the collector is unreachable, and lets the process stop', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer very-secret',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  };
  const { log } = await run(
    env,
    Array.from({ length: 3_000 }, (): Wanted => ['server', 'GET /x', null]),
  );
  expect(log.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['traces could not be sent']);
  expect(log.join()).toContain('ECONNREFUSED');
  expect(log.join()).not.toContain('very-secret');
});

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an http or https URL'],
  ['OTEL_TRACES_SAMPLER_ARG', '7', 'must be at most 1'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'http/protobuf'],
])('refuses %s=%s', (name, value, why) => {
  expect(() => readConfig(z.object(tracingSettings), { [name]: value })).toThrow(new RegExp(`${name}: .*${why}`));
});
