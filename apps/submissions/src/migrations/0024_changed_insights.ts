import type { Migration } from '@sheaf/postgres';

export const changedInsights: Migration = {
  name: '0024_changed_insights',
  up: (db) =>
    db.raw(`
      -- Without the join of 0018. Its plan was kept from a change of one submission, and compared each of 500 with each other.
      create or replace function await_insight() returns trigger language plpgsql as $body$
      begin
        if tg_op = 'DELETE' then
          insert into insight_pending select id, form_id from old_rows;
        else
          insert into insight_pending
          select id, form_id
            from (select id, form_id, status, deleted_at is null, spam_at is null, revision from new_rows
                  except
                  select id, form_id, status, deleted_at is null, spam_at is null, revision from old_rows) as changed;
        end if;
        return null;
      end
      $body$;
    `),
};
