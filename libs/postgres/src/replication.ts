import { runPeriodically, type Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import { rowsOf, type Database } from './statement';

// A failover may change the answer. One small statement twice a minute costs nothing.
const askAgainMs = 30_000;
const answerMs = 1_500;

interface Answer {
  is_standby: boolean;
  standby_names: string;
  synchronous_commit: string;
  /** Null if some are connected, and the role may not see which of them are synchronous (`pg_read_all_stats`). */
  standbys: number | null;
}

/**
 * Watches whether PostgreSQL confirms a commit only after a standby has it. Without that, a failover loses submissions that Sheaf has accepted,
 * and nothing in Sheaf can notice.
 */
export class Replication {
  /** Why the loss of the primary is not survived; empty if it is, undefined while the server does not answer. */
  private fault: string | undefined;
  private lastKnown: string | undefined;

  constructor(
    private readonly process: Pick<Process, 'log' | 'metrics' | 'health'>,
    private readonly db: Database,
  ) {
    const synchronous = () => (this.fault === undefined ? undefined : Number(this.fault === ''));
    new Gauge({
      name: 'sheaf_postgres_synchronous',
      help: '1 while PostgreSQL confirms a commit only after a standby has it, otherwise 0. Only with DATABASE_REPLICATED.',
      registers: [process.metrics],
      collect() {
        const value = synchronous();
        // An old value would look healthy.
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
    process.health.warn(() => (this.fault === '' ? undefined : this.fault));
  }

  /** Asks the server. Logs the answer if it is a warning or ends one. */
  async ask(): Promise<void> {
    const fault = await rowsOf<Answer>(this.db, question, [], { until: Date.now() + answerMs }).then(
      ([answer]) => (answer && !answer.is_standby ? faultOf(answer) : undefined),
      // The readiness check reports a server that does not answer.
      () => undefined,
    );
    this.fault = fault;
    if (fault === undefined || fault === this.lastKnown) return;
    const { log } = this.process;
    if (fault !== '') log.warn(fault);
    else if (this.lastKnown !== undefined) log.info('PostgreSQL replicates synchronously again');
    this.lastKnown = fault;
  }
}

/** Watches until the process stops. Every copy asks for itself, since the settings of a role or a session count as well. */
export function watchReplication(process: Process, db: Database): void {
  const replication = new Replication(process, db);
  runPeriodically(process, { name: 'checking replication', everyMs: askAgainMs }, async () => {
    await replication.ask();
    return 0;
  });
}

// Every role may read the settings, and see how many standbys are connected. The columns of `pg_stat_replication` are null for a role
// without `pg_read_all_stats`.
const question = `select pg_is_in_recovery() as is_standby,
                         current_setting('synchronous_standby_names') as standby_names,
                         current_setting('synchronous_commit') as synchronous_commit,
                         case when pg_has_role(current_user, 'pg_read_all_stats', 'usage')
                              then (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum'))::int
                              when not exists (select from pg_stat_replication) then 0 end as standbys`;

function faultOf({ standby_names: names, synchronous_commit: commit, standbys }: Answer): string {
  const consequence = 'a failover loses accepted submissions';
  if (names === '') return `PostgreSQL replicates asynchronously (synchronous_standby_names is empty): ${consequence}`;
  if (commit === 'off' || commit === 'local')
    return `PostgreSQL confirms commits before a standby has them (synchronous_commit is ${commit}): ${consequence}`;
  return standbys === 0 ? 'PostgreSQL has no synchronous standby at the moment: nothing can be stored until one is back' : '';
}
