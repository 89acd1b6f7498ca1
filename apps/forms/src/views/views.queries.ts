import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface ViewRow {
  id: string;
  form_id: string;
  /** The person whose own it is; null for one that is shared. */
  owner_id: string | null;
  name: string;
  pinned: boolean;
  /** Its place among the shared ones, or among those of its owner. Places may have gaps. */
  position: number;
  /** JSON text, as are the columns. */
  search: string;
  columns: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The shared views of a form in their order, and then those of a person. */
export const viewsSeenBy = (db: Database, formId: string, personId: string): Promise<ViewRow[]> =>
  rowsOf<ViewRow>(
    db,
    `select * from submission_view where form_id = ? and (owner_id is null or owner_id = ?)
      order by owner_id nulls first, position, id`,
    [formId, personId],
  );

export async function insertViews(trx: Transaction, views: readonly ViewRow[]): Promise<void> {
  if (views.length > 0) await trx('submission_view').insert([...views]);
}

export async function updateView(trx: Transaction, { id, ...changes }: Partial<ViewRow> & Pick<ViewRow, 'id'>): Promise<void> {
  await trx('submission_view').where({ id }).update(changes);
}

/** Gives views the places of their order. */
export async function placeViews(trx: Transaction, ids: readonly string[]): Promise<void> {
  await rowsOf(
    trx,
    `update submission_view as v set position = cast(placed.position as int)
       from unnest(cast(? as uuid[])) with ordinality as placed (id, position) where v.id = placed.id`,
    [[...ids]],
  );
}

export async function deleteView(trx: Transaction, id: string): Promise<void> {
  await trx('submission_view').where({ id }).delete();
}
