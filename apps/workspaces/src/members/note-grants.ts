import { GrantChanged } from '@sheaf/contracts';
import { readEvents, type DomainEvent } from '@sheaf/events';
import { formRoles } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { endInvalidInvitations } from './invitations';
import * as invitations from './invitations.queries';
import { isPending } from './is-pending';
import * as people from '../people/people.queries';

/**
 * When a person without a password gets a role on a form, records it and ends the invitations whose inviters could not grant that role,
 * because the holder of an invitation becomes this person and reads these forms. Handling an event twice changes nothing.
 */
export async function noteGrants(deps: Pick<Deps, 'db' | 'clock'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const { event, data: grant } of readEvents(log, events, 'grant.changed', GrantChanged, ['form_id', 'workspace_id', 'user_id'])) {
    await deps.db.transaction(async (trx) => {
      const person = await people.lockPerson(trx, event.instanceId, grant.user_id);
      if (!person || !isPending(person)) return;
      const form = { instance_id: event.instanceId, person_id: person.id, form_id: grant.form_id };
      if (grant.role === undefined) return invitations.deletePromisedForm(trx, form);
      // A role that only a newer version knows counts as the highest.
      const role = formRoles.find((known) => known === grant.role) ?? 'owner';
      await invitations.savePromisedForm(trx, { ...form, workspace_id: grant.workspace_id, role });
      await endInvalidInvitations(deps, trx, person);
    });
  }
}
