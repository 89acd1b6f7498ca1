import { authorize, type Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as forms from '../form/forms.queries';
import { loadForm } from '../form/load-form';

/** A favourite belongs to the caller and does not change the form, so every role may have it, even in the trash. */
export async function setFavorite(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Client,
  { id, favorite }: { id: string; favorite: boolean },
): Promise<void> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'read this form');
  if (form.favorite === favorite) return;
  await db.transaction((trx) => forms.setFavorite(trx, { form_id: form.id, principal_id: caller.id }, favorite, clock.now()));
}
