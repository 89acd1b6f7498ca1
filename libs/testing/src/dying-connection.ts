import type { Database } from '@sheaf/postgres';

/**
 * Makes a connection die in the middle of its transaction at `point`, as if its process had died. `point` has the syntax of a trigger:
 * `before insert on outbox`.
 */
export async function connectionsDieAt(db: Database, point: string): Promise<{ deaths: () => Promise<number>; end: () => Promise<void> }> {
  // Only a sequence keeps its changes if the transaction is rolled back.
  await db.raw(`
    create sequence death minvalue 0;
    create function die() returns trigger language plpgsql as
      'begin perform nextval(''death''), pg_terminate_backend(pg_backend_pid()); return new; end';
    create trigger die ${point} for each row execute function die();
  `);
  const [, table = ''] = / on (\w+)/.exec(point) ?? [];
  return {
    async deaths() {
      const { last_value, is_called } = await db('death').first<{ last_value: string; is_called: boolean }>('last_value', 'is_called');
      return is_called ? Number(last_value) + 1 : 0;
    },
    end: () => db.raw(`drop trigger die on ${table}; drop function die(); drop sequence death`),
  };
}
