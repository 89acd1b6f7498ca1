import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/**
 * Links, such as invitations, must not lead to whatever host a request names: where any host is the instance, somebody could choose one of their
 * own. Without a configured address, the first one is used at which somebody who manages the instance has signed in. An address of this
 * machine proves nothing to others, and is replaced.
 */
export async function proveOrigin(trx: Transaction, instanceId: string, origin: string): Promise<void> {
  await rowsOf(
    trx,
    `update instance set proven_origin = :origin
      where id = :id and (proven_origin is null or (proven_origin ~ :loopback and :origin !~ :loopback)) returning id`,
    { id: instanceId, origin, loopback },
  );
}

const loopback = String.raw`^https?://(localhost|127\.[0-9.]+|\[::1\])(:[0-9]+)?$`;

export async function provenOrigin(db: Database, instanceId: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ proven_origin: string | null }>(db, 'select proven_origin from instance where id = ?', [instanceId]);
  return row?.proven_origin ?? undefined;
}
