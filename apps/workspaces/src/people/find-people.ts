import { isId, type Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as people from './people.queries';
import type { FoundPersonRow } from './people.queries';

/** The people with these ids who are members in the caller's instance. Other ids are left out. */
export async function findPeople({ db }: Deps, caller: Client, { ids }: { ids: readonly string[] }): Promise<FoundPersonRow[]> {
  return people.membersAmong(db, caller.instanceId, ids.filter(isId));
}
