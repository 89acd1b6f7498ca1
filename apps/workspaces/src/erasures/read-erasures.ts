import { authorizeInAny, isId, Problem, type User } from '@sheaf/kernel';
import { cursorAfter, placeOf, timeInPlace } from '@sheaf/rpc';
import { z } from 'zod';
import type { Deps } from '../deps';
import { erasureById, pageOfErasures, type ErasureRow } from './erasures.queries';

const Place = z.tuple([timeInPlace(), z.uuid()]);

/** Erasures in the workspaces that the caller owns or administers, and those of the whole instance, the newest first. */
export async function listErasures(
  { db }: Pick<Deps, 'db'>,
  caller: User,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ rows: ErasureRow[]; nextCursor: string | undefined }> {
  authorizeInAny(caller, 'read the audit log');
  const list = ['erasures', caller.instanceId];
  const [at, id] = cursor === undefined ? [] : placeOf(Place, cursor, list);
  const found = await pageOfErasures(db, [caller.instanceId, ...managedBy(caller)], {
    after: at === undefined || id === undefined ? undefined : { at, id },
    limit: limit + 1,
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor = last && found.length > limit ? cursorAfter([last.requested_at.toISOString(), last.id], list) : undefined;
  return { rows, nextCursor };
}

/** One of these, or one that the caller has begun. */
export async function getErasure({ db }: Pick<Deps, 'db'>, caller: User, { id }: { id: string }): Promise<ErasureRow> {
  const erasure = isId(id) ? await erasureById(db, caller.instanceId, id) : undefined;
  if (!erasure) throw Problem.notFound('erasure');
  const managed = managedBy(caller);
  const isManaged = erasure.workspace_id === null ? managed.length > 0 : managed.includes(erasure.workspace_id);
  if (!isManaged && erasure.requested_by_id !== caller.id) throw Problem.notFound('erasure');
  return erasure;
}

const managedBy = (caller: User): string[] =>
  Object.entries(caller.roles).flatMap(([workspaceId, role]) => (role === 'owner' || role === 'admin' ? [workspaceId] : []));
