import type { Migration } from '@sheaf/postgres';

export const folders: Migration = {
  name: '0002_folders',
  up: (db) =>
    db.raw(`
      create table folder (
        id uuid primary key,
        instance_id uuid not null,
        workspace_id uuid not null,
        creator_kind text not null check (creator_kind in ('user', 'service_account')),
        creator_id uuid not null,
        label text not null check (char_length(label) between 1 and 100),
        icon text not null check (icon <> ''),
        color text not null,
        parent_id uuid,
        sort_order integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        unique (id, workspace_id),
        foreign key (workspace_id, instance_id) references workspace (id, instance_id),
        -- A tree never reaches into another workspace.
        foreign key (parent_id, workspace_id) references folder (id, workspace_id),
        check (parent_id <> id)
      );
      -- In the order of the list.
      create index folder_of_workspace on folder (workspace_id, sort_order, label, id);
      create index folder_inside on folder (parent_id) where parent_id is not null;
    `),
};
