import type { Process } from '@sheaf/runtime';
import type { Deps } from './deps';
import { expireAbandoned } from './settle-payment';

const everyMs = 600_000;

/** Gives up on payments without a checkout now and then, until the process stops. Several copies of it do no harm. */
export function keepExpiring(own: Process, deps: Deps): void {
  let turn = Promise.resolve();
  const timer = setInterval(() => {
    turn = expireAbandoned(deps).catch((error: unknown) => own.log.warn({ err: error }, 'payments without a checkout wait'));
  }, everyMs);
  own.onStop('expiring', async () => {
    clearInterval(timer);
    await turn;
  });
}
