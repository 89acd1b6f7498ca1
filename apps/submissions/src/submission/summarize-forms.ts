import { canActOnForm, isId, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { countsOfForms, type FormCounts } from './form-counts.queries';

/** The listed submissions of several forms, in numbers. Leaves out forms that the caller may not read. */
export async function summarizeForms(
  { db, forms }: Pick<Deps, 'db' | 'forms'>,
  asked: Asked<Client>,
  { formIds }: { formIds: readonly string[] },
): Promise<FormCounts[]> {
  const roles = await forms.rolesOn(formIds.filter(isId), asked);
  const readable = [...roles].flatMap(([id, role]) => (canActOnForm(role, 'read submissions of this form') ? [id] : []));
  return countsOfForms(db, readable);
}
