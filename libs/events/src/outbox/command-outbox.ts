import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@sheaf/postgres';
import type { Outbox } from './relay';

// Several times the poll interval of a relay.
const timeLimitMs = 3_000;
const pollMs = 50;

/**
 * The outbox of a command that runs alongside the service; the service's relay publishes its events. A transaction with signals resolves once
 * they have been published, so that for example a new password is valid everywhere, or after a time limit, because the service may be down.
 */
export const commandOutbox = (db: Database): Outbox => ({
  async transaction(work) {
    const result = await db.transaction(work);
    await signalsPublished(db);
    return result;
  },
});

async function signalsPublished(db: Database): Promise<void> {
  const waiting = await db('outbox').where('awaiting', '{}').max<{ last: number | null }>({ last: 'position' }).first();
  const last = waiting?.last ?? 0;
  const until = performance.now() + timeLimitMs;
  while (performance.now() < until) {
    const unpublished = await db('outbox').where('awaiting', '{}').where('position', '<=', last).first<{ id: string } | undefined>('id');
    if (!unpublished) return;
    await sleep(pollMs);
  }
}
