import type { AttemptError } from '@sheaf/contracts';
import type { ConnectionFacts, Excerpt } from '@sheaf/egress';
import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database } from '@sheaf/postgres';
import { bringTurnsForward } from '../subscriptions/turns.queries';

/** Why an attempt failed. `code` explains the error further: `CERT_HAS_EXPIRED` for `tls`. */
export interface Why {
  status?: number;
  error?: AttemptError;
  code?: string | undefined;
}

/** The outcome of an attempt that ended `at`, by this process's clock. It counts only while the attempt is still ours, until `lease`. */
export type Settlement = {
  id: string;
  subscriptionId: string;
  number: number;
  lease: Date;
  durationMs: number;
  at: Date;
  headers?: Record<string, string>;
  /** The beginning of the response. */
  response?: Excerpt | undefined;
  connection?: ConnectionFacts | undefined;
  /** Of a batch, the delivery that has the headers, the response and the connection; and, with that one, all that were sent. */
  toldBy?: string;
  inBatch?: readonly string[];
  /** A delivery that waits for another batch. */
  leavesBatch?: true;
} & (
  | { state: 'succeeded'; status: number }
  /** Another attempt is due after a pause. */
  | ({ state: 'pending'; pauseMs: number } & Why)
  | ({ state: 'failed' } & Why)
  /** Nothing was sent because of a fault on our side: as if the attempt had never begun. It is due again after a pause. */
  | { state: 'released'; pauseMs: number }
  /** Nothing was sent, and nothing will be. */
  | { state: 'cancelled'; reason: 'filtered' }
);

/**
 * Settles attempts. If any delivery needs another attempt, a transaction brings the turns forward first, because turns are always locked
 * before counters. Otherwise the one statement is its own transaction.
 */
export const settleAll = (db: Database, clock: Clock, settlements: readonly Settlement[]): Promise<void> =>
  settlements.some((one) => 'pauseMs' in one) ? db.transaction((trx) => settle(trx, clock, settlements)) : settle(db, clock, settlements);

// Written out instead of spread because every attempt passes here; see docs/contributing/performance.md.
const changeOf = (one: Settlement, agoMs: number) => ({
  number: one.number,
  lease: one.lease,
  state: one.state,
  reason: 'reason' in one ? one.reason : undefined,
  durationMs: one.durationMs,
  agoMs,
  headers: one.headers,
  pauseMs: 'pauseMs' in one ? one.pauseMs : undefined,
  status: 'status' in one ? one.status : undefined,
  error: 'error' in one ? one.error : undefined,
  code: 'code' in one ? one.code : undefined,
  response: one.response,
  connection: one.connection,
  toldBy: one.toldBy,
  inBatch: one.inBatch,
  leavesBatch: one.leavesBatch,
});

/** Settles attempts with one call of a database function (`settle-attempts.sql.ts`), or with several if a delivery has more than one. */
export async function settle(db: Database, clock: Clock, settlements: readonly Settlement[]): Promise<void> {
  const now = clock.now().getTime();
  // A pause counts from the end of the attempt, and the database may have been away since then.
  const agoMs = ({ at }: Settlement) => Math.max(0, now - at.getTime());
  await bringTurnsForward(
    db,
    clock,
    settlements.flatMap((one) => ('pauseMs' in one ? [{ id: one.subscriptionId, inMs: one.pauseMs - agoMs(one) }] : [])),
  );
  for (let remaining = settlements; remaining.length > 0;) {
    const changes = new Map<string, unknown>();
    // A process that was suspended may have two attempts of a delivery to settle.
    const repeated: Settlement[] = [];
    for (const one of remaining) {
      if (changes.has(one.id)) repeated.push(one);
      else changes.set(one.id, changeOf(one, agoMs(one)));
    }
    await rowsOf(db, `select settle_attempts(cast(:changes as jsonb), ${databaseTime()})`, {
      changes: JSON.stringify(Object.fromEntries(changes)),
      moment: momentOf(clock),
    });
    remaining = repeated;
  }
}
