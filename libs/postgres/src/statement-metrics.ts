import { Histogram, type Registry } from 'prom-client';

export interface StatementMetrics {
  /** @param seconds how long the statement waited for a connection. */
  waited(seconds: number): void;
  /** @param statement of `labelOf`. */
  took(statement: string, seconds: number): void;
}

const metricsOfPool = new WeakMap<object, StatementMetrics>();

/** Measures the statements of a pool. Keyed by configuration, which a pool shares with its transactions. */
export function watchStatements(registry: Registry, config: object): void {
  const waits = new Histogram({
    name: 'sheaf_database_wait_seconds',
    help: 'How long statements waited for a connection of the pool.',
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 3],
    registers: [registry],
  });
  const times = new Histogram({
    name: 'sheaf_database_statement_seconds',
    help: 'How long statements took, by what they do to which table. Begin and commit of transactions are not among them.',
    labelNames: ['statement'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 8],
    registers: [registry],
  });
  metricsOfPool.set(config, {
    waited: (seconds) => waits.observe(seconds),
    took: (statement, seconds) => times.observe({ statement }, seconds),
  });
}

export const statementMetrics = (config: object): StatementMetrics | undefined => metricsOfPool.get(config);

// `for update of`, `do update set` and `for no key update` change nothing by themselves.
const change = /\b(insert into|(?<!do |for |key )update|delete from) (?:only )?(?!set\b|of\b)([a-z_]+)/i;

/**
 * The first verb of a statement, and its table: `insert into submission`, `select outbox`. The texts are those of our code, so there are
 * few; a name for each would have to be invented and kept at a hundred places.
 */
export function labelOf(sql: string): string {
  const withoutComments = sql.split('\n').map((line) => line.split('--', 1)[0]);
  const text = withoutComments.join(' ').replace(/\s+/g, ' ');
  const [, verb, changed] = change.exec(text) ?? [];
  if (verb !== undefined && changed !== undefined) return `${verb} ${changed}`.toLowerCase();
  const read = /\bfrom ([a-z_]+)/i.exec(text)?.[1];
  return read === undefined ? 'select' : `select ${read.toLowerCase()}`;
}
