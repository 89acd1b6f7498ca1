import { buildIndex, type Migration } from '@sheaf/postgres';

/** The ids of erased workspaces, whose audit log stays readable; and indexes to find what belongs to a workspace. */
export const erasedWorkspaces: Migration = {
  name: '0012_erased_workspaces',
  transaction: 'none',
  up: async (db) => {
    await db.raw(`
      create table if not exists erased_workspace (
        id uuid primary key,
        instance_id uuid not null,
        erased_at timestamptz not null
      )`);
    await buildIndex(db, 'erased_workspace_of_instance', 'on erased_workspace (instance_id, erased_at desc)');
    await buildIndex(db, 'session_in_workspace', 'on session (active_workspace_id) where active_workspace_id is not null');
    await buildIndex(db, 'promised_form_of_workspace', 'on promised_form (workspace_id)');
  },
};
