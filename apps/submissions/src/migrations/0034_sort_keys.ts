import type { Migration } from '@sheaf/postgres';

/**
 * The languages whose letters are in an order of their own; all others are read in the order that Unicode recommends. Each has an index, because
 * PostgreSQL fixes the order of an index when it is made.
 */
export const sortLanguages = [
  ...['ar', 'az', 'be', 'bg', 'bs', 'cs', 'cy', 'da', 'el', 'es', 'et', 'fa', 'fi', 'fil', 'he', 'hi', 'hr', 'hsb', 'hu', 'hy', 'is'],
  ...[
    'ja',
    'ka',
    'kk',
    'ko',
    'lt',
    'lv',
    'mk',
    'mt',
    'nb',
    'nn',
    'pl',
    'ro',
    'ru',
    'sk',
    'sl',
    'sq',
    'sr',
    'sv',
    'th',
    'tr',
    'uk',
    'ur',
    'uz',
  ],
  ...['vi', 'zh'],
] as const;

const indexOf = (name: string, language: string) =>
  `create index ${name} on sort_key (form_id, key, value collate "${language}-x-icu", created_at, submission_id) where language = '${language}';`;

/**
 * The order of answers that are texts or files, for the fields by which somebody has sorted. It follows `search_entry` by triggers, whichever
 * version of the service writes there: what is indexed, corrected or erased is so here as well.
 */
export const sortKeys: Migration = {
  name: '0034_sort_keys',
  up: (db) =>
    db.raw(`
      create table sort_column (
        form_id uuid not null,
        key text not null,
        -- Of the collation: one of those with an index, or und.
        language text not null,
        -- Whether answers are ordered by their number, as files are.
        counted boolean not null,
        -- The last entry, in the order of arrival, up to which all have a key; null once all have.
        after_created_at timestamptz default '-infinity',
        after_id uuid not null default '00000000-0000-0000-0000-000000000000',
        -- How many of them were read so far, to show how far it is.
        entries integer not null default 0,
        primary key (form_id, key)
      );
      create index sort_column_waiting on sort_column (form_id, key) where after_created_at is not null;

      create table sort_key (
        form_id uuid not null,
        key text not null,
        language text not null,
        -- The first 100 characters, which fit into a cursor; empty if there is no answer.
        value text not null,
        created_at timestamptz not null,
        submission_id uuid not null,
        primary key (form_id, key, created_at, submission_id)
      );
      ${indexOf('sort_key_und', 'und')}
      ${sortLanguages.map((language) => indexOf(`sort_key_${language}`, language)).join('\n      ')}

      -- What cannot be read counts as empty: one submission must not keep the others from being indexed.
      create function sort_value(answers json, key text, counted boolean) returns text language plpgsql immutable as $body$
      declare
        answer json;
      begin
        answer := answers -> key;
        if answer is null or json_typeof(answer) in ('null', 'object') then return ''; end if;
        if not counted then
          if json_typeof(answer) = 'array' then
            return left(coalesce((select string_agg(part, ', ' order by n) from json_array_elements_text(answer) with ordinality as parts (part, n)), ''), 100);
          end if;
          return left(btrim(answer #>> '{}', E' \\t\\n\\r'), 100);
        end if;
        return case when json_typeof(answer) <> 'array' then '0001'
                    when json_array_length(answer) = 0 then ''
                    else lpad(cast(json_array_length(answer) as text), 4, '0') end;
      exception when data_exception or untranslatable_character then
        return '';
      end
      $body$;

      create function add_sort_keys() returns trigger language plpgsql as $body$
      begin
        insert into sort_key (form_id, key, language, value, created_at, submission_id)
        select n.form_id, c.key, c.language, sort_value(s.data, c.key, c.counted), n.created_at, n.submission_id
          from new_rows n
         cross join lateral (select key, language, counted from sort_column where form_id = n.form_id offset 0) as c
         cross join lateral (select data from submission where id = n.submission_id offset 0) as s
        on conflict do nothing;
        return null;
      end
      $body$;
      create trigger search_entry_sorted after insert on search_entry referencing new table as new_rows
        for each statement execute function add_sort_keys();

      -- One after another, as a join could read the whole table.
      create function drop_sort_keys() returns trigger language plpgsql as $body$
      declare
        gone record;
      begin
        for gone in
          select o.form_id, c.key, o.created_at, o.submission_id
            from old_rows o
           cross join lateral (select key from sort_column where form_id = o.form_id offset 0) as c
        loop
          delete from sort_key
           where form_id = gone.form_id and key = gone.key and created_at = gone.created_at and submission_id = gone.submission_id;
        end loop;
        return null;
      end
      $body$;
      create trigger search_entry_unsorted after delete on search_entry referencing old table as old_rows
        for each statement execute function drop_sort_keys();
    `),
};
