import { maxPreferences } from '@sheaf/contracts';
import { Problem, type User } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as people from './people.queries';
import * as preferences from './preferences.queries';
import type { PreferenceRow, Whose } from './preferences.queries';

const of = ({ instanceId, id }: User): Whose => ({ instanceId, personId: id });

export const getPreferences = ({ db }: Deps, caller: User): Promise<PreferenceRow[]> => preferences.preferencesOf(db, of(caller));

/** Sets one preference. It is no change of the person's data, so the audit log has no entry. */
export async function setPreference({ db }: Deps, caller: User, preference: PreferenceRow): Promise<void> {
  await db.transaction(async (trx) => {
    // Locked, so that two requests at the same time do not exceed the limit.
    if (!(await people.lockPerson(trx, caller.instanceId, caller.id))) throw Problem.unauthorized('person not found');
    if (!(await preferences.savePreference(trx, of(caller), preference, maxPreferences)))
      throw Problem.badRequest(`key: must be one of at most ${maxPreferences}; remove another one first`);
  });
}

export async function removePreference({ db }: Deps, caller: User, { key }: { key: string }): Promise<void> {
  if (!(await preferences.deletePreference(db, of(caller), key))) throw Problem.notFound('preference');
}
