import { rowsOf, type Database } from '@sheaf/postgres';

export interface RotationRow {
  generation: number;
  begun_at: Date;
}

/** The rotations of an instance, latest first. */
export async function rotations(db: Database, instanceId: string): Promise<RotationRow[]> {
  return rowsOf<RotationRow>(db, 'select generation, begun_at from webhook_key where instance_id = ? order by generation desc limit 100', [
    instanceId,
  ]);
}

/** @returns false if another request has just rotated the key. */
export async function rotate(db: Database, instanceId: string, after: number, at: Date): Promise<boolean> {
  const rows = await rowsOf(
    db,
    'insert into webhook_key (instance_id, generation, begun_at) values (?, ?, ?) on conflict do nothing returning generation',
    [instanceId, after + 1, at],
  );
  return rows.length > 0;
}
