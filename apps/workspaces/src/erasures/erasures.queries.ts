import { rowsOf, type Database } from '@sheaf/postgres';

export interface NewErasure {
  id: string;
  instance_id: string;
  workspace_id: string | null;
  kind: string;
  target_id: string;
  form_id: string | null;
  reason: string;
  requested_by_kind: string;
  requested_by_id: string | null;
  requested_at: Date;
  awaited: string[];
}

export interface Confirmation {
  erasure_id: string;
  service: string;
  confirmed_at: Date;
  counts: Record<string, number>;
}

export interface ErasureRow extends NewErasure {
  confirmations: { service: string; confirmed_at: string; counts: Record<string, number> }[];
}

export async function insertErasures(db: Database, rows: readonly NewErasure[]): Promise<void> {
  if (rows.length > 0) await db('erasure').insert(rows).onConflict('id').ignore();
}

export async function insertConfirmations(db: Database, rows: readonly Confirmation[]): Promise<void> {
  if (rows.length > 0) await db('erasure_confirmation').insert(rows).onConflict(['erasure_id', 'service']).ignore();
}

const columns = `e.id, e.instance_id, e.workspace_id, e.kind, e.target_id, e.form_id, e.reason, e.requested_by_kind, e.requested_by_id,
  e.requested_at, e.awaited,
  coalesce((select json_agg(json_build_object('service', c.service, 'confirmed_at', c.confirmed_at, 'counts', c.counts))
              from erasure_confirmation c where c.erasure_id = e.id), '[]') as confirmations`;

/** A page of the erasures of some scopes, the newest first. Each scope is read in list order, and only as far as the page reaches. */
export const pageOfErasures = (
  db: Database,
  scopes: readonly string[],
  { after, limit }: { after: { at: string; id: string } | undefined; limit: number },
): Promise<ErasureRow[]> =>
  rowsOf<ErasureRow>(
    db,
    `select ${columns}
       from unnest(cast(:scopes as uuid[])) as scope (id)
      cross join lateral (
        select * from erasure where scope_id = scope.id and (requested_at, id) < (cast(:at as timestamptz), cast(:id as uuid))
         order by requested_at desc, id desc limit :limit
      ) as e
      order by e.requested_at desc, e.id desc limit :limit`,
    { scopes: [...scopes], at: after?.at ?? 'infinity', id: after?.id ?? highestId, limit },
  );

const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export async function erasureById(db: Database, instanceId: string, id: string): Promise<ErasureRow | undefined> {
  const [row] = await rowsOf<ErasureRow>(db, `select ${columns} from erasure e where e.id = ? and e.instance_id = ?`, [id, instanceId]);
  return row;
}

/** For operators: a page of the erasures of an instance, or of all of them, the newest first. Ids grow with time. */
export const newestErasures = (
  db: Database,
  instanceId: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<ErasureRow[]> =>
  rowsOf<ErasureRow>(
    db,
    `select ${columns} from (
       select * from erasure where instance_id = coalesce(cast(:instance as uuid), instance_id) order by id desc limit :limit offset :offset
     ) as e order by e.id desc`,
    { instance: instanceId ?? null, limit, offset },
  );

/** For operators: an erasure of any instance. */
export async function erasureOfAnyInstance(db: Database, id: string): Promise<ErasureRow | undefined> {
  const [row] = await rowsOf<ErasureRow>(db, `select ${columns} from erasure e where e.id = ?`, [id]);
  return row;
}
