import { rowsOf, type Database } from '@sheaf/postgres';

// Database functions (`src/database`) create and drop the tables, with the rights of the database's owner.

/** The days of the log that end at or before `horizon`, oldest first, including half-dropped ones. */
export async function daysBefore(db: Database, table: 'delivery' | 'event', horizon: Date): Promise<string[]> {
  const rows = await rowsOf<{ day: string }>(
    db,
    `select to_char(day, 'YYYY-MM-DD') as day
       from (select to_date(right(relname, 8), 'YYYYMMDD') as day from pg_class where relkind = 'r' and relname ~ ('^' || :table || '_\\d{8}$')) as kept
      where day < cast(cast(:horizon as timestamptz) at time zone 'UTC' as date) order by kept.day`,
    { table, horizon },
  );
  return rows.map(({ day }) => day);
}

export async function makeDays(db: Database, from: Date, to: Date): Promise<void> {
  await db.raw(
    `select make_log(cast(cast(:from as timestamptz) at time zone 'UTC' as date), cast(cast(:to as timestamptz) at time zone 'UTC' as date))`,
    { from, to },
  );
}

/** Removes a day from the log. @returns false if some of its deliveries are still to be sent. */
export const detachDeliveries = (db: Database, day: string): Promise<boolean> =>
  callFunction(db, 'select detach_deliveries(cast(? as date)) as done', day);

// Dropping a day reads all of it.
const dropMs = 120_000;

/** Drops a detached day, in a separate step so that nobody waits for it. */
export async function dropDeliveries(db: Database, day: string): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw(`select set_config('statement_timeout', ?, true)`, [String(dropMs)]);
    await trx.raw('select drop_deliveries(cast(? as date))', [day]).options({ query_timeout: dropMs + 2_000 });
  });
}

/** @returns false if a delivery that is still in the log refers to one of the events. */
export const dropEvents = (db: Database, day: string): Promise<boolean> =>
  callFunction(db, 'select drop_events(cast(? as date)) as done', day);

/** Deletes the few events whose ids belong to no existing day. */
export async function deleteOtherEvents(db: Database, before: Date): Promise<void> {
  await db.raw('delete from event_other e where e.planned_at < ? and not exists (select from delivery d where d.event_id = e.id)', [
    before,
  ]);
}

async function callFunction(db: Database, sql: string, day: string): Promise<boolean> {
  const [row] = await rowsOf<{ done: boolean }>(db, sql, [day]);
  return row?.done === true;
}
