import type { InstanceRole } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { instanceRoleOf } from './instance-members.queries';

/** An instance as one of its people sees it. */
export interface ShownInstance {
  name: string;
  /** Its own domain, if it has one. */
  host: string | undefined;
  /** Whether they manage what belongs to the whole instance: service accounts, the audit log, the keys of webhooks. */
  manages: boolean;
  /** As what, if they do. */
  role: InstanceRole | undefined;
}

export async function shownInstance(db: Database, id: string, personId: string): Promise<ShownInstance> {
  const [row, role] = await Promise.all([
    db<{ id: string; name: string; custom_domain: string | null }>('instance').where({ id }).first('name', 'custom_domain'),
    instanceRoleOf(db, id, personId),
  ]);
  return { name: row?.name ?? '', host: row?.custom_domain ?? undefined, manages: role !== undefined, role };
}
