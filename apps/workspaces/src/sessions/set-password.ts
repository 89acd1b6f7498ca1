import { audited, record } from '@sheaf/events';
import { Problem, type Operator } from '@sheaf/kernel';
import { accessChanged } from '../people/access-changed';
import * as credentials from '../credentials/credentials.queries';
import type { By, CommandDeps } from '../deps';
import * as invitations from '../members/invitations.queries';
import { hashPassword, refuseCommonPassword } from './password';
import * as people from '../people/people.queries';
import type { PersonRow } from '../rows';
import * as links from './sign-in-links.queries';
import { forgetPlaces } from './sign-in-throttle';

/**
 * Sets a person's password, for the operator. This ends the person's sessions, invitations and sign-in link; API keys stay valid, because they do not
 * depend on the password.
 */
export async function setPassword(
  deps: CommandDeps,
  asked: By<Operator>,
  { email, password }: { email: string; password: string },
): Promise<PersonRow> {
  const { instanceId } = asked.caller;
  const person = await people.personByEmail(deps.db, instanceId, email.toLowerCase());
  if (!person) throw Problem.notFound('user');
  refuseCommonPassword(password, person.email);
  const password_hash = await hashPassword(password);

  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    await people.lockPerson(trx, instanceId, person.id);
    await people.updatePerson(trx, instanceId, person.id, { password_hash });
    await invitations.deleteInvitations(trx, instanceId, person.id);
    await invitations.deletePromisedForms(trx, instanceId, person.id);
    await links.deleteLinkOf(trx, instanceId, person.id);
    await forgetPlaces(trx, { instanceId, email: person.email });
    await credentials.endSessionsOf(trx, instanceId, person.id, now);
    await record(
      trx,
      accessChanged(instanceId, { principalIds: [person.id] }, now),
      audited(asked, { action: 'password.changed', target: { kind: 'user', id: person.id } }, now),
    );
  });
  return person;
}
