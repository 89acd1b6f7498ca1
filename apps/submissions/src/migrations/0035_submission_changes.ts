import type { Migration } from '@sheaf/postgres';

/** The log of changes that clients follow: see docs/decisions/0061-feed-of-changes.md. */
export const submissionChanges: Migration = {
  name: '0035_submission_changes',
  up: (db) =>
    db.raw(`
      -- What happened to submissions, with ids and no answers. A row has the changes of one kind in one statement, from number first to last.
      -- Each writer keeps the row of the form in intake locked until it commits, so changes are numbered in the order of the commits, and
      -- whoever sees one of them sees all before it. The newest row of a form is never deleted.
      create table submission_change (
        form_id uuid not null,
        first bigint not null,
        last bigint not null,
        kind text not null,
        submission_ids uuid[] not null,
        -- Not the service's clock: together with its number it tells a change apart from every other, even from one with the same number in
        -- a database that was restored to an earlier moment.
        at timestamptz not null default clock_timestamp(),
        primary key (form_id, last)
      );

      -- Since when changes are logged. It stands for a form without changes, as restoring an older backup and migrating it makes another one.
      create table submission_change_start (at timestamptz not null);
      insert into submission_change_start values (clock_timestamp());

      create type submission_changes_made as (form_id uuid, kind text, ids uuid[]);

      create function last_submission_change(form uuid) returns bigint language sql stable
        return coalesce((select last from submission_change where form_id = form order by last desc limit 1), 0);

      -- The statement after it sees what those who had the locks have committed.
      create function lock_submission_changes(forms uuid[]) returns void language sql as $body$
        insert into intake as i (form_id, accepted) select form, 0 from unnest(forms) as form order by form
        on conflict (form_id) do update set accepted = i.accepted;
      $body$;

      -- New submissions are logged here, as one trigger more would cost as much as the insert. Whoever lists one counts it in intake in the
      -- same statement, so the row of the form is locked by now. Spam is not listed, so nobody misses it.
      create or replace function await_search() returns trigger language plpgsql as $body$
      begin
        insert into search_pending select id, form_id from new_rows;
        insert into submission_change (form_id, first, last, kind, submission_ids)
        select form_id, before + 1, before + cardinality(ids), 'created', ids
          from (select form_id, array_agg(id) as ids,
                       coalesce((select last from submission_change c where c.form_id = n.form_id order by last desc limit 1), 0) as before
                  from new_rows n where spam_at is null group by form_id) as made;
        return null;
      end
      $body$;

      create function log_submission_changes() returns trigger language plpgsql as $body$
      declare
        made submission_changes_made[];
      begin
        if tg_op = 'DELETE' then
          perform lock_submission_changes(array(select distinct form_id from old_rows));
          insert into submission_change (form_id, first, last, kind, submission_ids)
          select form_id, before + 1, before + cardinality(ids), 'erased', ids
            from (select form_id, array_agg(id) as ids, last_submission_change(form_id) as before from old_rows group by form_id) as made;
          return null;
        end if;

        -- Without a join, as in await_insight.
        with changed as (
          select form_id, id, bool_or(trashed and not is_new) as was_trashed, bool_or(trashed and is_new) as is_trashed,
                 bool_or(spam and not is_new) as was_spam, bool_or(spam and is_new) as is_spam
            from (select form_id, id, false as is_new, deleted_at is not null as trashed, spam_at is not null as spam,
                         (status, assignee, revision, notes, changed_at, entered_by_id, version_id) as rest from old_rows
                  union all
                  select form_id, id, true, deleted_at is not null, spam_at is not null,
                         (status, assignee, revision, notes, changed_at, entered_by_id, version_id) from new_rows) as states
           group by form_id, id having count(distinct (trashed, spam, rest)) > 1
        )
        select array_agg((form_id, kind, ids)::submission_changes_made) into made
          from (select form_id, kind, array_agg(id order by id) as ids
                  from (select form_id, id,
                               case when was_trashed <> is_trashed then case when is_trashed then 'trashed' else 'restored' end
                                    when was_spam <> is_spam then case when is_spam then 'marked_as_spam' else 'released' end
                                    else 'changed' end as kind
                          from changed) as kinds
                 group by form_id, kind) as by_kind;
        if made is null then return null; end if;
        perform lock_submission_changes(array(select distinct form_id from unnest(made)));
        insert into submission_change (form_id, first, last, kind, submission_ids)
        select form_id, before + through - cardinality(ids) + 1, before + through, kind, ids
          from (select form_id, kind, ids, last_submission_change(form_id) as before,
                       sum(cardinality(ids)) over (partition by form_id order by kind) as through
                  from unnest(made)) as places;
        return null;
      end
      $body$;

      -- Triggers fire by name. This one comes after submission_updated, which takes the lock of the list's blocks before that of the form.
      create trigger submission_written_down after update on submission referencing old table as old_rows new table as new_rows
        for each statement execute function log_submission_changes();
      create trigger submission_written_off after delete on submission referencing old table as old_rows
        for each statement execute function log_submission_changes();
    `),
};
