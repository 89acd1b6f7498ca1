import { setTimeout as sleep } from 'node:timers/promises';
import { SheafConnectionError, SheafError } from '@sheaf/client';
import type { Session } from './context';

/**
 * Looks again and again until Ctrl-C, which is how it ends well. After a failure that may pass, it looks again a little later.
 * @throws the failure of a look that will not pass
 */
export async function follow(session: Pick<Session, 'signal' | 'say'>, intervalMs: number, look: () => Promise<void>): Promise<void> {
  const { signal } = session;
  try {
    for (let failures = 0; ;) {
      await sleep(intervalMs * 2 ** Math.min(failures, 4), undefined, { signal });
      try {
        await look();
        if (failures > 0) session.say('Sheaf answers again.');
        failures = 0;
      } catch (error) {
        if (!mayPass(error)) throw error;
        if (failures === 0) session.say(`${(error as Error).message} Trying again.`);
        failures += 1;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Whether the failure may be over by the next look. */
export const mayPass = (error: unknown): boolean =>
  error instanceof SheafConnectionError || (error instanceof SheafError && (error.status >= 500 || error.status === 429));
