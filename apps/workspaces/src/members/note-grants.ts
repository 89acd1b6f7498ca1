import { GrantChanged } from '@sheaf/contracts';
import { bodyOf, type DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import type { z } from 'zod';
import type { Deps } from '../deps';
import { endInvalidInvitations } from './invitations';
import * as invitations from './invitations.queries';
import { isPending } from './is-pending';
import * as people from '../people/people.queries';

/**
 * When a person without a password becomes an owner of a form, records the form and ends the invitations whose inviters could not grant
 * that ownership, because the holder of an invitation becomes this person and gets these forms. Handling an event twice changes nothing.
 */
export async function noteGrants(deps: Pick<Deps, 'db' | 'clock'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'grant.changed') continue;
    const grant = read(event);
    if (!grant) {
      // Skipped permanently: a retry would fail as well and delay all later events.
      log.error({ eventId: event.id, type: event.type }, 'skipped an unreadable event');
      continue;
    }
    await deps.db.transaction(async (trx) => {
      const person = await people.lockPerson(trx, event.instanceId, grant.user_id);
      if (!person || !isPending(person)) return;
      const promised = { instance_id: event.instanceId, person_id: person.id, form_id: grant.form_id, workspace_id: grant.workspace_id };
      if (grant.role !== 'owner') return invitations.deletePromisedForm(trx, promised);
      await invitations.insertPromisedForm(trx, promised);
      await endInvalidInvitations(deps, trx, person);
    });
  }
}

function read(event: DomainEvent): z.output<typeof GrantChanged> | undefined {
  const data = bodyOf(GrantChanged, event);
  return data && [data.form_id, data.workspace_id, data.user_id].every(isId) ? data : undefined;
}
