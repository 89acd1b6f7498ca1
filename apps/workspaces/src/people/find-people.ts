import { isId, Problem, type Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as people from './people.queries';
import type { PersonRow } from '../rows';

/** More than any of our services asks for at once. */
const maxIds = 10_000;

/** The people among these ids who are members in the caller's instance. Other ids are left out. */
export async function findPeople(
  { db }: Deps,
  caller: Client,
  { ids }: { ids: readonly string[] },
): Promise<Pick<PersonRow, 'id' | 'name' | 'email'>[]> {
  if (ids.length > maxIds) throw Problem.badRequest(`ids: must have at most ${maxIds} items`);
  return people.membersAmong(db, caller.instanceId, ids.filter(isId));
}
