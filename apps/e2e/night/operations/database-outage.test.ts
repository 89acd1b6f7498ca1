import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts, startPostgres, type Postgres } from '@sheaf/embedded';
import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import { Client } from 'pg';
import { apps, Cluster, type Copy } from '../../support/cluster';

// PostgreSQL of `submissions` is gone for minutes while respondents go on: as long as an administrator needs, or a takeover that went wrong.

const outageMs = 240_000;
/** Respondents come at this pace, whatever the answers. */
const everyMs = 50;
/** A client that gets no answer gives up. */
const patienceMs = 15_000;

interface Attempt {
  key: string;
  at: number;
  ms: number;
  /** Undefined without an answer. */
  status: number | undefined;
  retryAfter: string | null;
}

const password = 'secret';
let folder: string;
let port: number;
let postgres: Postgres;
let cluster: Cluster;
let subscriber: Subscriber;
let gateway: Copy;
let submissions: Copy;
let form: string;

const startDatabase = async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'postgres'), port, durable: true, password, onLine: () => undefined });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-outage-'));
  [port = 0] = await freePorts(1);
  subscriber = await startSubscriber();
  cluster = await Cluster.create(1, {
    HOOKS_ALLOW_PRIVATE_TARGETS: 'true',
    REQUESTS_PER_CREDENTIAL_PER_MINUTE: '0',
    SUBMIT_PER_FORM_PER_MINUTE: '0',
    SUBMIT_PER_ADDRESS_PER_MINUTE: '0',
  });
  await Promise.all([cluster.startPostgres(), cluster.startNats(), startDatabase()]);
  await cluster.migrate();
  const admin = new Client({ connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` });
  await admin.connect();
  await admin.query('create database sheaf_submissions');
  await admin.end();
  const own = { DATABASE_URL: `postgres://postgres:${password}@127.0.0.1:${port}/sheaf_submissions` };
  const bundle = join(__dirname, '../../../../dist/apps/submissions/main.cjs');
  const [code] = (await once(spawn(process.execPath, [bundle, 'migrate'], { env: { PATH: process.env.PATH, ...own } }), 'exit')) as [
    number,
  ];
  expect(code).toBe(0);
  const copies = new Map(apps.map((app) => [app, cluster.start(app, undefined, app === 'submissions' ? own : {})]));
  await Promise.all([...copies.values()].map((copy) => cluster.ready(copy)));
  [gateway, submissions] = [copies.get('gateway'), copies.get('submissions')] as [Copy, Copy];

  const owner = cluster.clientOf(gateway);
  form = ((await owner.post('/api/v1/forms', { title: 'Kept' })).body as { id: string }).id;
  await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await owner.post(`/api/v1/forms/${form}/publish`);
  const webhook = { event: 'submission.created', target_url: subscriber.url };
  expect(await owner.post(`/app/v1/forms/${form}/webhooks`, webhook)).toMatchObject({ status: 201 });
});
afterAll(async () => {
  await cluster.stopAll();
  await postgres.stop();
  await subscriber.close();
  await rm(folder, { recursive: true, force: true });
});

async function attempt(path: string, method: string, key = ''): Promise<Attempt> {
  const at = performance.now();
  const answer = await fetch(`http://127.0.0.1:${gateway.slot.port}${path}`, {
    method,
    signal: AbortSignal.timeout(patienceMs),
    headers: {
      authorization: `Bearer ${cluster.credentials.api_key}`,
      ...(method === 'POST' ? { 'content-type': 'application/json', 'idempotency-key': key } : {}),
    },
    body: method === 'POST' ? JSON.stringify({ data: { name: key } }) : null,
  }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  const retryAfter = answer?.headers.get('retry-after') ?? null;
  return { key, at, ms: performance.now() - at, status: answer?.status, retryAfter };
}
const submit = (key: string) => attempt(`/public/v1/forms/${form}/submissions`, 'POST', key);

/** Requests at a pace, whatever the answers. */
function paced(send: (n: number) => Promise<Attempt>, ms: number) {
  const made: Promise<Attempt>[] = [];
  const timer = setInterval(() => made.push(send(made.length)), ms);
  return async () => {
    clearInterval(timer);
    return Promise.all(made);
  };
}

/** For the docs: how many requests had each status, and how long they took. */
function summary(name: string, attempts: readonly Attempt[]): string {
  const times = attempts.map(({ ms }) => ms).sort((a, b) => a - b);
  const quantile = (q: number) => Math.round(times[Math.min(times.length - 1, Math.floor(q * times.length))] ?? 0);
  const statuses = [...new Set(attempts.map(({ status }) => status))];
  const counts = statuses
    .map((status) => `${status ?? 'no answer'} × ${attempts.filter((one) => one.status === status).length}`)
    .join(', ');
  return `${name}: ${counts}; p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, longest ${quantile(1)} ms`;
}

it('PostgreSQL of submissions is gone for four minutes: respondents are told at once to come again, and nothing is lost or doubled', async () => {
  const stopSubmitting = paced((n) => submit(`respondent-${n}`), everyMs);
  const reads = {
    'the list of submissions': `/api/v1/forms/${form}/submissions?limit=1`,
    'the form': `/api/v1/forms/${form}`,
    'the page of the form': `/public/v1/forms/${form}`,
  };
  const stopReading = Object.entries(reads).map(([name, path]) => ({ name, stop: paced(() => attempt(path, 'GET'), 500) }));
  await sleep(10_000);
  const logged = () => submissions.log.join('').length;
  const [gone, loggedBefore] = [performance.now(), logged()];
  postgres.kill();
  await sleep(outageMs);
  const loggedMeanwhile = logged() - loggedBefore;
  await startDatabase();
  const back = performance.now();
  await sleep(20_000);
  const attempts = await stopSubmitting();
  const read = await Promise.all(stopReading.map(async ({ name, stop }) => ({ name, attempts: await stop() })));

  // Each of those that were refused or had no answer tries again, with the key of before.
  const again = attempts.filter(({ status }) => status !== 201).map(({ key }) => key);
  const from = performance.now();
  const repeated: Attempt[] = [];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let key = again.pop(); key !== undefined; key = again.pop()) repeated.push(await submit(key));
    }),
  );
  const repeatedMs = performance.now() - from;
  const names = attempts.map(({ key }) => key).sort();
  const during = ({ at, ms }: Attempt) => at + ms > gone && at < back;
  const after = (attempt: Attempt) => attempt.at >= back;
  const firstAccepted = attempts.find((one) => one.at + one.ms > back && one.status === 201);
  const lastRefused = attempts.findLast(({ status }) => status !== 201);
  process.stdout.write(
    [
      summary(
        'submits before',
        attempts.filter((one) => one.at + one.ms <= gone),
      ),
      summary('submits during', attempts.filter(during)),
      summary('submits after', attempts.filter(after)),
      ...read.flatMap(({ name, attempts: of }) => [
        summary(`${name} during`, of.filter(during)),
        summary(`${name} after`, of.filter(after)),
      ]),
      `accepted again after ${Math.round((firstAccepted?.at ?? 0) + (firstAccepted?.ms ?? 0) - back)} ms, last refusal sent ${Math.round((lastRefused?.at ?? 0) - back)} ms after PostgreSQL accepted connections`,
      `${repeated.length} repeated in ${Math.round(repeatedMs)} ms; submissions logged ${Math.round(loggedMeanwhile / 1_000)} kB during the outage`,
      '',
    ].join('\n'),
  );

  // Told to come again, and no other error.
  const refused = attempts.filter(({ status }) => status !== 201);
  expect(refused.length).toBeGreaterThan(1_000);
  expect(refused.filter(({ status, retryAfter }) => status !== undefined && (status !== 503 || retryAfter === null))).toEqual([]);
  expect(repeated.filter(({ status }) => status !== 201)).toEqual([]);
  for (const { name, attempts: of } of read)
    expect(of.filter(({ status }) => status !== 200 && !(name === 'the list of submissions' && status === 503))).toEqual([]);

  const delivered = () => subscriber.received.map(({ body }) => (JSON.parse(body) as { data: { name: string } }).data.name).sort();
  await eventually(() => expect(delivered().length).toBeGreaterThanOrEqual(names.length));

  // Each respondent has one submission, and its subscriber one webhook.
  const database = new Client({ connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/sheaf_submissions` });
  await database.connect();
  const { rows } = await database.query<{ name: string }>(`select cast(data as json)->>'name' as name from submission`);
  await database.end();
  expect(rows.map(({ name }) => name).sort()).toEqual(names);
  expect(delivered()).toEqual(names);
}, 900_000);
