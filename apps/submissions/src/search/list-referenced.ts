import { readReference } from '@sheaf/contracts';
import { Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { named, type Named } from './named.queries';

/** The submissions that have a reference, of the forms on which the caller has a role. @throws Problem `bad_request` if it is none */
export async function listReferenced({ db, forms }: Pick<Deps, 'db' | 'forms'>, asked: Asked<Client>, typed: string): Promise<Named[]> {
  const reference = readReference(typed);
  if (reference === undefined)
    throw Problem.badRequest('reference: must have ten letters and digits, such as V5Q2-N0D0-6H, or be the id of a submission');
  const found = await named(db, reference);
  if (found.length === 0) return [];
  const roles = await forms.rolesOn([...new Set(found.map(({ form_id }) => form_id))], asked);
  return found.filter(({ form_id }) => roles.get(form_id) !== undefined);
}
