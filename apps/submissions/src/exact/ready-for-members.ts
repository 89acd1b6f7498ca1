import type { Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { ifNotFound } from '../form/forms-view';

/** Makes the rules of the latest version hold for what a member changes. A form that takes no answers now, as one in the trash, keeps those that it has. */
export async function readyForMembers(
  { forms, exact }: Pick<Deps, 'forms' | 'exact'>,
  asked: Asked<Client>,
  formId: string,
): Promise<void> {
  const form = await forms.published(formId, asked).catch(ifNotFound);
  if (form) await exact.current(form, asked);
}
