import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import type { App } from '@sheaf/kernel';
import { apps, Cluster } from '../support/cluster';
import { Path, type Prepared } from './path';
import type { Release } from './release';

/** The pause before SIGTERM: longer than a caller waits before it retries an address that refused connections. */
const pauseMs = 1_500;
const linesOfLog = 20;
const lineLength = 600;
/** Upper bound for the number of statements on the path whose tables a single migration alters. */
const refusals = 20;

/** A mix of versions that behaves differently from each version alone. */
export interface Fault {
  mix: string;
  problem: string;
  /** The last warnings and errors of its processes. */
  log: string[];
}

/**
 * Runs the main path on each mix of two versions that occurs during an upgrade, one service at a time, or a rollback: all of `old`; the
 * same with the tables of `present`; with one process of `present`, each in turn; all of `present`; and with one process of `old`.
 */
export class Mixes {
  readonly faults: Fault[] = [];
  /** A form created with the system, whose subscriptions are used in each mix. */
  private kept: Prepared | undefined;
  private readonly made: { mix: string; prepared: Prepared }[] = [];

  private constructor(
    private readonly old: Release,
    private readonly present: Release,
    private readonly cluster: Cluster,
    private readonly subscriber: Subscriber,
    private readonly tell: (line: string) => void,
  ) {}

  static async make(old: Release, present: Release, settings: NodeJS.ProcessEnv, tell: (line: string) => void): Promise<Mixes> {
    // Two places for each app, as the new copy is ready before the old one stops.
    const cluster = await Cluster.make(2, { HOOKS_ALLOW_PRIVATE_TARGETS: 'true', REQUESTS_PER_CREDENTIAL_PER_MINUTE: '0', ...settings });
    return new Mixes(old, present, cluster, await startSubscriber(), tell);
  }

  async end(): Promise<void> {
    await this.cluster.end();
    await this.subscriber.close();
  }

  async run(): Promise<void> {
    const { old, present, cluster } = this;
    await Promise.all([cluster.startPostgres(), cluster.startNats()]);
    await cluster.migrate(old.folder);
    await Promise.all(apps.map((app) => cluster.ready(cluster.start(app, old.folder))));
    // Each process is ready before all of them have connected.
    this.kept = await eventually(() => this.path().prepare());
    await this.hold(`all of ${old.name}`);

    await cluster.upgrade(present.folder);
    await this.prepareAnew();
    await this.hold(`all of ${old.name}, with the tables of ${present.name}`);
    await this.eachAlone(old, present);
    for (const app of apps) await this.replace(app, present);
    await this.hold(`all of ${present.name}`);
    await this.eachAlone(present, old);
    for (const app of apps) await this.replace(app, old);
    await this.hold(`all of ${old.name} again`);

    for (const { mix, prepared } of this.made)
      for (const problem of this.path().misheard(prepared)) this.faults.push({ mix, problem, log: [] });
    for (const problem of this.path().misheard(this.kept))
      this.faults.push({ mix: 'the form that was there from the start', problem, log: [] });
  }

  private async eachAlone(others: Release, alone: Release): Promise<void> {
    for (const app of apps) {
      const mix = `${app} of ${alone.name} beside ${others.name}`;
      if (await this.becomes(app, alone, mix)) await this.hold(mix);
      await this.becomes(app, others, `back from ${mix}`);
    }
  }

  /**
   * After a migration has altered a table, each process rolls back once per statement prepared before and answers 503:
   * see deploy/README.md.
   */
  private async prepareAnew(): Promise<void> {
    for (let count = 0; count < refusals; count += 1) {
      try {
        return await this.path().go(await this.path().prepare());
      } catch (error) {
        const { message } = error as Error;
        if (!message.includes('answered 503')) return;
        this.tell(`refused once after the migration: ${message}`);
      }
    }
  }

  private async becomes(app: App, release: Release, mix: string): Promise<boolean> {
    try {
      await this.replace(app, release);
      return true;
    } catch (error) {
      this.failed(mix, error, '');
      return false;
    }
  }

  /** Replaces copies as a deployment does: the new one is ready before the old one stops. */
  private async replace(app: App, release: Release): Promise<void> {
    const before = this.cluster.copies.filter((copy) => copy.app === app);
    const next = this.cluster.start(app, release.folder);
    try {
      await this.cluster.ready(next);
    } catch (error) {
      await this.cluster.stop(next);
      throw error;
    }
    await sleep(pauseMs);
    for (const copy of before) await this.cluster.stop(copy);
  }

  /** Checks that forms made in this mix, and those made before it, work. */
  private async hold(mix: string): Promise<void> {
    const since = this.cluster.copies.map((copy) => ({ copy, from: copy.log.length }));
    try {
      if (this.kept) await this.path().go(this.kept);
      const prepared = await this.path().prepare();
      this.made.push({ mix, prepared });
      await this.path().go(prepared);
      this.tell(`held    ${mix}`);
    } catch (error) {
      const told = since.flatMap(({ copy, from }) =>
        copy.log
          .slice(from)
          .join('')
          .split('\n')
          .filter(isComplaint)
          .map((line) => `${copy.app}: ${line}`),
      );
      this.failed(
        mix,
        error,
        told
          .slice(-linesOfLog)
          .map((line) => line.slice(0, lineLength))
          .join('\n'),
      );
    }
  }

  private failed(mix: string, error: unknown, log: string): void {
    const { message } = error as Error;
    this.faults.push({ mix, problem: message, log: log === '' ? [] : log.split('\n') });
    this.tell(`FAILED  ${mix}: ${message}`);
  }

  private path(): Path {
    const gateway = this.cluster.copies.find(({ app }) => app === 'gateway');
    if (!gateway) throw new Error('There is no gateway.');
    return new Path(this.cluster.at(gateway), this.cluster.credentials, this.subscriber);
  }
}

/** A pino line of level `warn` or above, or plain text from a process without structured logs. */
const isComplaint = (line: string): boolean => line !== '' && !/^\{"level":(?:"(?:trace|debug|info)"|[1-3]0)/.test(line);
