import { Problem, type Client } from '@sheaf/kernel';
import * as credentials from '../credentials/credentials.queries';
import type { Deps } from '../deps';
import * as people from './people.queries';

/** The owner of the credential. A service account has no mailbox, so it gets an address under a reserved domain (RFC 2606). */
export async function getMe({ db }: Deps, caller: Client): Promise<{ id: string; email: string; name: string }> {
  if (caller.kind === 'service_account') {
    const account = await credentials.serviceAccount(db, caller.instanceId, caller.id);
    if (!account) throw Problem.unauthorized('service account deleted');
    return { id: account.id, email: `${account.id}@service-accounts.invalid`, name: account.name };
  }
  const person = await people.personById(db, caller.instanceId, caller.id);
  if (!person) throw Problem.unauthorized('person not found');
  return { id: person.id, email: person.email, name: person.name };
}
