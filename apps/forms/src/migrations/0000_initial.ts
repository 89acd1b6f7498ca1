import { outboxSignalsIndex, outboxTable } from '@sheaf/events';
import type { Migration } from '@sheaf/postgres';

const keys = { updated: 'updated_at', created: 'created_at', title: '(title_place(title) collate "C")' };
const scopes = { workspace: 'workspace_id', folder: 'workspace_id, folder_id', instance: 'instance_id' };

/** An index for each scope and order of the list, in which every status is a range of its own. */
const listIndexes = Object.entries(scopes).flatMap(([scope, columns]) =>
  Object.entries(keys).map(([sort, key]) => `create index form_list_of_${scope}_by_${sort} on form (${columns}, status, ${key}, id);`),
);

export const initial: Migration = {
  name: '0000_initial',
  replaces: [
    '0000_outbox',
    '0001_initial',
    '0002_folders',
    '0004_payment',
    '0000_outbox_trace',
    '0000_outbox_order',
    '0000_outbox_signals',
    '0005_folded_title',
    '0006_vacated_slugs',
    '0007_form_settings',
    '0008_form_list',
    '0009_form_list_indexes',
    '0010_keeping',
    '0011_erased_workspaces',
    '0012_searchable',
  ],
  up: (db) =>
    db.raw(`
      ${outboxTable}
      ${outboxSignalsIndex}

      -- Trusted extensions: the owner of the database may create them and need not be a superuser.
      create extension if not exists pg_trgm;
      create extension if not exists btree_gin;

      -- A title as it is searched: canonically composed and case-folded, so that STRASSE finds Straße however its letters were typed.
      -- PostgreSQL 18 folds by Unicode alone, whatever the locale of the database; a function, so that index and queries cannot differ.
      create function folded(given text) returns text immutable strict parallel safe language sql
        return normalize(casefold(normalize(given, nfc) collate pg_unicode_fast), nfc);

      -- The place of a title in a list that is sorted by title. Decomposed, so that a letter with a mark sorts next to the letter without it, by
      -- the code points of Unicode alone: an order by language could change with a library of the server, which would corrupt the index.
      -- Cut, because an index takes no long entries; equal places are ordered by id.
      create function title_place(given text) returns text immutable strict parallel safe language sql
        return left(normalize(folded(given), nfd), 100);

      -- Folders belong to workspaces. Kept here are those that a form was ever put into, to know which of them are gone: a form that
      -- is on its way into a folder while that is deleted must not stay there.
      create table folder (
        id uuid primary key,
        is_deleted boolean not null
      );

      create table form (
        id uuid primary key,
        instance_id uuid not null,
        workspace_id uuid not null,
        creator_kind text not null check (creator_kind in ('user', 'service_account')),
        creator_id uuid not null,
        title text not null check (char_length(title) between 1 and 200),
        slug text,
        status text not null check (status in ('active', 'archived', 'disabled', 'trashed')),
        -- Where a restore leads back to.
        status_before_trash text check (status_before_trash in ('active', 'archived', 'disabled')),
        current_version integer not null check (current_version >= 0),
        publish_mode text not null check (publish_mode in ('draft', 'auto')),
        opens_at timestamptz,
        closes_at timestamptz,
        max_submissions integer check (max_submissions >= 0),
        closed_message text,
        timezone text,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        folder_id uuid references folder,
        constraint form_slug_key unique (instance_id, slug),
        check (closes_at > opens_at),
        check ((status = 'trashed') = (status_before_trash is not null))
      );
      -- In the order of the lists. What is in the trash is rarely looked at and would only be in the way of the rest.
      create index form_of_workspace on form (instance_id, workspace_id, updated_at desc, id desc) where status <> 'trashed';
      create index form_of_instance on form (instance_id, updated_at desc, id desc) where status <> 'trashed';
      create index form_in_trash on form (instance_id, workspace_id, updated_at desc, id desc) where status = 'trashed';
      create index form_in_folder on form (folder_id, id) where folder_id is not null;
      create index form_title on form using gin (title gin_trgm_ops);
      create index form_folded_title on form using gin (folded(title) gin_trgm_ops);
      create index form_title_in_workspace on form using gin (workspace_id, folded(title) gin_trgm_ops);
      ${listIndexes.join('\n      ')}

      -- Apart from the form, which is read and changed far more often and is small.
      create table draft (
        form_id uuid primary key references form,
        -- JSON, kept as text: it is passed on as it is, and jsonb would refuse the NUL that a string in it may hold.
        fields text not null,
        -- Grows with every save.
        revision integer not null,
        updated_at timestamptz not null,
        -- What each submission costs, as JSON; null for nothing.
        payment text
      );

      create table version (
        form_id uuid not null references form,
        number integer not null check (number > 0),
        -- JSON, as in the draft that it was made from.
        fields text not null,
        published_by_kind text not null check (published_by_kind in ('user', 'service_account')),
        published_by_id uuid not null,
        published_at timestamptz not null,
        payment text,
        primary key (form_id, number)
      );

      -- Submissions are read under the version that they were made against, for as long as they are kept.
      -- The setting alone could be made by the service's role. Nobody but the owner passes.
      create function refuse_to_change_a_version() returns trigger language plpgsql as $$
        begin
          if tg_op = 'DELETE' and current_setting('sheaf.erases_versions', true) = 'yes'
             and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
            return null;
          end if;
          raise exception 'a published version is immutable' using errcode = 'restrict_violation';
        end
      $$;
      create trigger version_is_immutable before update or delete or truncate on version
        for each statement execute function refuse_to_change_a_version();

      -- Deletes the versions of a form that is erased, as their owner, whom the trigger above asks for.
      create function erase_versions(of_form uuid) returns void
        language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        perform set_config('sheaf.erases_versions', 'yes', true);
        delete from public.version where form_id = of_form;
        perform set_config('sheaf.erases_versions', '', true);
      end
      $$;

      create table form_grant (
        form_id uuid not null references form,
        user_id uuid not null,
        role text not null check (role in ('owner', 'editor', 'viewer')),
        created_at timestamptz not null,
        primary key (form_id, user_id)
      );
      create index form_grant_of_user on form_grant (user_id);

      create table favorite (
        form_id uuid not null references form,
        -- A user or a service account.
        principal_id uuid not null,
        created_at timestamptz not null,
        primary key (form_id, principal_id)
      );
      create index favorite_of_principal on favorite (principal_id, form_id);

      -- The last form that gave up a slug: for a while no other form may take it, or it would receive the answers to the old one.
      create table vacated_slug (
        instance_id uuid not null,
        slug text not null,
        form_id uuid not null,
        vacated_at timestamptz not null,
        primary key (instance_id, slug)
      );
      create index vacated_slug_by_age on vacated_slug (vacated_at);

      -- The settings that v1 does not know. Apart from the form, which is locked and listed far more often and is small. A form without
      -- a row has none.
      create table form_settings (
        form_id uuid primary key references form,
        -- JSON, with the hash of the logo in its place.
        settings text not null,
        logo_type text,
        logo bytea,
        check ((logo is null) = (logo_type is null))
      );

      -- How long a form keeps its submissions. Apart from its other settings, which travel with copies and documents and are shown to respondents.
      create table form_keeping (
        form_id uuid primary key references form,
        -- Nothing of the form may be erased.
        legal_hold boolean not null,
        -- Days after which each is erased; null for never.
        trash_days integer,
        submissions_days integer,
        files_days integer,
        -- Whether the answers of a form can be searched.
        searchable boolean not null default true
      );

      -- Workspaces that were erased, while forms may still be in them.
      create table erased_workspace (
        workspace_id uuid primary key,
        instance_id uuid not null,
        erasure_id uuid not null,
        erased_at timestamptz not null,
        -- The forms that were erased so far.
        forms integer not null,
        -- Null while there are forms left.
        confirmed_at timestamptz,
        -- Null while requests that began before may still create forms.
        closed_at timestamptz
      );
      create index erased_workspace_open on erased_workspace (workspace_id) where closed_at is null;
    `),
};
