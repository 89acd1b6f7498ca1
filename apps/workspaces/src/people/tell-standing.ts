import { record } from '@sheaf/events';
import { newId, operatorIn } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import type { Deps } from '../deps';
import { rolesOfPeopleChanged } from './standing-changed';

/** People per transaction. */
const atOnce = 200;

/** Tells the other services again what some people are, when it is due. Several processes may do this at once. */
export async function tellStanding(deps: Pick<Deps, 'outbox' | 'clock'>, stopping?: AbortSignal): Promise<number> {
  let told = 0;
  let some: number;
  do told += some = await tellSome(deps);
  while (some > 0 && stopping?.aborted !== true);
  return told;
}

async function tellSome({ outbox, clock }: Pick<Deps, 'outbox' | 'clock'>): Promise<number> {
  const now = clock.now();
  return outbox.transaction(async (trx) => {
    const due = await rowsOf<{ instance_id: string; person_id: string }>(
      trx,
      `delete from standing_to_tell where (instance_id, person_id, due_at) in (
         select instance_id, person_id, due_at from standing_to_tell where due_at <= ? order by due_at limit ? for update skip locked)
       returning instance_id, person_id`,
      [now, atOnce],
    );
    for (const instanceId of new Set(due.map(({ instance_id }) => instance_id))) {
      const ofInstance = due.filter(({ instance_id }) => instance_id === instanceId);
      // Locked, so that no older roles are told after newer ones.
      const people = await rowsOf<{ id: string }>(
        trx,
        'select id from person where instance_id = ? and id = any(?::uuid[]) order by id for no key update',
        [instanceId, ofInstance.map(({ person_id }) => person_id)],
      );
      const asked = { caller: operatorIn(instanceId), call: { requestId: newId() } };
      const ids = people.map(({ id }) => id);
      await record(trx, ...(await rolesOfPeopleChanged(trx, asked, ids, now)));
    }
    return due.length;
  });
}
