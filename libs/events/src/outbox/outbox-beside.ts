import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@sheaf/postgres';
import type { Outbox } from './relay';

// Several times as long as a relay takes to look by itself.
const patienceMs = 3_000;
const lookEveryMs = 50;

/**
 * The outbox of a command that runs beside the service: the relay of the service carries its events. What recorded signals resolves
 * when they have been passed on, so that a password which was set counts everywhere; or after a moment, as the service may be down.
 */
export const outboxBeside = (db: Database): Outbox => ({
  async transaction(work) {
    const result = await db.transaction(work);
    await passedOn(db);
    return result;
  },
});

async function passedOn(db: Database): Promise<void> {
  const waiting = await db('outbox').where('awaiting', '{}').max<{ last: number | null }>({ last: 'position' }).first();
  const last = waiting?.last ?? 0;
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const one = await db('outbox').where('awaiting', '{}').where('position', '<=', last).first<{ id: string } | undefined>('id');
    if (!one) return;
    await sleep(lookEveryMs);
  }
}
