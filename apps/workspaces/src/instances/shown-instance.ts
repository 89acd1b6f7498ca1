import type { Database } from '@sheaf/postgres';
import type { WorkspaceRow } from '../rows';

/** An instance as one of its people sees it. */
export interface ShownInstance {
  name: string;
  /** Its own domain, if it has one. */
  host: string | undefined;
  /** Whether they manage what belongs to the whole instance: service accounts, the audit log, the keys of webhooks. */
  manages: boolean;
}

/** @param workspaces the person's, with their roles: the owners and admins of any workspace manage the instance */
export async function shownInstance(db: Database, id: string, workspaces: readonly WorkspaceRow[]): Promise<ShownInstance> {
  const row = await db<{ id: string; name: string; custom_domain: string | null }>('instance').where({ id }).first('name', 'custom_domain');
  return {
    name: row?.name ?? '',
    host: row?.custom_domain ?? undefined,
    manages: workspaces.some(({ role }) => role === 'owner' || role === 'admin'),
  };
}
