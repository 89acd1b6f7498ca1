import { record } from '@sheaf/events';
import { rowsOf } from '@sheaf/postgres';
import type { Deps } from '../deps';
import type { FormRow } from '../rows';
import { grantChanged } from './grant-changed';
import type { GrantRow } from './grants.queries';

/** Grants per transaction. */
const atOnce = 200;

/** Tells the other services again who was granted a role below owner, when it is due. Several processes may do this at once. */
export async function tellGrants(deps: Pick<Deps, 'outbox' | 'clock'>, stopping?: AbortSignal): Promise<number> {
  let told = 0;
  let some: number | undefined;
  do told += (some = await tellSome(deps)) ?? 0;
  while (some !== undefined && stopping?.aborted !== true);
  return told;
}

/** @returns the number of grants; undefined if none are due */
async function tellSome({ outbox, clock }: Pick<Deps, 'outbox' | 'clock'>): Promise<number | undefined> {
  const now = clock.now();
  return outbox.transaction(async (trx) => {
    const [due] = await rowsOf<{ number: number; after_form_id: string; after_user_id: string }>(
      trx,
      'select * from grants_to_tell where due_at <= ? order by due_at limit 1 for update skip locked',
      [now],
    );
    if (!due) return undefined;
    const next = await rowsOf<Pick<GrantRow, 'form_id' | 'user_id'>>(
      trx,
      `select form_id, user_id from form_grant where (form_id, user_id) > (?, ?) and role <> 'owner' order by form_id, user_id limit ?`,
      [due.after_form_id, due.after_user_id, atOnce],
    );
    // Locked, so that no older role or workspace is told after a newer one.
    const forms = await rowsOf<FormRow>(trx, 'select * from form where id = any(?::uuid[]) order by id for no key update', [
      next.map(({ form_id }) => form_id),
    ]);
    const grants = await rowsOf<GrantRow>(
      trx,
      `select form_id, user_id, role, created_at from form_grant
        where role <> 'owner' and (form_id, user_id) in (select * from unnest(?::uuid[], ?::uuid[]))`,
      [next.map(({ form_id }) => form_id), next.map(({ user_id }) => user_id)],
    );
    const events = grants.flatMap(({ form_id, user_id, role }) =>
      forms.filter(({ id }) => id === form_id).map((form) => grantChanged(form, user_id, role, now, { trace: undefined })),
    );
    await record(trx, ...events);

    const last = next.at(-1);
    const place = trx('grants_to_tell').where({ number: due.number });
    await (last && next.length === atOnce ? place.update({ after_form_id: last.form_id, after_user_id: last.user_id }) : place.delete());
    return events.length;
  });
}
