import { isId, Problem, type Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as people from './people.queries';
import type { PersonRow } from '../rows';

/** More than anybody of our own services asks for at once. */
const atMost = 10_000;

/** Those of the ids that are people with a membership in the caller's instance; of all others it tells nothing. */
export async function findPeople({ db }: Deps, caller: Client, { ids }: { ids: readonly string[] }): Promise<Pick<PersonRow, 'id' | 'name' | 'email'>[]> {
  if (ids.length > atMost) throw Problem.badRequest(`ids: must be at most ${atMost}`);
  return people.membersAmong(db, caller.instanceId, ids.filter(isId));
}
