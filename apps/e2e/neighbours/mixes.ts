import { setTimeout as sleep } from 'node:timers/promises';
import { copySubmissions, eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import type { App } from '@sheaf/kernel';
import { apps, appsOf, Cluster } from '../support/cluster';
import { MainPath, type Prepared } from './path';
import type { Release } from './release';

/** The pause before SIGTERM: longer than a caller waits before it retries an address that refused connections. */
const pauseMs = 1_500;
/** How many people walk the main path during a migration. */
const walkers = 3;
/** For what a migration leaves to the background. */
const afterMigrationMs = 10_000;
const maxLogLines = 20;
const maxLineLength = 600;
/** The maximum number of statements on the main path whose tables one migration may alter. */
const maxRefusals = 20;

export interface MixOptions {
  /** With how many submissions in its tables the older version is migrated under load; 0 for none. */
  submissions: number;
  onlyMigration: boolean;
}

/** A mix of versions that behaves differently from each version alone. */
export interface Fault {
  mix: string;
  problem: string;
  /** The last warnings and errors of its processes. */
  log: string[];
}

/**
 * Runs the main path on each mix of two versions that occurs while services are upgraded or rolled back one at a time: all of `old`; the
 * same with the tables of `current`; one process of `current` in turn; all of `current`; one process of `old` in turn.
 */
export class Mixes {
  readonly faults: Fault[] = [];
  /** A form created when the system starts and used by every mix. */
  private firstForm: Prepared | undefined;
  private readonly prepared: { mix: string; prepared: Prepared }[] = [];

  private constructor(
    private readonly old: Release,
    private readonly current: Release,
    private readonly cluster: Cluster,
    private readonly subscriber: Subscriber,
    private readonly log: (line: string) => void,
    private readonly options: MixOptions,
  ) {}

  static async create(
    old: Release,
    current: Release,
    { settings, ...options }: MixOptions & { settings: NodeJS.ProcessEnv },
    log: (line: string) => void,
  ): Promise<Mixes> {
    // Two slots for each app, because the new copy is ready before the old one stops.
    const cluster = await Cluster.create(2, { HOOKS_ALLOW_PRIVATE_TARGETS: 'true', REQUESTS_PER_CREDENTIAL_PER_MINUTE: '0', ...settings });
    return new Mixes(old, current, cluster, await startSubscriber(), log, options);
  }

  async stop(): Promise<void> {
    await this.cluster.stopAll();
    await this.subscriber.close();
  }

  async run(): Promise<void> {
    const { old, current, cluster } = this;
    await Promise.all([cluster.startPostgres(), cluster.startNats()]);
    await cluster.migrate(old.folder);
    await Promise.all(appsOf(old.folder).map((app) => cluster.ready(cluster.start(app, old.folder))));
    // A process may be ready before it has connected to the others.
    this.firstForm = await eventually(() => this.mainPath().prepare());
    await this.check(`all of ${old.name}`);

    if (this.options.submissions > 0) await this.upgradeUnderLoad();
    else {
      await cluster.upgrade(current.folder);
      await this.renewStatements();
    }
    await this.check(`all of ${old.name}, with the tables of ${current.name}`);
    if (!this.options.onlyMigration) await this.exchange();

    for (const { mix, prepared } of this.prepared)
      for (const problem of this.mainPath().wrongDeliveries(prepared)) this.faults.push({ mix, problem, log: [] });
    for (const problem of this.mainPath().wrongDeliveries(this.firstForm))
      this.faults.push({ mix: 'the form from the start', problem, log: [] });
  }

  private async exchange(): Promise<void> {
    const { old, current } = this;
    await this.replaceOneByOne(old, current);
    for (const app of apps) await this.replace(app, current);
    await this.check(`all of ${current.name}`);
    await this.replaceOneByOne(current, old);
    for (const app of apps) await this.replace(app, old);
    await this.check(`all of ${old.name} again`);
  }

  /**
   * The migration of many submissions must go unnoticed: the main path is walked by several people at once, without a pause, from before
   * until after it.
   */
  private async upgradeUnderLoad(): Promise<void> {
    const { cluster, current } = this;
    const { submissions } = this.options;
    const mix = `while ${submissions.toLocaleString('en')} submissions were migrated`;
    const path = this.mainPath();
    const forms: Prepared[] = [];
    for (let n = 0; n < walkers; n += 1) forms.push(await path.prepare());
    // A form of its own: the main path exports all submissions of its form.
    const filled = await path.prepare();
    await path.run(filled);
    await cluster.inDatabase('submissions', (db) => copySubmissions(db, filled.form, submissions));
    this.log(`filled  with ${submissions.toLocaleString('en')} submissions`);

    const done = new AbortController();
    let walks = 0;
    const walking = forms.map(async (prepared) => {
      this.prepared.push({ mix, prepared });
      while (!done.signal.aborted) {
        await path.run(prepared).catch((error: unknown) => this.recordFault(mix, error, ''));
        walks += 1;
      }
    });
    const from = performance.now();
    await cluster.upgrade(current.folder);
    const seconds = (performance.now() - from) / 1_000;
    await sleep(afterMigrationMs);
    done.abort();
    await Promise.all(walking);
    this.log(`walked  ${walks} times ${mix} in ${seconds.toFixed(1)} s`);
  }

  private async replaceOneByOne(others: Release, alone: Release): Promise<void> {
    for (const app of apps) {
      const mix = `${app} of ${alone.name} beside ${others.name}`;
      if (await this.tryReplace(app, alone, mix)) await this.check(mix);
      await this.tryReplace(app, others, `back from ${mix}`);
    }
  }

  /**
   * After a migration has altered a table, each statement that a process prepared before fails once, and the response is 503: see
   * deploy/README.md.
   */
  private async renewStatements(): Promise<void> {
    for (let count = 0; count < maxRefusals; count += 1) {
      try {
        return await this.mainPath().run(await this.mainPath().prepare());
      } catch (error) {
        const { message } = error as Error;
        if (!message.includes('answered 503')) return;
        this.log(`answered 503 once after the migration: ${message}`);
      }
    }
  }

  private async tryReplace(app: App, release: Release, mix: string): Promise<boolean> {
    try {
      await this.replace(app, release);
      return true;
    } catch (error) {
      this.recordFault(mix, error, '');
      return false;
    }
  }

  /** Replaces copies as a deployment does: the new one is ready before the old one stops. A version may lack an app. */
  private async replace(app: App, release: Release): Promise<void> {
    const previous = this.cluster.copies.filter((copy) => copy.app === app);
    if (appsOf(release.folder).includes(app)) await this.startAnother(app, release);
    await sleep(pauseMs);
    for (const copy of previous) await this.cluster.stop(copy);
  }

  private async startAnother(app: App, release: Release): Promise<void> {
    const next = this.cluster.start(app, release.folder);
    try {
      await this.cluster.ready(next);
    } catch (error) {
      await this.cluster.stop(next);
      throw error;
    }
  }

  /** Checks that a form of this mix and the form from the start work. */
  private async check(mix: string): Promise<void> {
    const starts = this.cluster.copies.map((copy) => ({ copy, from: copy.log.length }));
    try {
      if (this.firstForm) await this.mainPath().run(this.firstForm);
      const prepared = await this.mainPath().prepare();
      this.prepared.push({ mix, prepared });
      await this.mainPath().run(prepared);
      this.log(`passed  ${mix}`);
    } catch (error) {
      const warnings = starts.flatMap(({ copy, from }) =>
        copy.log
          .slice(from)
          .join('')
          .split('\n')
          .filter(isWarning)
          .map((line) => `${copy.app}: ${line}`),
      );
      this.recordFault(
        mix,
        error,
        warnings
          .slice(-maxLogLines)
          .map((line) => line.slice(0, maxLineLength))
          .join('\n'),
      );
    }
  }

  private recordFault(mix: string, error: unknown, log: string): void {
    const { message } = error as Error;
    this.faults.push({ mix, problem: message, log: log === '' ? [] : log.split('\n') });
    this.log(`FAILED  ${mix}: ${message}`);
  }

  private mainPath(): MainPath {
    const gateway = this.cluster.copies.find(({ app }) => app === 'gateway');
    if (!gateway) throw new Error('There is no gateway.');
    const hasPages = [this.old, this.current].every(({ folder }) => appsOf(folder).includes('pages'));
    return new MainPath(this.cluster.clientOf(gateway), { hasPages, credentials: this.cluster.credentials, subscriber: this.subscriber });
  }
}

/** A pino line of level `warn` or above, or plain text from a process without structured logs. */
const isWarning = (line: string): boolean => line !== '' && !/^\{"level":(?:"(?:trace|debug|info)"|[1-3]0)/.test(line);
