import type { Database } from '@sheaf/postgres';

/**
 * From now on a connection dies in the middle of its transaction when it comes to `point`, as it does together with its process:
 * `before insert on outbox`, in the words of a trigger.
 */
export async function connectionsDieAt(db: Database, point: string): Promise<{ deaths: () => Promise<number>; end: () => Promise<void> }> {
  // A sequence is the one thing that outlives a transaction.
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
