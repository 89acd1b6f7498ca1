import type { Migration } from '@sheaf/postgres';

export const erasures: Migration = {
  name: '0009_erasures',
  up: (db) =>
    db.raw(`
      -- What was erased, when and for whom: ids and counts, and nothing of what it was.
      create table erasure (
        id uuid primary key,
        instance_id uuid not null,
        -- Null for what concerns the whole instance.
        workspace_id uuid,
        -- The owners and admins of this workspace, or of all workspaces of this instance, read it.
        scope_id uuid not null generated always as (coalesce(workspace_id, instance_id)) stored,
        kind text not null,
        target_id text not null,
        form_id uuid,
        reason text not null,
        requested_by_kind text not null,
        requested_by_id text,
        requested_at timestamptz not null,
        -- The services that erase their copies.
        awaited text[] not null
      );
      create index erasure_in_order on erasure (scope_id, requested_at desc, id desc);

      -- A service that has erased everything that it had. It may arrive before the erasure itself.
      create table erasure_confirmation (
        erasure_id uuid not null,
        service text not null,
        confirmed_at timestamptz not null,
        counts jsonb not null,
        primary key (erasure_id, service)
      );
    `),
};
