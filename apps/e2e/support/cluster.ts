import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials } from '@grpc/grpc-js';
import { freePorts, startNats, startPostgres, type ServerProcess } from '@sheaf/embedded';
import { type App, apps as everyApp, isService, type ServiceName, services, servingPort } from '@sheaf/kernel';
import { Person, type Authority, type Credentials } from '@sheaf/testing';
import { Client as Postgres } from 'pg';
import { parse } from 'yaml';
import { startBalancer } from './balancer';
import { SecuredServers, type Passwords } from './secured-servers';

/** In the order in which they are replaced: services before `pages`, and `pages` before the gateway. */
export const apps: readonly App[] = [...services, ...everyApp.filter((app) => !isService(app)).toReversed()];
/** The apps that a version of Sheaf has. */
export const appsOf = (release: string): readonly App[] => apps.filter((app) => existsSync(join(base(release, app), 'deployment.yaml')));

const root = join(__dirname, '../../..');
/** @param release the folder of a version of Sheaf with its bundles in `dist` */
const bundle = (release: string, app: App) => join(release, 'dist/apps', app, 'main.cjs');
const startTimeoutMs = 300_000;

interface EnvEntry {
  name: string;
  valueFrom: { secretKeyRef: { name: string; key: string } };
}
interface Deployment {
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: number;
        containers: [{ env: EnvEntry[]; lifecycle: { preStop: { sleep: { seconds: number } } } }];
      };
    };
  };
}

/** The ports of one copy: for gRPC or HTTP, and for probes. */
interface Slot {
  port: number;
  health: number;
}

/** One copy of an app, like a pod. */
export interface Copy {
  readonly app: App;
  readonly release: string;
  readonly slot: Slot;
  readonly process: ChildProcess;
  readonly log: string[];
  /** Whether it has been ready. */
  wasReady: boolean;
}

/** One user for all processes, because older versions, which run beside the current one, have no user per app. */
const natsUser = { user: 'sheaf', password: 'sheaf' };

/**
 * The processes as `deploy/services` configures them, on their own PostgreSQL and NATS, with the settings, secrets and timeouts of the
 * manifests, except for the differences that one machine requires: ports, the addresses that a headless Service would resolve to (all
 * slots of a service, whether or not a copy runs there), a balancer for the Service of `pages`, and the folder for files.
 */
export class Cluster {
  readonly copies: Copy[] = [];
  postgres: Pick<ServerProcess, 'stop'> | undefined;
  nats: Pick<ServerProcess, 'stop'> | undefined;
  readonly credentials: Credentials = { base_url: '', api_key: '', workspace_id: '', user: { id: '', email: '', password: '' } };
  private readonly secrets = new Map<string, Record<string, string>>();
  private readonly ports = { postgres: 0, nats: 0, pages: 0 };
  private secured: SecuredServers | undefined;
  private balancer: Server | undefined;

  private constructor(
    private readonly folder: string,
    private readonly slots: Record<App, Slot[]>,
    private readonly settings: NodeJS.ProcessEnv,
  ) {}

  /** @param slots the maximum number of copies of each app at a time */
  static async create(slots: number, settings: NodeJS.ProcessEnv = {}): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'sheaf-cluster-'));
    const ports = await freePorts(3 + apps.length * slots * 2);
    const nextPort = () => ports.pop() ?? 0;
    const newSlots = () => Array.from({ length: slots }, () => ({ port: nextPort(), health: nextPort() }));
    const cluster = new Cluster(folder, Object.fromEntries(apps.map((app) => [app, newSlots()])) as Record<App, Slot[]>, settings);
    cluster.ports.postgres = nextPort();
    cluster.ports.nats = nextPort();
    cluster.ports.pages = nextPort();
    cluster.balancer = await startBalancer(cluster.ports.pages, () =>
      cluster.copies.filter(({ app, wasReady }) => app === 'pages' && wasReady).map(({ slot }) => slot.port),
    );
    const generated = JSON.parse(
      execFileSync(process.execPath, [join(root, 'deploy/generate-secrets.mjs'), 'kubernetes', '--print'], { encoding: 'utf8' }),
    ) as {
      items: { metadata: { name: string }; stringData: Record<string, string> }[];
    };
    for (const { metadata, stringData } of generated.items) cluster.secrets.set(metadata.name, stringData);
    return cluster;
  }

  async startPostgres(): Promise<void> {
    this.postgres = await startPostgres({
      dataDir: join(this.folder, 'postgres'),
      port: this.ports.postgres,
      durable: false,
      onLine: () => undefined,
    });
  }

  async startNats(): Promise<void> {
    this.nats = await startNats({ storeDir: join(this.folder, 'nats'), port: this.ports.nats, ...natsUser, onLine: () => undefined });
  }

  /** Starts both servers as production has them: with TLS, a role for each service, and a NATS user for each process. */
  async startSecured(issuer: Authority): Promise<SecuredServers> {
    const [roles, users] = ['postgres-role-secrets', 'nats-secrets'].map((name) => this.secrets.get(name) ?? {}) as [Passwords, Passwords];
    this.secured = await SecuredServers.start({ folder: this.folder, ports: this.ports, roles, users, issuer });
    ({ postgres: this.postgres, nats: this.nats } = this.secured);
    return this.secured;
  }

  /** Creates the databases with their tables, and the first instance. */
  async migrate(release = root): Promise<void> {
    if (!this.secured) {
      const admin = new Postgres({ connectionString: `postgres://postgres@127.0.0.1:${this.ports.postgres}/postgres` });
      await admin.connect();
      for (const service of services) await admin.query(`create database sheaf_${service}`);
      await admin.end();
    }
    await this.upgrade(release);
    const file = join(this.folder, 'owner.json');
    await this.command(release, 'workspaces', 'seed', '--credentials', file, '--base-url', 'http://127.0.0.1/api/v1');
    Object.assign(this.credentials, JSON.parse(await readFile(file, 'utf8')));
  }

  /** Works in the database of a service as a superuser. */
  async inDatabase(service: ServiceName, work: (db: Postgres) => Promise<void>): Promise<void> {
    const db = new Postgres({ connectionString: `postgres://postgres@127.0.0.1:${this.ports.postgres}/sheaf_${service}` });
    await db.connect();
    try {
      await work(db);
    } finally {
      await db.end();
    }
  }

  /** Migrates the tables to the schema of a version. */
  async upgrade(release = root): Promise<void> {
    await Promise.all(services.map((service) => this.command(release, service, 'migrate')));
  }

  /**
   * Starts another copy in a free slot. It may not be ready yet.
   * @param settings of this copy alone
   */
  start(app: App, release = root, settings: NodeJS.ProcessEnv = {}): Copy {
    const taken = new Set(this.copies.filter((copy) => copy.app === app).map(({ slot }) => slot));
    const slot = this.slots[app].find((free) => !taken.has(free));
    if (!slot) throw new Error(`All slots for ${app} are taken.`);
    const child = spawn(process.execPath, [bundle(release, app)], {
      env: { ...this.envOf(release, app, slot), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const copy: Copy = { app, release, slot, process: child, log: [], wasReady: false };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => copy.log.push(chunk.toString()));
    this.copies.push(copy);
    return copy;
  }

  /** Waits until a copy reports that it is ready. @returns the copy */
  async ready(copy: Copy): Promise<Copy> {
    const deadline = Date.now() + startTimeoutMs;
    while ((await probe(copy, 'readyz')) !== 200) {
      if (copy.process.exitCode !== null || Date.now() > deadline)
        throw new Error(`${copy.app} did not become ready:\n${copy.log.join('')}`);
      await sleep(50);
    }
    copy.wasReady = true;
    return copy;
  }

  /** Stops a copy as a kubelet does after the pause of `preStop`. @returns the exit code, null if it had to be killed */
  async stop(copy: Copy): Promise<number | null> {
    this.copies.splice(this.copies.indexOf(copy), 1);
    if (copy.process.exitCode !== null) return copy.process.exitCode;
    const exited = once(copy.process, 'exit') as Promise<[number | null]>;
    const { terminationGracePeriodSeconds, containers } = deploymentOf(copy.release, copy.app).spec.template.spec;
    const killTimer = setTimeout(
      () => copy.process.kill('SIGKILL'),
      (terminationGracePeriodSeconds - containers[0].lifecycle.preStop.sleep.seconds) * 1_000,
    );
    copy.process.kill('SIGTERM');
    const [code] = await exited;
    clearTimeout(killTimer);
    return code;
  }

  /** A client of one copy of the gateway. */
  clientOf = ({ slot }: Copy): Person => new Person(`http://127.0.0.1:${slot.port}`, this.credentials.api_key);

  async stopAll(): Promise<void> {
    await Promise.all([...this.copies].map((copy) => this.stop(copy)));
    this.balancer?.close();
    await this.nats?.stop();
    await this.postgres?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A value of a generated secret, as a process of this cluster gets it. */
  secretOf(name: string, key: string): string {
    const value = this.secrets.get(name)?.[key];
    if (value === undefined) throw new Error(`There is no ${key} in ${name}.`);
    if (this.secured && (key === 'NATS_URL' || key === 'DATABASE_URL')) return this.secured.addressOf(value);
    if (key === 'NATS_URL') return `nats://${natsUser.user}:${natsUser.password}@127.0.0.1:${this.ports.nats}`;
    if (key === 'DATABASE_URL') return `postgres://postgres@127.0.0.1:${this.ports.postgres}${new URL(value).pathname}`;
    return value;
  }

  private envOf(release: string, app: App, slot: Slot): NodeJS.ProcessEnv {
    const settings = readFileSync(join(base(release, app), 'settings.env'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]);
    const { env } = deploymentOf(release, app).spec.template.spec.containers[0];
    return {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      ...Object.fromEntries(settings.map(([name, value]) => [name, this.resolved(value)])),
      ...Object.fromEntries(env.map(({ name, valueFrom: { secretKeyRef } }) => [name, this.secretOf(secretKeyRef.name, secretKeyRef.key)])),
      BIND_HOST: '127.0.0.1',
      [isService(app) ? 'GRPC_PORT' : 'PORT']: String(slot.port),
      HEALTH_PORT: String(slot.health),
      ...(app === 'submissions' ? { FILES_DIR: join(this.folder, 'files') } : {}),
      ...this.settings,
    };
  }

  /** Resolves names as DNS would in a cluster. */
  private resolved(value: string): string {
    if (value === `pages:${servingPort('pages')}`) return `127.0.0.1:${this.ports.pages}`;
    const service = services.find((name) => value === `dns:///${name}:${servingPort(name)}`);
    return service ? `ipv4:${this.slots[service].map(({ port }) => `127.0.0.1:${port}`).join()}` : value;
  }

  private async command(release: string, app: ServiceName, ...args: string[]): Promise<void> {
    const child = spawn(process.execPath, [bundle(release, app), ...args], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: this.secretOf(`${app}${args[0] === 'migrate' ? '-migrate' : ''}-secrets`, 'DATABASE_URL'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${app} ${args[0] ?? ''} exited with ${code}`);
  }
}

/** Returns the status of an HTTP probe, or undefined without a response. */
export async function probe({ slot }: Copy, path: 'livez' | 'readyz'): Promise<number | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${slot.health}/${path}`, {
      signal: AbortSignal.timeout(3_000),
      headers: { connection: 'close' },
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

/** Returns the status of a gRPC probe (`grpc.health.v1`), or undefined without a response. */
export async function probeRpc({ slot }: Copy): Promise<'SERVING' | 'NOT_SERVING' | undefined> {
  const client = new Client(`127.0.0.1:${slot.port}`, credentials.createInsecure());
  const unchanged = (buffer: Buffer) => buffer;
  try {
    const response = await new Promise<Buffer | undefined>((resolve, reject) => {
      client.makeUnaryRequest(
        '/grpc.health.v1.Health/Check',
        unchanged,
        unchanged,
        Buffer.alloc(0),
        { deadline: Date.now() + 3_000 },
        (error, response) => (error ? reject(error) : resolve(response)),
      );
    });
    // HealthCheckResponse has one field, the status.
    return response?.equals(Buffer.from([0x08, 0x01])) === true ? 'SERVING' : 'NOT_SERVING';
  } catch {
    return undefined;
  } finally {
    client.close();
  }
}

const base = (release: string, app: App) => join(release, 'deploy/services', app, 'base');
const deploymentOf = (release: string, app: App) => parse(readFileSync(join(base(release, app), 'deployment.yaml'), 'utf8')) as Deployment;
