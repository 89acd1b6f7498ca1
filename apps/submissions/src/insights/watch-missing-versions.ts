import { rowsOf, type Database } from '@sheaf/postgres';
import { runPeriodically, type Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';

const askAgainMs = 30_000;

/**
 * Watches whether submissions were made against versions that `forms` was found not to have, as after its database was restored alone. Nothing is looked
 * for here: `reconcile` marks them, and insights do when they ask for the fields of one. An index has the few that are marked, so this costs nothing.
 */
export class MissingVersions {
  /** Undefined while PostgreSQL does not answer. */
  private count: number | undefined;
  private lastKnown = 0;

  constructor(
    private readonly process: Pick<Process, 'log' | 'metrics' | 'health'>,
    private readonly db: Database,
  ) {
    const count = () => this.count;
    new Gauge({
      name: 'sheaf_missing_versions',
      help: 'Versions against which submissions were made and which forms was found not to have, by `reconcile` or by insights.',
      registers: [process.metrics],
      collect() {
        const value = count();
        // An old value would look like an answer.
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
    process.health.warn(() => (this.count ? sentence(this.count) : undefined));
  }

  async ask(): Promise<void> {
    this.count = await rowsOf<{ count: number }>(
      this.db,
      'select count(*) as count from insight_version_by_id where missing_since is not null',
    ).then(
      ([row]) => row?.count ?? 0,
      // The readiness check reports a server that does not answer.
      () => undefined,
    );
    if (this.count === undefined || this.count === this.lastKnown) return;
    if (this.count > 0) this.process.log.warn(sentence(this.count));
    else this.process.log.info('forms has all versions of submissions again');
    this.lastKnown = this.count;
  }
}

const sentence = (count: number): string =>
  `submissions were made against versions that forms does not have (${count}): they are shown under the keys of their answers; see npm run sheaf -- reconcile`;

/** Watches until the process stops. Every copy reports the same. */
export function watchMissingVersions(process: Process, db: Database): void {
  const missing = new MissingVersions(process, db);
  runPeriodically(process, { name: 'looking for missing versions', everyMs: askAgainMs }, async () => {
    await missing.ask();
    return 0;
  });
}
