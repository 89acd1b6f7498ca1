import { authorize, type Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import { loadForm, type SeenForm } from './load-form';

export async function getForm({ db }: Deps, caller: Client, { id }: { id: string }): Promise<SeenForm> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'read this form');
  return { form, role };
}
