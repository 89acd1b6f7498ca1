import { isId, type Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as people from './people.queries';
import type { FoundPersonRow } from './people.queries';

/** The people with these ids who are members in the caller's instance. Other ids are left out. */
export async function findPeople({ db }: Deps, caller: Client, { ids }: { ids: readonly string[] }): Promise<FoundPersonRow[]> {
  return people.membersAmong(db, caller.instanceId, ids.filter(isId));
}

/** The person with this address, if they are a member in the caller's instance. */
export async function findPersonByEmail({ db }: Deps, caller: Client, { email }: { email: string }): Promise<FoundPersonRow[]> {
  const found = await people.memberByEmail(db, caller.instanceId, email.toLowerCase());
  return found ? people.membersAmong(db, caller.instanceId, [found.id]) : [];
}
