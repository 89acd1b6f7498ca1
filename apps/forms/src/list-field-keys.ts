import { authorize, type Client } from '@sheaf/kernel';
import type { Deps } from './deps';
import * as drafts from './drafts.queries';
import { loadForm } from './load-form';

/** The keys that answers may have in any version: those of the latest version in its order, then the removed ones. */
export async function listFieldKeys({ db }: Deps, caller: Client, { formId }: { formId: string }): Promise<string[]> {
  const { form, role } = await loadForm(db, caller, formId);
  authorize(role, 'read this form');
  return drafts.keysOfAllVersions(db, form.id);
}
