import { existsSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNatsServer, freePorts, isFree, type ServerProcess, startNats, startPostgres } from '@sheaf/embedded';
import { type App, apps, isService, type ServiceName, services } from '@sheaf/kernel';
import { appEnv, baseUrl, commandEnv, hasBucket, healthUrl, hostEnv, originOf, type Wiring } from './apps';
import { type DataPaths, dataPaths, readJson, Refusal, Restored, takeLock, writeJson } from '@sheaf/data-dir';
import { type FirstUser, seedFirstUser } from './first-user';
import { Journal } from './journal';
import { type Options } from './options';
import { prefixOf, provision, type Provisioned } from './provision';
import { untilReady } from './readiness';
import { SampleForm } from './sample-form';
import { loadSecrets, type Secrets } from './secrets';
import { runCommand, startService } from './service-process';
import { Supervised } from './supervised';
import { type Terminal } from './terminal';
import { wire } from './wiring';

/** Only something that hangs takes this long, on the busiest machine. */
const READY_TIMEOUT_MS = 120_000;
const COMMAND_TIMEOUT_MS = 300_000;

export type SystemOptions = Options & {
  /** The folder with the bundles: `<bundles>/<app>/main.cjs`. */
  bundles: string;
  terminal: Terminal;
  /** Builds the bundles while the servers start; if absent, they exist already. */
  makeBundles?: () => Promise<void>;
  /** Node's own options for an app, such as `--inspect`. */
  nodeArgs?: (app: App) => readonly string[];
};

/** The facts that users need once the system runs. */
export type Ready = {
  baseUrl: string;
  firstUser: FirstUser;
  sampleForm: string | undefined;
  /** The backup from which the system was restored, at its first start after that. */
  restored: Restored | undefined;
  paths: DataPaths;
};

/** Administrator access to a PostgreSQL server, and the prefix of our databases there. */
type Database = { adminUrl: string; prefix: string };

/** All processes of one Sheaf system, from the first start on an empty DATA_DIR until everything has stopped. */
export class System {
  readonly #stopping = new AbortController();
  readonly #paths: DataPaths;
  /** Listed in the order in which they stop: each group depends on the later ones. */
  readonly #groups: { services: Supervised[]; nats: Supervised[]; postgres: Supervised[] } = { services: [], nats: [], postgres: [] };
  #journal: Journal | undefined;
  #release: (() => Promise<void>) | undefined;
  /** Set while the system runs. */
  #running: { databases: Record<ServiceName, Provisioned>; health: Record<App, string> } | undefined;

  constructor(private readonly options: SystemOptions) {
    this.#paths = dataPaths(options.dataDir);
  }

  /** From Node 22 on, a process takes what V8 compiled of its bundle from here. That saves a seventh of the time of a start; Node 20 ignores it. */
  get #compileCache(): { NODE_COMPILE_CACHE: string } {
    return { NODE_COMPILE_CACHE: join(this.options.bundles, '../compile-cache') };
  }

  /** Resolves when everything answers. If it rejects, call `stop`: some processes may be running. */
  async start(): Promise<Ready> {
    const { dataDir, terminal } = this.options;
    await this.#openDataDir();
    const port = await this.#choosePort();
    const secrets = await loadSecrets(
      this.#paths.secrets,
      services.flatMap((service) => [service, `${service}_owner`]),
    );
    await writeFile(this.#paths.pid('system'), `${process.pid}\n`);

    const [database, natsUrl] = await Promise.all([this.#database(secrets), this.#nats(secrets), this.options.makeBundles?.()]);
    const databases = await terminal.step('databases and their roles', () => this.#provision(database, secrets));
    await terminal.step('migrations', () => this.#migrate(databases));
    const restored = await readJson(this.#paths.restored, Restored);
    if (restored) await terminal.step('recording the restore', () => this.#recordRestore(restored, databases));

    const wiring = await wire({ port, natsUrl, databases, secrets, paths: this.#paths, options: this.options });
    const [firstUser, health] = await Promise.all([
      terminal.step('first user and API key', () => this.#seed(wiring)),
      terminal.step(`services${this.options.oneProcess ? ' in one process' : ''}: ${apps.join(', ')}`, () => this.#startApps(wiring)),
    ]);
    this.#running = { databases, health };

    await writeJson(this.#paths.system, {
      base_url: baseUrl(port),
      pid: process.pid,
      demo_subscriber: wiring.demoSubscriber,
      health,
      // For the operator's tool. The URLs contain passwords, like secrets.json beside it.
      nats_url: natsUrl,
      databases: Object.fromEntries(
        services.map((service) => [service, { url: databases[service].runUrl, owner_url: databases[service].ownerUrl }]),
      ),
      ...(this.options.databaseUrl === undefined ? { postgres_url: database.adminUrl } : {}),
      ...(hasBucket(this.options.env) ? {} : { files_dir: this.#paths.files }),
    });
    this.#journal?.log('info', `ready on ${baseUrl(port)} with the data in ${dataDir}`);
    const sampleForm = await this.#sampleForm(port, firstUser.apiKey);
    return { baseUrl: baseUrl(port), firstUser, sampleForm, restored, paths: this.#paths };
  }

  /** @returns the address of the sample form's page, if there is one */
  async #sampleForm(port: number, apiKey: string): Promise<string | undefined> {
    const access = { origin: originOf(port), apiKey, signal: this.#stopping.signal };
    const sample = new SampleForm(this.#paths.sampleForm);
    try {
      await sample.create(access);
      return await sample.address(access);
    } catch (error) {
      access.signal.throwIfAborted();
      this.#journal?.log('warn', `there is no sample form: ${String(error)}`);
      return undefined;
    }
  }

  /**
   * Stops an app gracefully and starts its current bundle. PostgreSQL, NATS and the other apps keep running.
   * @returns a function that waits until the app answers: false if it does not in time
   */
  async restart(app: App, { migrate = false } = {}): Promise<{ ready: (signal: AbortSignal) => Promise<boolean> }> {
    const supervised = this.#groups.services.find(({ name }) => name === app);
    if (!supervised || !this.#running) throw new Error(`${app} is not running.`);
    const { databases, health } = this.#running;
    if (migrate && isService(app)) await this.#command(app, ['migrate'], commandEnv(this.options, databases[app].ownerUrl));
    await supervised.restart();
    return {
      ready: async (signal) =>
        (await untilReady({ [app]: health[app] }, READY_TIMEOUT_MS, AbortSignal.any([signal, this.#stopping.signal]))).length === 0,
    };
  }

  /** Ends everything in order and releases DATA_DIR. Can be called at any time, even during a start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const group of [this.#groups.services, this.#groups.nats, this.#groups.postgres]) {
      await Promise.all(group.map((supervised) => supervised.stop()));
    }
    await this.#leaveDataDir();
  }

  /** Kills everything at once, in no order. Accepted data is on disk. */
  kill(): void {
    this.#stopping.abort();
    for (const supervised of Object.values(this.#groups).flat()) supervised.kill();
    rmSync(this.#paths.run, { recursive: true, force: true });
  }

  /** Logs the cause of a failure for later diagnosis. */
  logFailure(error: unknown): void {
    this.#journal?.log('error', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  async #openDataDir(): Promise<void> {
    const { dataDir, terminal } = this.options;
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    this.#release = await takeLock(this.#paths.lock);
    this.#refuseHalfRestored();
    // Files left by a killed launcher describe processes that have ended or are about to.
    await rm(this.#paths.run, { recursive: true, force: true });
    await mkdir(this.#paths.run, { mode: 0o700 });
    await mkdir(this.#paths.log, { recursive: true, mode: 0o700 });
    this.#journal = new Journal(this.#paths.log, (entry) => terminal.entry(entry));
  }

  #refuseHalfRestored(): void {
    const { restoring } = this.#paths;
    if (existsSync(restoring))
      throw new Refusal(
        `A restore into this DATA_DIR did not finish. Remove the folder, and restore the backup again (${restoring} exists).`,
      );
  }

  async #leaveDataDir(): Promise<void> {
    if (!this.#release) return;
    this.#journal?.log('info', 'stopped');
    this.#journal?.close();
    await rm(this.#paths.run, { recursive: true, force: true });
    await this.#release();
  }

  async #choosePort(): Promise<number> {
    const { port, bindHost } = this.options;
    if (port === 0) return (await freePorts(1))[0] ?? 0;
    // Clients may resolve "localhost" to either address.
    // One after the other: two probes of one address would find each other.
    const taken = [];
    for (const host of new Set(['127.0.0.1', '::1', bindHost])) if (!(await isFree(port, host))) taken.push(host);
    if (taken.length === 0) return port;
    throw new Refusal(`Port ${port} is taken. Choose another: PORT=${port + 1} npm start`);
  }

  async #database(secrets: Secrets): Promise<Database> {
    const { databaseUrl, terminal } = this.options;
    if (databaseUrl !== undefined) return { adminUrl: databaseUrl, prefix: prefixOf(databaseUrl) };

    const [port = 0] = await freePorts(1);
    const password = secrets.postgres_password;
    const start = (signal: AbortSignal) =>
      startPostgres({
        dataDir: this.#paths.postgres,
        port,
        password,
        durable: true,
        onLine: (line) => this.#journal?.line('postgres', line, 'info'),
        onInit: () => terminal.say('  … creating a PostgreSQL cluster'),
        signal,
      });
    await terminal.step('PostgreSQL', () => this.#supervise(this.#groups.postgres, 'postgres', start));
    return { adminUrl: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, prefix: 'sheaf' };
  }

  async #nats(secrets: Secrets): Promise<string> {
    const { natsUrl, terminal } = this.options;
    if (natsUrl !== undefined) return natsUrl;

    const { signal } = this.#stopping;
    const binary = await findNatsServer({
      onProgress: (what) => terminal.say(`  … ${what}`),
      signal,
    });
    const [port = 0] = await freePorts(1);
    const { user, password } = secrets.nats;
    const onLine = (line: string) => this.#journal?.line('nats', line, 'info');
    const start = (ending: AbortSignal) => startNats({ storeDir: this.#paths.nats, port, user, password, onLine, binary, signal: ending });
    await terminal.step('NATS with JetStream', () => this.#supervise(this.#groups.nats, 'nats', start));
    return `nats://${user}:${password}@127.0.0.1:${port}`;
  }

  #provision(database: Database, secrets: Secrets): Promise<Record<ServiceName, Provisioned>> {
    this.#stopping.signal.throwIfAborted();
    return provision({ ...database, services, rolePasswords: secrets.role_passwords });
  }

  async #migrate(databases: Record<ServiceName, Provisioned>): Promise<void> {
    await Promise.all(
      services.map((service) => this.#command(service, ['migrate'], commandEnv(this.options, databases[service].ownerUrl))),
    );
  }

  /**
   * Before any service runs: `delivery` must not send what the lost system may have sent. If this start ends early, the next one repeats it,
   * and the audit log may have the entry twice.
   */
  async #recordRestore(restored: Restored, databases: Record<ServiceName, Provisioned>): Promise<void> {
    // Clocks of two machines may differ.
    const at = [restored.restored_at, restored.backup_completed_at].toSorted().at(-1) ?? restored.restored_at;
    const run = (service: ServiceName, option: string) =>
      this.#command(service, ['record-restore', option], commandEnv(this.options, databases[service].runUrl));
    await Promise.all([run('delivery', `--at=${at}`), run('workspaces', `--backup-at=${restored.backup_started_at}`)]);
    await rm(this.#paths.restored);
    this.#journal?.log('warn', `restored from the backup of ${restored.backup_started_at}: go through “After a restore” in docs/backup.md`);
  }

  #seed(wiring: Wiring): Promise<FirstUser> {
    const env = appEnv('workspaces', wiring);
    return seedFirstUser({
      paths: this.#paths,
      url: baseUrl(wiring.port),
      wantsLink: this.options.signInLink ?? this.options.terminal.isInteractive,
      run: (args) => this.#command('workspaces', args, env),
      onFirstStart: async () => {
        if (this.options.sampleForm) await new SampleForm(this.#paths.sampleForm).plan();
      },
    });
  }

  async #startApps(wiring: Wiring): Promise<Record<App, string>> {
    if (this.options.oneProcess) await this.#startProcess('all', hostEnv(wiring), apps);
    else await Promise.all(apps.map((app) => this.#startProcess(app, appEnv(app, wiring))));

    const health = Object.fromEntries(apps.map((app) => [app, healthUrl(wiring.healthPorts[app])])) as Record<App, string>;
    const missing = await untilReady(health, READY_TIMEOUT_MS, this.#stopping.signal);
    if (missing.length > 0) {
      const lines = missing.map((name) => [`The last lines of ${name}:`, ...this.#lastLines(name)].join('\n'));
      throw new Refusal(`Not ready after ${READY_TIMEOUT_MS / 1000} s: ${missing.join(', ')}.\n${lines.join('\n')}`);
    }
    return health;
  }

  /** @param hosted the apps that it hosts, if it is not an app itself */
  #startProcess(name: App | 'all', env: NodeJS.ProcessEnv, hosted: readonly App[] = []): Promise<void> {
    return this.#supervise(this.#groups.services, name, () =>
      startService({
        file: join(this.options.bundles, name, 'main.cjs'),
        nodeArgs: name === 'all' ? [] : (this.options.nodeArgs?.(name) ?? []),
        env: { ...this.#compileCache, ...env },
        cwd: this.options.dataDir,
        onLine: (line, level) => this.#journal?.line(name, line, level, hosted),
      }),
    );
  }

  async #supervise(group: Supervised[], name: string, start: (signal: AbortSignal) => Promise<ServerProcess>): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    const supervised = new Supervised({
      name,
      start,
      pidFile: this.#paths.pid(name),
      report: (level, message) => this.#journal?.log(level, message),
    });
    // Registered before it runs, so that a stop at this moment includes it.
    group.push(supervised);
    await supervised.start();
  }

  async #command(app: ServiceName, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    try {
      await runCommand({
        file: join(this.options.bundles, app, 'main.cjs'),
        args,
        env: { ...this.#compileCache, ...env },
        cwd: this.options.dataDir,
        onLine: (line, level) => this.#journal?.line(app, line, level),
        timeoutMs: COMMAND_TIMEOUT_MS,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      throw new Refusal([`${app} ${args[0] ?? ''} failed: ${why}. Its last lines:`, ...this.#lastLines(app)].join('\n'), { cause: error });
    }
  }

  #lastLines(name: string): string[] {
    const lines = this.#journal?.lastLines(name) ?? [];
    return (lines.length > 0 ? lines : ['(none)']).map((line) => `    ${line}`);
  }
}
