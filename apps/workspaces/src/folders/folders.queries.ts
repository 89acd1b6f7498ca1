import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { FolderRow } from '../rows';

/**
 * Serializes changes to the folders of a workspace: two concurrent moves, each valid on its own, could form a cycle. Such changes are rare,
 * and nothing else waits for this lock.
 */
export async function lockTree(trx: Transaction, workspaceId: string): Promise<void> {
  await rowsOf(trx, 'select from workspace where id = ? for no key update', [workspaceId]);
}

export async function folderById(db: Database, instanceId: string, id: string): Promise<FolderRow | undefined> {
  const [row] = await rowsOf<FolderRow>(db, 'select * from folder where id = ? and instance_id = ?', [id, instanceId]);
  return row;
}

export async function foldersOf(db: Database, instanceId: string, workspaceId: string): Promise<FolderRow[]> {
  return rowsOf<FolderRow>(db, 'select * from folder where workspace_id = ? and instance_id = ? order by sort_order, label, id', [
    workspaceId,
    instanceId,
  ]);
}

export async function insertFolder(trx: Transaction, folder: FolderRow): Promise<void> {
  await trx('folder').insert(folder);
}

export async function updateFolder(trx: Transaction, id: string, changes: Partial<FolderRow>): Promise<void> {
  await trx('folder').where({ id }).update(changes);
}

/** Whether a folder is the outer folder or one of its descendants. */
export async function isWithin(trx: Transaction, id: string, outer: string): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `with recursive way_up as (
       select id, parent_id from folder where id = :id
       union
       select f.id, f.parent_id from folder f join way_up w on f.id = w.parent_id
     )
     select from way_up where id = :outer`,
    { id, outer },
  );
  return rows.length > 0;
}

/** Moves the direct subfolders of a folder to another one, or to the top level. */
export async function moveContents(trx: Transaction, from: string, to: string | null): Promise<void> {
  await trx('folder').where({ parent_id: from }).update({ parent_id: to });
}

export async function deleteFolder(trx: Transaction, id: string): Promise<void> {
  await trx('folder').where({ id }).delete();
}
