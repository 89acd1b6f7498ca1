import type { Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';

/**
 * Counts that a respondent got to a page of a form. One of a version that is no longer the latest is not counted: its page is about to be replaced.
 * @throws Problem `not_found`
 */
export async function countStep(
  { forms, steps }: Deps,
  asked: Asked<Respondent>,
  { form: name, version, reached, from }: { form: string; version: number; reached: number; from?: number | undefined },
): Promise<void> {
  const form = await forms.published(name, asked);
  if (form.version === version) steps.note(form, { reached, from });
}
