import type { Migration } from '@sheaf/postgres';

export const erasedWorkspaces: Migration = {
  name: '0011_erased_workspaces',
  up: (db) =>
    db.raw(`
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
