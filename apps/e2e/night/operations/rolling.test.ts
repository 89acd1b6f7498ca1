import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { referenceOf } from '@sheaf/contracts';
import { isService, type App } from '@sheaf/kernel';
import { anAuthority, eventually, issueInto, startSubscriber, type Person, type Subscriber } from '@sheaf/testing';
import { apps, Cluster, probe, probeRpc, type Copy } from '../../support/cluster';

// Two copies of each process, configured by the manifests; each is replaced in turn under load.

let cluster: Cluster;
let subscriber: Subscriber;
let form: string;
/** The backends of a load balancer: the copies of the gateway that are not about to stop. */
let gateways: Person[] = [];
/** The app that is being replaced, recorded with each failure. */
let replacing = '';
let nextGateway = 0;
function anyGateway(): Person {
  const gateway = gateways[nextGateway++ % gateways.length];
  if (!gateway) throw new Error('There is no gateway.');
  return gateway;
}

/** The ids in the events that have arrived, and the references that are made of them. */
const namesOfReceived = () =>
  new Set(
    subscriber.received.flatMap(({ body }) => (body.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []).flatMap((id) => [id, referenceOf(id)])),
  );

const two = (app: App) => [app, app];
beforeAll(async () => {
  subscriber = await startSubscriber();
  cluster = await Cluster.create(3, { HOOKS_ALLOW_PRIVATE_TARGETS: 'true', REQUESTS_PER_CREDENTIAL_PER_MINUTE: '0' });
  await Promise.all([cluster.startPostgres(), cluster.startNats()]);
  await cluster.migrate();
  const copies = apps.flatMap(two).map((app) => cluster.start(app));
  await Promise.all(copies.map((copy) => cluster.ready(copy)));
  updateGateways();

  const owner = anyGateway();
  await eventually(async () => {
    const made = await owner.post('/api/v1/forms', { title: 'Kept' });
    expect(made.status).toBe(201);
    ({ id: form } = made.body as { id: string });
  });
  await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await owner.post(`/api/v1/forms/${form}/publish`);
  await owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: subscriber.url, event: 'submission.created', source: 'zapier' });
});
afterAll(async () => {
  await subscriber.close();
  await cluster.stopAll();
});

function updateGateways(without?: Copy): void {
  gateways = cluster.copies.filter((copy) => copy.app === 'gateway' && copy !== without).map((copy) => cluster.clientOf(copy));
}

/** Sends requests to each service in a loop, and records the failures. */
class Load {
  readonly failures = new Map<string, number>();
  /** Their ids, or the references on their receipts. */
  readonly accepted: string[] = [];
  requests = 0;
  private stopped = false;
  private readonly workers: Promise<void>[];

  constructor() {
    const reads = [
      `/api/v1/forms/${form}`,
      `/api/v1/forms/${form}/submissions?limit=1`,
      '/api/v1/workspaces',
      `/app/v1/forms/${form}/deliveries?limit=1`,
      `/app/v1/forms/${form}/webhooks`,
    ];
    this.workers = [
      ...reads.map((path) => () => this.request('GET', path, 200)),
      ...Array.from({ length: 3 }, () => () => this.submit()),
      ...Array.from({ length: 2 }, () => () => this.fillIn()),
    ].map((request) => this.repeat(request));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.workers);
  }

  private async repeat(request: () => Promise<unknown>): Promise<void> {
    while (!this.stopped) {
      await request();
      // So that all these processes have a rest on two processors: what is slow is another test's.
      await sleep(150);
    }
  }

  private async submit(): Promise<void> {
    const body = await this.request('POST', `/public/v1/forms/${form}/submissions`, 201, { data: { name: 'Ada' } });
    if (body) this.accepted.push((body as { id: string }).id);
  }

  /** A respondent opens the page, sends it and sees the receipt. */
  private async fillIn(): Promise<void> {
    const page = `${anyGateway().origin}/f/${form}`;
    const html = await this.open(page, 200);
    const token = /name="token" value="([^"]+)"/.exec(html?.text ?? '')?.[1];
    if (token === undefined) return;
    const answers = { token, version: '1', step: '0', shown: '0', 'a.name': 'Ada', do: 'send' };
    const sent = await this.open(page, 303, { method: 'POST', body: new URLSearchParams(answers) });
    if (!sent) return;
    const receipt = await this.open(new URL(sent.location, page).href, 200);
    const reference = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2}/.exec(receipt?.text ?? '')?.[0];
    if (reference === undefined) this.recordFailure(`${replacing} no reference on the receipt`);
    else this.accepted.push(reference);
  }

  private async open(url: string, expectedStatus: number, options: RequestInit = {}) {
    this.requests += 1;
    const what = `${replacing} ${options.method ?? 'GET'} page`;
    try {
      const response = await fetch(url, { ...options, redirect: 'manual', signal: AbortSignal.timeout(10_000) });
      const text = await response.text();
      if (response.status === expectedStatus) return { text, location: response.headers.get('location') ?? '' };
      this.recordFailure(`${what}: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.recordFailure(`${what}: ${String((error as Error).cause ?? error)}`);
    }
    return undefined;
  }

  private async request(method: string, path: string, expectedStatus: number, body?: unknown): Promise<unknown> {
    this.requests += 1;
    try {
      const reply = await anyGateway().send(method, path, body);
      if (reply.status === expectedStatus) return reply.body;
      this.recordFailure(`${replacing} ${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    } catch (error) {
      this.recordFailure(`${replacing} ${method} ${path}: ${String((error as Error).cause ?? error)}`);
    }
    return undefined;
  }

  private recordFailure(failure: string): void {
    this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
  }
}

it('no request is lost while every process is replaced', async () => {
  const load = new Load();
  const codes: Record<string, (number | null)[]> = {};
  for (const app of apps) {
    replacing = `${app}:`;
    for (const old of cluster.copies.filter((copy) => copy.app === app)) {
      // maxUnavailable: 0
      await cluster.ready(cluster.start(app));
      if (app === 'gateway') updateGateways(old);
      // Shorter than the five-second pause before SIGTERM, because this load balancer is updated at once.
      await sleep(200);
      codes[app] = [...(codes[app] ?? []), await cluster.stop(old)];
    }
  }
  await load.stop();

  expect([...load.failures]).toEqual([]);
  expect(codes).toEqual(Object.fromEntries(apps.map((app) => [app, [0, 0]])));
  const kept = (await anyGateway().get(`/api/v1/forms/${form}/submissions?limit=1`)).body as { total: number };
  expect(kept.total).toBe(load.accepted.length);
  // The subscriber receives every accepted submission.
  await eventually(() => {
    const received = namesOfReceived();
    expect(load.accepted.filter((name) => !received.has(name))).toEqual([]);
  });
});

it('a stopping process accepts no new work and exits in time', async () => {
  for (const app of ['submissions', 'gateway'] as const) {
    const copy = copyOf(app);
    const seen: (number | undefined)[] = [];
    const stopped = cluster.stop(copy);
    while (copy.process.exitCode === null) {
      seen.push(await probe(copy, 'readyz'));
      await sleep(5);
    }
    expect(await stopped).toBe(0);
    // The first probe may have come before the signal.
    expect(seen.slice(1)).not.toContain(200);
  }
});

it('a stopping process exits in time even if a caller keeps its connection open', async () => {
  const copy = copyOf('forms');
  const neighbour = connect(`http://127.0.0.1:${copy.slot.port}`).on('error', () => undefined);
  const call = neighbour.request(
    { ':method': 'POST', ':path': '/sheaf.rpc.v1.Calls/Open', 'content-type': 'application/grpc', te: 'trailers' },
    { endStream: false },
  );
  call.on('error', () => undefined);
  await once(neighbour, 'remoteSettings');

  expect(await cluster.stop(copy)).toBe(0);
  expect(copy.log.join('')).toContain('"msg":"stopped"');
  neighbour.destroy();
});

it('no request is lost while a running system changes over to TLS', async () => {
  const authority = await anAuthority();
  const folders = await Promise.all(
    apps.map(async (app) => {
      const folder = mkdtempSync(join(tmpdir(), `sheaf-${app}-tls-`));
      await issueInto(folder, [app], { issuer: authority });
      return [app, folder] as const;
    }),
  );
  const folderOf = Object.fromEntries(folders) as Record<App, string>;
  const load = new Load();
  for (const step of ['accept', 'call', 'require']) {
    for (const app of apps) {
      replacing = `${step}, ${app}:`;
      for (const old of cluster.copies.filter((copy) => copy.app === app)) {
        await cluster.ready(cluster.start(app, undefined, { GRPC_TLS_DIR: folderOf[app], GRPC_TLS: step }));
        if (app === 'gateway') updateGateways(old);
        await sleep(200);
        await cluster.stop(old);
      }
    }
  }
  await load.stop();
  for (const [, folder] of folders) rmSync(folder, { recursive: true });

  expect([...load.failures]).toEqual([]);
  expect(load.accepted.length).toBeGreaterThan(100);
  // The doors are closed to callers without TLS.
  const services = cluster.copies.filter(({ app }) => isService(app));
  expect(await Promise.all(services.map(probeRpc))).toEqual(services.map(() => undefined));
  await eventually(() => {
    const received = namesOfReceived();
    expect(load.accepted.filter((name) => !received.has(name))).toEqual([]);
  });
}, 1_200_000);

function copyOf(app: App): Copy {
  const copy = cluster.copies.find((one) => one.app === app);
  if (!copy) throw new Error(`There is no ${app}.`);
  return copy;
}
