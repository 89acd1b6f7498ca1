import type { Migration } from '@sheaf/postgres';

/** Places of options and unique answers: see docs/decisions/0077-places-and-unique-answers.md. */
export const exactAnswers: Migration = {
  name: '0043_exact_answers',
  up: (db) =>
    db.raw(`
      -- Forms with such rules, and the version whose rules hold. Whoever counts answers locks the row until the end of the transaction, after that of
      -- the form in intake.
      create table exact_form (form_id uuid primary key, version integer not null, version_id uuid);

      -- Fields whose answers are counted, in one of three ways: 'places' by option, 'text' and 'phone' by their normal forms. A field whose rule
      -- was taken away stays counted, so that the rule can return at once. While is_counted is false, all submissions up to a place in the order
      -- of their times are counted.
      create table exact_field (
        form_id uuid not null,
        key text not null,
        kind text not null check (kind in ('places', 'text', 'phone')),
        is_enforced boolean not null,
        is_counted boolean not null default false,
        counted_at timestamptz not null default '-infinity',
        counted_id uuid not null default '00000000-0000-0000-0000-000000000000',
        primary key (form_id, key, kind)
      );

      -- How many submissions have an option, by SHA-256: in versions where the field had no options, its answers may be any texts. Only options with a
      -- limit have their value and places.
      create table option_place (
        form_id uuid not null,
        key text not null,
        option bytea not null,
        value text,
        places integer,
        taken integer not null default 0,
        primary key (form_id, key, option)
      );

      -- SHA-256 of the normal forms of answers, with the submissions that have them. More than one has the same where the rule is younger than they
      -- are, and where a payment arrived late.
      create table unique_answer (
        form_id uuid not null,
        key text not null,
        kind text not null,
        answer bytea not null,
        submission_id uuid not null,
        primary key (form_id, key, kind, answer, submission_id)
      );

      -- Without case, width and white space around it; of a phone number only its digits, and of a number its value. PostgreSQL 18 folds by
      -- Unicode alone, whatever the locale of the database.
      create function normal_answer(kind text, given jsonb) returns text immutable strict parallel safe language sql
        return case when jsonb_typeof(given) = 'number' then cast(trim_scale(cast(given as numeric)) as text)
                    when kind = 'phone' then regexp_replace(normalize(given #>> '{}', nfkc), '[^0-9+]', '', 'g')
                    else regexp_replace(normalize(casefold(normalize(given #>> '{}', nfkc) collate pg_unicode_fast), nfkc), '^\\s+|\\s+$', '', 'g') end;

      create type exact_claim as (form_id uuid, key text, kind text, answer text, submission_id uuid, change integer);

      -- The options and answers of a submission that are counted.
      create function claims_of(form uuid, id uuid, made timestamptz, data json, change integer) returns setof exact_claim stable language sql
        begin atomic
        select f.form_id, f.key, f.kind, a.answer, claims_of.id, claims_of.change
          from exact_field f
         cross join lateral (select cast(claims_of.data as jsonb) -> f.key as given offset 0) as g
         cross join lateral (
           select distinct value as answer
             from jsonb_array_elements_text(case jsonb_typeof(g.given) when 'array' then g.given when 'string' then jsonb_build_array(g.given) else '[]' end) as chosen (value)
            where f.kind = 'places'
           union all
           select normal_answer(f.kind, g.given) where f.kind <> 'places' and jsonb_typeof(g.given) in ('string', 'number')
         ) as a
         where f.form_id = claims_of.form and (f.is_counted or (claims_of.made, claims_of.id) <= (f.counted_at, f.counted_id)) and a.answer <> '';
        end;

      -- Counts what submissions take and give back. Rows in one order, so that two transactions cannot deadlock. Refuses what would be one too many,
      -- whichever release of the service wrote it; sheaf.beyond is 'places' or 'all' where it may be more.
      create function apply_claims(claims exact_claim[]) returns void language plpgsql as $body$
      declare
        beyond text := coalesce(current_setting('sheaf.beyond', true), '');
        refused exact_claim;
      begin
        insert into option_place as p (form_id, key, option, taken)
        select form_id, key, sha256(convert_to(answer, 'UTF8')), sum(change) from unnest(claims)
         where kind = 'places' group by form_id, key, answer having sum(change) <> 0 order by form_id, key, answer
        on conflict (form_id, key, option) do update set taken = p.taken + excluded.taken;
        delete from option_place p
         using (select form_id, key, sha256(convert_to(answer, 'UTF8')) as option from unnest(claims) where kind = 'places' and change < 0) as given
         where (p.form_id, p.key, p.option) = (given.form_id, given.key, given.option) and p.taken = 0 and p.places is null;
        if beyond = '' then
          select form_id, key, kind, answer into refused.form_id, refused.key, refused.kind, refused.answer
            from (select form_id, key, kind, answer from unnest(claims) where kind = 'places'
                   group by form_id, key, kind, answer having sum(change) > 0) as more
           where exists (select from option_place p
                          where p.form_id = more.form_id and p.key = more.key and p.option = sha256(convert_to(more.answer, 'UTF8'))
                            and p.taken > p.places)
           order by form_id, key, answer limit 1;
          if found then
            raise exception 'an option has no place left' using errcode = 'check_violation', constraint = 'option_place_left',
              detail = json_build_object('form_id', refused.form_id, 'key', refused.key, 'option', refused.answer);
          end if;
        end if;

        delete from unique_answer u
         using (select form_id, key, kind, sha256(convert_to(answer, 'UTF8')) as answer, submission_id from unnest(claims)
                 where kind <> 'places' group by form_id, key, kind, answer, submission_id having sum(change) < 0) as given
         where (u.form_id, u.key, u.kind, u.answer, u.submission_id) = (given.form_id, given.key, given.kind, given.answer, given.submission_id);
        insert into unique_answer (form_id, key, kind, answer, submission_id)
        select form_id, key, kind, sha256(convert_to(answer, 'UTF8')), submission_id from unnest(claims)
         where kind <> 'places' group by form_id, key, kind, answer, submission_id having sum(change) > 0
         order by form_id, key, kind, answer, submission_id;
        if beyond <> 'all' then
          select form_id, key into refused.form_id, refused.key
            from (select form_id, key, kind, answer, submission_id from unnest(claims) where kind <> 'places'
                   group by form_id, key, kind, answer, submission_id having sum(change) > 0) as more
           where exists (select from exact_field f where f.form_id = more.form_id and f.key = more.key and f.kind = more.kind and f.is_enforced)
             and exists (select from unique_answer u
                          where u.form_id = more.form_id and u.key = more.key and u.kind = more.kind and u.answer = sha256(convert_to(more.answer, 'UTF8'))
                            and u.submission_id <> more.submission_id)
           order by form_id, key limit 1;
          if found then
            raise exception 'another submission has the answer' using errcode = 'unique_violation', constraint = 'unique_answer_once',
              detail = json_build_object('form_id', refused.form_id, 'key', refused.key);
          end if;
        end if;
      end
      $body$;

      -- A submission counts unless it is in the trash, in spam, or without its payment.
      create function does_count(deleted_at timestamptz, spam_at timestamptz, holds_place boolean) returns boolean immutable parallel safe language sql
        return deleted_at is null and spam_at is null and holds_place;

      -- As it is in 0035_submission_changes, with the counting at its end: one trigger more would cost as much as the insert. The statements after the lock see what
      -- those who had it have committed.
      create or replace function await_search() returns trigger language plpgsql as $body$
      declare
        exact uuid[];
      begin
        insert into search_pending select id, form_id from new_rows;
        insert into submission_change (form_id, first, last, kind, submission_ids)
        select form_id, before + 1, before + cardinality(ids), 'created', ids
          from (select form_id, array_agg(id) as ids,
                       coalesce((select last from submission_change c where c.form_id = n.form_id order by last desc limit 1), 0) as before
                  from new_rows n where spam_at is null group by form_id) as made;
        -- Not for spam, which takes nothing, and is stored without a lock of its form.
        exact := array(
          select form_id from exact_form f where form_id in (select form_id from new_rows where does_count(deleted_at, spam_at, holds_place))
           order by form_id for update);
        if cardinality(exact) > 0 then
          perform apply_claims(array(
            select c from new_rows r, claims_of(r.form_id, r.id, r.created_at, r.data, 1) c
             where r.form_id = any(exact) and does_count(r.deleted_at, r.spam_at, r.holds_place)));
        end if;
        return null;
      end
      $body$;

      -- By a trigger, so that no writer can forget it, and none of an earlier release.
      create function count_exact_answers() returns trigger language plpgsql as $body$
      declare
        moved uuid[];
        exact uuid[];
        claims exact_claim[];
      begin
        -- That a submission gains or loses its place is not logged, so its form is not locked yet: whoever counts it must have seen it before or wait.
        if tg_op = 'UPDATE' then
          moved := array(
            select distinct form_id
              from (select form_id, id, holds_place from old_rows except select form_id, id, holds_place from new_rows) as changed);
          if cardinality(moved) > 0 then perform lock_submission_changes(moved); end if;
        end if;
        exact := array(select form_id from exact_form f where form_id in (select form_id from old_rows));
        if cardinality(exact) = 0 then return null; end if;
        -- In the order of all who lock both.
        perform lock_submission_changes(exact);
        perform from exact_form where form_id = any(exact) order by form_id for update;
        claims := array(
          select c from old_rows r, claims_of(r.form_id, r.id, r.created_at, r.data, -1) c
           where r.form_id = any(exact) and does_count(r.deleted_at, r.spam_at, r.holds_place));
        if tg_op = 'UPDATE' then
          claims := claims || array(
            select c from new_rows r, claims_of(r.form_id, r.id, r.created_at, r.data, 1) c
             where r.form_id = any(exact) and does_count(r.deleted_at, r.spam_at, r.holds_place));
        end if;
        perform apply_claims(claims);
        return null;
      end
      $body$;

      -- Triggers fire by name. These come after submission_written_down and submission_written_off, which take the lock of the form.
      create trigger submission_written_up after update on submission referencing old table as old_rows new table as new_rows
        for each statement execute function count_exact_answers();
      create trigger submission_written_out after delete on submission referencing old table as old_rows
        for each statement execute function count_exact_answers();

      -- Counts some more of the submissions that were there before the rules of a form. A process that dies leaves whole steps.
      -- @returns whether all are counted
      create function count_exact_before(form uuid, at_once integer) returns boolean language plpgsql as $body$
      declare
        field exact_field;
        seen bigint;
        until_at timestamptz;
        until_id uuid;
      begin
        perform lock_submission_changes(array[form]);
        perform from exact_form where form_id = form for update;
        select * into field from exact_field where form_id = form and not is_counted order by key, kind limit 1;
        if not found then return true; end if;
        perform set_config('sheaf.beyond', 'all', true);
        select count(*), (array_agg(created_at order by created_at desc, id desc))[1], (array_agg(id order by created_at desc, id desc))[1]
          into seen, until_at, until_id
          from (select created_at, id from submission
                 where form_id = form and deleted_at is null and spam_at is null and (created_at, id) > (field.counted_at, field.counted_id)
                 order by created_at, id limit at_once) as next;
        if seen > 0 then
          update exact_field set counted_at = until_at, counted_id = until_id where form_id = form and key = field.key and kind = field.kind;
          perform apply_claims(array(
            select c from submission s, claims_of(s.form_id, s.id, s.created_at, s.data, 1) c
             where s.form_id = form and s.deleted_at is null and s.spam_at is null and s.holds_place and c.key = field.key and c.kind = field.kind
               and (s.created_at, s.id) > (field.counted_at, field.counted_id) and (s.created_at, s.id) <= (until_at, until_id)));
        end if;
        perform set_config('sheaf.beyond', '', true);
        update exact_field set is_counted = true where form_id = form and key = field.key and kind = field.kind and seen < at_once;
        return not exists (select from exact_field where form_id = form and not is_counted);
      end
      $body$;
    `),
};
