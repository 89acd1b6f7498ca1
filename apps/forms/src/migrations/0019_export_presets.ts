import type { Migration } from '@sheaf/postgres';

export const exportPresets: Migration = {
  name: '0019_export_presets',
  up: (db) =>
    db.raw(`
      -- How exported files look, kept under a name. An earlier version that erases a form knows nothing of them: they go with it.
      create table export_preset (
        id uuid primary key,
        form_id uuid not null references form on delete cascade,
        -- The person whose own it is; null for one that is shared.
        owner_id uuid,
        name text not null,
        file text not null,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index export_preset_name_key
          on export_preset (form_id, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), name);
      create index export_preset_by_owner on export_preset (owner_id) where owner_id is not null;

      -- So that a person who is erased keeps nothing more for themselves.
      create table erased_person (
        instance_id uuid not null,
        id uuid not null,
        primary key (instance_id, id)
      );
    `),
};
