import { isId, type Client } from '@sheaf/kernel';
import { cursorAfter, placeOf } from '@sheaf/rpc';
import { z } from 'zod';
import type { Deps } from '../deps';
import { heldBy, type SubscriptionRow } from '../subscription/subscriptions.queries';

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * A page of the webhooks and subscriptions that are the caller's, on any form, the newest first: those that they created, unless somebody else changed
 * where or what they send, and those of which they changed it last.
 */
export async function listOwnHooks(
  { db }: Pick<Deps, 'db'>,
  { instanceId, kind, id }: Client,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ rows: SubscriptionRow[]; nextCursor: string | undefined }> {
  const list = ['own hooks', kind, id];
  const [before] = cursor === undefined ? [lastId] : placeOf(z.tuple([z.string().refine(isId)]), cursor, list);
  const found = await heldBy(db, { instance_id: instanceId, subscriber_kind: kind, subscriber_id: id }, { before, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last ? cursorAfter([last.id], list) : undefined };
}
