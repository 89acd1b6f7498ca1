import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { services, type App } from '@sheaf/kernel';
import { anAuthority, eventually, issueInto, startSubscriber, type Authority, type Person, type Subscriber } from '@sheaf/testing';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Client as Postgres } from 'pg';
import { apps, Cluster, type Copy } from '../../support/cluster';
import type { SecuredServers } from '../../support/secured-servers';

// All of production's encryption at once: certificates of both sides between the processes, NATS with TLS and a user for each process, and PostgreSQL
// with TLS, a role for each service, and its name verified. Each part has tests of its own; here is what they are together.

let folder: string;
let authority: Authority;
let otherAuthority: Authority;
let cluster: Cluster;
let servers: SecuredServers;
let subscriber: Subscriber;
let owner: Person;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-all-tls-'));
  [authority, otherAuthority] = await Promise.all([anAuthority('Ours'), anAuthority('Another')]);
  subscriber = await startSubscriber();
  cluster = await Cluster.create(2, { HOOKS_ALLOW_PRIVATE_TARGETS: 'true' });
  servers = await cluster.startSecured(await anAuthority('Of the servers'));
  await cluster.migrate();
  await Promise.all(apps.map(async (app) => cluster.ready(cluster.start(app, undefined, await secured(app)))));
  owner = cluster.clientOf(copyOf('gateway'));
});
afterAll(async () => {
  await subscriber.close();
  await cluster.stopAll();
  rmSync(folder, { recursive: true });
});

/** The settings of an app's encryption. */
async function secured(app: App): Promise<NodeJS.ProcessEnv> {
  return { GRPC_TLS_DIR: await certificateOf(app), ...(app === 'pages' ? {} : { NATS_CA_FILE: servers.caFile }) };
}

let made = 0;
async function certificateOf(app: App, issuer = authority): Promise<string> {
  const own = join(folder, `${app}-${made++}`);
  mkdirSync(own);
  await issueInto(own, [app], { issuer, trusted: [authority] });
  return own;
}

function copyOf(app: App): Copy {
  const copy = cluster.copies.find((one) => one.app === app);
  if (!copy) throw new Error(`There is no ${app}.`);
  return copy;
}

it('a submission is accepted, listed and delivered', async () => {
  let form = '';
  await eventually(async () => {
    const { status, body } = await owner.post('/api/v1/forms', { title: 'Encrypted' });
    expect(status).toBe(201);
    ({ id: form } = body as { id: string });
  });
  await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  expect(await owner.post(`/api/v1/forms/${form}/publish`)).toMatchObject({ status: 200 });
  const hook = { form_id: form, target_url: subscriber.url, event: 'submission.created', source: 'zapier' };
  expect(await owner.post('/api/v1/hooks/subscribe', hook)).toMatchObject({ status: 201 });
  const sent = await owner.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });
  expect(sent.status).toBe(201);
  const { id } = sent.body as { id: string };
  expect((await owner.get(`/api/v1/forms/${form}/submissions`)).body).toMatchObject({ total: 1, data: [{ id }] });
  await eventually(() => expect(subscriber.received.map(({ body }) => body).join()).toContain(id));
  const page = await fetch(`${owner.origin}/f/${form}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Encrypted')]);
});

it('every connection to PostgreSQL is encrypted, with the role of the service that opened it', async () => {
  const rows = await asRole('submissions', async (db) => {
    const { rows } = await db.query<{ usename: string; ssl: boolean }>(
      `select distinct usename, ssl from pg_stat_activity left join pg_stat_ssl using (pid) where usename like 'sheaf%'`,
    );
    return rows;
  });
  // A role sees the encryption of its own connections only.
  expect(rows.map(({ usename }) => usename).sort()).toEqual(services.map((service) => `sheaf_${service}`).sort());
  expect(rows.find(({ usename }) => usename === 'sheaf_submissions')).toMatchObject({ ssl: true });
});

const callers: Record<string, readonly App[]> = {
  workspaces: ['gateway', 'forms', 'delivery'],
  forms: ['gateway', 'submissions', 'hooks', 'delivery', 'pages'],
  submissions: ['gateway', 'delivery', 'pages'],
  hooks: ['gateway', 'delivery'],
  delivery: ['gateway'],
};

describe.each(services)('the door of %s', (service) => {
  const ask = (channel: ReturnType<typeof credentials.createInsecure>): Promise<string> =>
    new Promise((resolve) => {
      const client = new Client(`127.0.0.1:${copyOf(service).slot.port}`, channel, { 'grpc.ssl_target_name_override': service });
      const unchanged = (buffer: Buffer) => buffer;
      const answered = (error: ServiceError | null) => {
        client.close();
        resolve(error ? error.details : 'answered');
      };
      const deadline = { deadline: Date.now() + 5_000 };
      client.makeUnaryRequest('/grpc.health.v1.Health/Check', unchanged, unchanged, Buffer.alloc(0), deadline, answered);
    });
  const file = (own: string, name: string) => readFileSync(join(own, name));
  const shown = (own: string) => credentials.createSsl(file(own, 'ca.crt'), file(own, 'tls.key'), file(own, 'tls.crt'));

  it('is open to the gateway', async () => {
    expect(await ask(shown(await certificateOf('gateway')))).toBe('answered');
  });

  it('is closed to calls without TLS, without a certificate, with one of another authority, and to an app that does not call it', async () => {
    const stranger = apps.find((app) => app !== service && !(callers[service] ?? []).includes(app)) ?? 'pages';
    const refusals = await Promise.all([
      ask(credentials.createInsecure()),
      ask(credentials.createSsl(Buffer.from(authority.cert))),
      ask(shown(await certificateOf('gateway', otherAuthority))),
      ask(shown(await certificateOf(stranger))),
    ]);
    expect(refusals.slice(0, 3)).not.toContain('answered');
    expect(refusals[3]).toBe(`The certificate is not of an app that calls ${service}.`);
  });
});

describe('the door of pages', () => {
  const ask = (own: string | undefined): Promise<number> =>
    new Promise((resolve, reject) => {
      const { port } = copyOf('pages').slot;
      const file = (name: string) => readFileSync(join(own ?? '', name));
      const shown = own === undefined ? {} : { key: file('tls.key'), cert: file('tls.crt') };
      const options = { host: '127.0.0.1', port, path: '/assets/none', ca: authority.cert, servername: 'pages', ...shown };
      get({ ...options, checkServerIdentity: () => undefined }, (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
    });

  it('is open to the gateway, and closed to HTTP without TLS, to TLS without a certificate, and to any other app', async () => {
    // A page needs a caller token as well; only the gateway gets as far as being asked for it.
    expect(await ask(await certificateOf('gateway'))).toBeGreaterThanOrEqual(400);
    await expect(fetch(`http://127.0.0.1:${copyOf('pages').slot.port}/assets/none`)).rejects.toThrow();
    await expect(ask(undefined)).rejects.toThrow();
    await expect(ask(await certificateOf('forms'))).rejects.toThrow();
  });
});

const asRole = async <T>(service: string, work: (db: Postgres) => Promise<T>, change = (url: URL) => url): Promise<T> => {
  const db = new Postgres(change(new URL(cluster.secretOf(`${service}-secrets`, 'DATABASE_URL'))).href);
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
};

describe('the door of PostgreSQL', () => {
  const nothing = () => Promise.resolve();

  it.each<[string, (url: URL) => URL, string]>([
    ['a client without TLS', (url) => Object.assign(url, { search: '' }), 'no encryption'],
    ['a wrong password', (url) => Object.assign(url, { password: 'wrong' }), 'password authentication failed'],
    ['a service at the database of another', (url) => Object.assign(url, { pathname: '/sheaf_workspaces' }), 'permission denied'],
  ])('is closed to %s', async (_who, change, refusal) => {
    await expect(asRole('forms', nothing, change)).rejects.toThrow(refusal);
  });

  it('is not entered by a service that cannot verify whose it is', async () => {
    mkdirSync(join(folder, 'wrong'));
    await issueInto(join(folder, 'wrong'), ['hooks'], { issuer: otherAuthority });
    const url = new URL(cluster.secretOf('hooks-secrets', 'DATABASE_URL'));
    url.searchParams.set('sslrootcert', join(folder, 'wrong/ca.crt'));
    const copy = cluster.start('hooks', undefined, { ...(await secured('hooks')), DATABASE_URL: url.href });
    await eventually(() => expect(copy.log.join('')).toMatch(/unable to verify|self-signed|certificate/));
    expect(copy.wasReady).toBe(false);
    await cluster.stop(copy);
  });
});

describe('the door of NATS', () => {
  async function as(user: string, change: { password?: string; caFile?: string; encrypted?: boolean } = {}): Promise<NatsConnection> {
    const url = new URL(cluster.secretOf(`${user}-secrets`, 'NATS_URL'));
    return connect({
      servers: url.host,
      user: url.username,
      pass: change.password ?? url.password,
      reconnect: false,
      timeout: 3_000,
      ...(change.encrypted === false ? { tls: null } : { tls: { caFile: change.caFile ?? servers.caFile } }),
    });
  }

  it('is open to the user of a process', async () => {
    const connection = await as('forms');
    expect(connection.info?.tls_required).toBe(true);
    await connection.close();
  });

  it('is closed to a wrong password, and to a client without TLS', async () => {
    await expect(as('forms', { password: 'wrong' })).rejects.toThrow(/authoriz/i);
    await expect(as('forms', { encrypted: false })).rejects.toThrow();
  });

  it('is not entered by a process that cannot verify whose it is', async () => {
    mkdirSync(join(folder, 'other-nats'));
    await issueInto(join(folder, 'other-nats'), ['forms'], { issuer: otherAuthority });
    await expect(as('forms', { caFile: join(folder, 'other-nats/ca.crt') })).rejects.toThrow();
  });

  it('lets a user send and read the events of its own process alone', async () => {
    const connection = await as('gateway');
    const refused: string[] = [];
    const listening = (async () => {
      for await (const { type, error } of connection.status() as AsyncIterable<{ type: string; error?: Error }>)
        if (type === 'error') refused.push(String(error));
    })();
    connection.publish('sheaf.events.submissions.submission.created', '{}');
    connection.subscribe('sheaf.events.submissions.>');
    await connection.flush();
    await eventually(() => expect(refused.join()).toMatch(/publish[^]*subscription|subscription[^]*publish/i));
    await connection.close();
    await listening;
  });
});

it('no process answers calls without TLS, and each tells when its certificate ends', async () => {
  for (const { app, slot } of cluster.copies) {
    const metrics = await (await fetch(`http://127.0.0.1:${slot.health}/metrics`)).text();
    expect(metrics).toContain('sheaf_certificate_expires_timestamp_seconds{certificate="own"}');
    expect([app, metrics.includes('sheaf_grpc_plaintext_connections')]).toEqual([app, false]);
  }
});
