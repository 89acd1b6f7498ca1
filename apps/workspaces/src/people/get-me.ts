import { Problem, type Client } from '@sheaf/kernel';
import * as credentials from '../credentials/credentials.queries';
import type { Deps } from '../deps';
import * as people from './people.queries';

/** Who the credential belongs to. A service account has no mailbox; it gets an address that can be nobody's (RFC 2606). */
export async function getMe({ db }: Deps, caller: Client): Promise<{ id: string; email: string; name: string }> {
  if (caller.kind === 'service_account') {
    const account = await credentials.serviceAccount(db, caller.instanceId, caller.id);
    if (!account) throw Problem.unauthorized('a deleted service account');
    return { id: account.id, email: `${account.id}@service-accounts.invalid`, name: account.name };
  }
  const person = await people.personById(db, caller.instanceId, caller.id);
  if (!person) throw Problem.unauthorized('a person who is not there');
  return { id: person.id, email: person.email, name: person.name };
}
