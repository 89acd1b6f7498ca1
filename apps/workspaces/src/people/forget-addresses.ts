import { erasureConfirmed, record } from '@sheaf/events';
import { forgetAddresses } from '../audit-log/audit-log.queries';
import type { Deps } from '../deps';
import * as erasing from './erase-person.queries';
import type { ErasedPerson } from './erase-person.queries';

type ForgetDeps = Pick<Deps, 'db' | 'outbox' | 'clock'>;

const peopleAtOnce = 50;
const entriesAtOnce = 500;
/** Entries that another process was storing when the person was erased are found as well: no statement takes longer. */
const settleMs = 5_000;

/**
 * Removes the IP addresses of people who were erased from the audit log, and then confirms the erasure. Each step is its own transaction, so
 * a process that dies loses nothing, and the next round of any process goes on.
 * @returns the number of people with whom it has finished
 */
export async function forgetErased(deps: ForgetDeps, stopping?: AbortSignal): Promise<number> {
  let finished = 0;
  for (const person of await erasing.openErased(deps.db, peopleAtOnce)) {
    let state: State = 'more';
    while (state === 'more' && stopping?.aborted !== true) state = await forgetSome(deps, person);
    if (state === 'finished') finished++;
  }
  return finished;
}

type State = 'more' | 'waiting' | 'finished';

const forgetSome = (
  { outbox, clock }: ForgetDeps,
  { instance_id: instanceId, person_id: personId, ...rest }: ErasedPerson,
): Promise<State> =>
  outbox.transaction(async (trx) => {
    const now = clock.now();
    const open = await erasing.lockErased(trx, { instance_id: instanceId, person_id: personId, ...rest });
    if (!open) return 'waiting';
    const some = await forgetAddresses(trx, instanceId, personId, entriesAtOnce);
    const isFinished = some === 0 && now.getTime() - open.erased_at.getTime() >= settleMs;
    const entries = open.entries + some;
    await erasing.saveErased(trx, open, { entries, finished_at: isFinished ? now : null });
    if (isFinished)
      await record(
        trx,
        erasureConfirmed({ id: open.erasure_id, instanceId }, { service: 'workspaces', counts: { people: 1, addresses: entries } }, now),
      );
    return some > 0 ? 'more' : isFinished ? 'finished' : 'waiting';
  });
