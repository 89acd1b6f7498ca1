import { buildIndex, type Migration } from '@sheaf/postgres';

export const fileBytes: Migration = {
  name: '0007_file_bytes',
  up: (db) =>
    db.raw(`
      -- How many bytes the files of a form, and of an instance, take up. A file counts from the moment it is stored whole until its row is
      -- deleted, which happens after its bytes are gone.
      create table file_bytes (
        scope text not null check (scope in ('form', 'instance')),
        id uuid not null,
        bytes bigint not null,
        primary key (scope, id)
      );

      -- A trigger counts, so that no writer can forget it, nor a copy of the service that does not know of quotas yet. Everyone locks
      -- the row of the form before that of the instance.
      create function count_file_bytes() returns trigger language plpgsql as $body$
      declare
        changed file;
        added bigint;
      begin
        if tg_op = 'DELETE' then
          changed := old;
          added := -old.size;
        elsif tg_op = 'INSERT' then
          changed := new;
          added := new.size;
        else
          changed := new;
          added := coalesce(new.size, 0) - coalesce(old.size, 0);
        end if;
        insert into file_bytes as counted (scope, id, bytes)
        values ('form', changed.form_id, added), ('instance', changed.instance_id, added)
        on conflict (scope, id) do update set bytes = counted.bytes + excluded.bytes;
        return null;
      end
      $body$;

      -- A submission that claims a file leaves its size alone, and waits for no counter.
      create trigger file_inserted after insert on file for each row when (new.size is not null) execute function count_file_bytes();
      create trigger file_sized after update of size on file for each row when (new.size is distinct from old.size) execute function count_file_bytes();
      create trigger file_deleted after delete on file for each row when (old.size is not null) execute function count_file_bytes();

      -- The triggers lock out every writer until this transaction ends, so that each file is counted once.
      insert into file_bytes (scope, id, bytes)
      select 'form', form_id, sum(size) from file where size is not null group by form_id
      union all
      select 'instance', instance_id, sum(size) from file where size is not null group by instance_id;
    `),
};

/** The files of one network within a span of time. The index by address alone is superseded. */
export const waitingFiles: Migration = {
  name: '0008_file_waiting',
  transaction: 'none',
  up: async (db) => {
    await buildIndex(db, 'file_waiting_by_address', `on file (address, created_at) where state <> 'claimed'`);
    await db.raw('drop index concurrently if exists file_unclaimed_by_address');
  },
};
