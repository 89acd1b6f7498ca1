import { audited, record } from '@sheaf/events';
import { operatorIn, Problem } from '@sheaf/kernel';
import { accessChanged } from './access-changed';
import * as credentials from './credentials.queries';
import type { CommandDeps } from './deps';
import { hashPassword } from './password';
import * as people from './people.queries';
import type { PersonRow } from './rows';

/**
 * Gives somebody a password in place of the one that they may have, for who runs the deployment. It is one for all instances: all of
 * their sessions end, and so do invitations; API keys stay, as they were never derived from it.
 */
export async function setPassword(deps: CommandDeps, call: { requestId: string }, { email, password }: { email: string; password: string }): Promise<PersonRow> {
  const person = await people.personByEmail(deps.db, email.toLowerCase());
  if (!person) throw Problem.notFound('user');
  const password_hash = await hashPassword(password);

  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    await people.lockPerson(trx, person.id);
    await people.updatePerson(trx, person.id, { password_hash });
    await people.deleteInvitations(trx, person.id);
    await credentials.endSessionsOf(trx, person.id, now);
    for (const instanceId of await people.instancesOf(trx, person.id)) {
      const asked = { caller: operatorIn(instanceId), call };
      await record(
        trx,
        accessChanged(instanceId, { principalIds: [person.id] }, now),
        audited(asked, { action: 'password.changed', target: { kind: 'user', id: person.id } }, now),
      );
    }
  });
  return person;
}
