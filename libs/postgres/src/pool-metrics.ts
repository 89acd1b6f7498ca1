import { Gauge, type Registry } from 'prom-client';
import { rowsOf, type Database } from './statement';

interface Pool {
  max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

interface ServerFigures {
  connections: number;
  most: number;
  oldest: number;
}

// Frequent scrapes share one result.
const rememberMs = 5_000;
// The longest time that a scrape waits for a silent server.
const answerMs = 1_500;

/** Registers the metrics of this process's pool, and those of its server that every role may read. */
export function watchPool(registry: Registry, db: Database, now: () => number = Date.now): void {
  const { pool } = db.client as { pool: Pool };
  let last: { at: number; found: Promise<ServerFigures | undefined> } | undefined;
  const ofServer = () => {
    if (!last || now() - last.at >= rememberMs) last = { at: now(), found: figuresOf(db, pool) };
    return last.found;
  };

  new Gauge({
    name: 'sheaf_database_connections',
    help: 'Connections of this process to its database, by whether they are in use.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'in_use' }, pool.numUsed());
      this.set({ state: 'idle' }, pool.numFree());
    },
  });
  new Gauge({
    name: 'sheaf_database_connections_max',
    help: 'Maximum connections of this process (DATABASE_POOL).',
    registers: [registry],
    collect() {
      this.set(pool.max);
    },
  });
  new Gauge({
    name: 'sheaf_database_waiting',
    help: 'Requests in this process waiting for a free connection.',
    registers: [registry],
    collect() {
      this.set(pool.numPendingAcquires());
    },
  });
  new Gauge({
    name: 'sheaf_postgres_connections',
    help: 'Connections to the PostgreSQL server, including those of other programs.',
    registers: [registry],
    async collect() {
      setOrDrop(this, (await ofServer())?.connections);
    },
  });
  new Gauge({
    name: 'sheaf_postgres_connections_max',
    help: 'Maximum connections of the PostgreSQL server (max_connections).',
    registers: [registry],
    async collect() {
      setOrDrop(this, (await ofServer())?.most);
    },
  });
  new Gauge({
    name: 'sheaf_postgres_oldest_transaction_seconds',
    help: 'Age of the oldest open transaction of this service.',
    registers: [registry],
    async collect() {
      setOrDrop(this, (await ofServer())?.oldest);
    },
  });
}

/** Sizes change slowly, and asking for them reads the size of each file. */
const rememberSizesMs = 60_000;

/** Registers how much of the disk each table takes, so that it can be told what fills it. Every copy of a service reports the same. */
export function watchSizes(registry: Registry, db: Database, now: () => number = Date.now): void {
  const { pool } = db.client as { pool: Pool };
  let last: { at: number; found: Promise<{ table: string; bytes: number }[]> } | undefined;
  new Gauge({
    name: 'sheaf_database_bytes',
    help: 'Size of a table of this service on disk with its indexes and, if it has partitions, all of them.',
    labelNames: ['table'],
    registers: [registry],
    async collect() {
      if (!last || now() - last.at >= rememberSizesMs) last = { at: now(), found: sizesOf(db, pool) };
      const found = await last.found;
      this.reset();
      for (const { table, bytes } of found) this.set({ table }, bytes);
    },
  });
}

/** @returns nothing while the database is down or all connections are busy. */
async function sizesOf(db: Database, pool: Pool): Promise<{ table: string; bytes: number }[]> {
  if (pool.numPendingAcquires() > 0) return [];
  const sql = `select (select relname::text from pg_class root where root.oid = coalesce(pg_partition_root(c.oid), c.oid)) as table,
                      sum(pg_total_relation_size(c.oid))::bigint as bytes
                 from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace group by 1`;
  return rowsOf<{ table: string; bytes: number }>(db, sql, [], { until: Date.now() + answerMs }).catch(() => []);
}

/** Removes the series if the server does not answer, since an old value would look healthy. */
function setOrDrop(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/** @returns undefined while the database is down or all connections are busy: requests take precedence. */
async function figuresOf(db: Database, pool: Pool): Promise<ServerFigures | undefined> {
  if (pool.numPendingAcquires() > 0) return undefined;
  const sql = `select (select sum(numbackends)::int from pg_stat_database) as connections,
                      current_setting('max_connections')::int as most,
                      coalesce((select extract(epoch from max(clock_timestamp() - xact_start)) from pg_stat_activity where usename = current_user), 0)::float8 as oldest`;
  return rowsOf<ServerFigures>(db, sql, [], { until: Date.now() + answerMs }).then(
    ([row]) => row,
    () => undefined,
  );
}
