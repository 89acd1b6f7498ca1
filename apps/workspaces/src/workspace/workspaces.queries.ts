import type { Database, Transaction } from '@sheaf/postgres';

export interface WorkspaceRecord {
  id: string;
  instance_id: string;
  name: string;
  slug: string;
  color: string;
  created_at: Date;
  updated_at: Date;
}

/** @returns false if the slug is taken. */
export async function insertWorkspace(trx: Transaction, workspace: WorkspaceRecord): Promise<boolean> {
  const made = await trx('workspace').insert(workspace).onConflict('slug').ignore().returning('id');
  return made.length > 0;
}

/** One that this transaction has made, and nothing refers to yet. */
export async function removeWorkspace(trx: Transaction, id: string): Promise<void> {
  await trx('workspace').where({ id }).delete();
}

/** Locked until the transaction is over. */
export async function lockWorkspace(trx: Transaction, instanceId: string, id: string): Promise<WorkspaceRecord | undefined> {
  return trx<WorkspaceRecord>('workspace').where({ id, instance_id: instanceId }).forNoKeyUpdate().first();
}

export async function updateWorkspace(
  db: Database,
  id: string,
  changes: Partial<Pick<WorkspaceRecord, 'name' | 'slug' | 'color'>> & Pick<WorkspaceRecord, 'updated_at'>,
): Promise<void> {
  await db('workspace').where({ id }).update(changes);
}
