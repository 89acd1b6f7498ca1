import { isId, Problem, type User } from '@sheaf/kernel';
import { cursorAfter, placeOf, timeInPlace } from '@sheaf/rpc';
import { z } from 'zod';
import { authorizeReading, readableScopes } from '../audit-log/readable-scopes';
import type { Deps } from '../deps';
import { erasureById, pageOfErasures, type ErasureRow } from './erasures.queries';

const Place = z.tuple([timeInPlace(), z.uuid()]);

/** Erasures in the workspaces that the caller owns or administers, or all of the instance for those who run it, the newest first. */
export async function listErasures(
  deps: Pick<Deps, 'db'>,
  caller: User,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ rows: ErasureRow[]; nextCursor: string | undefined }> {
  authorizeReading(caller);
  const list = ['erasures', caller.instanceId];
  const [at, id] = cursor === undefined ? [] : placeOf(Place, cursor, list);
  const found = await pageOfErasures(deps.db, await readableScopes(deps, caller), {
    after: at === undefined || id === undefined ? undefined : { at, id },
    limit: limit + 1,
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor = last && found.length > limit ? cursorAfter([last.requested_at.toISOString(), last.id], list) : undefined;
  return { rows, nextCursor };
}

/** One of these, or one that the caller has begun. */
export async function getErasure(deps: Pick<Deps, 'db'>, caller: User, { id }: { id: string }): Promise<ErasureRow> {
  const erasure = isId(id) ? await erasureById(deps.db, caller.instanceId, id) : undefined;
  if (!erasure) throw Problem.notFound('erasure');
  const isManaged = (await readableScopes(deps, caller)).includes(erasure.workspace_id ?? erasure.instance_id);
  if (!isManaged && erasure.requested_by_id !== caller.id) throw Problem.notFound('erasure');
  return erasure;
}
