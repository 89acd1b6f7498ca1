import { fieldsOf } from '@sheaf/contracts';
import type { Values } from './answers';
import type { Deps, FormVisit } from './visit';

/**
 * What was entered for questions that the form no longer asks, under the labels that they had; under their keys if the old version cannot be
 * read now.
 * @param version the version of the form in which it was entered
 */
export async function noLongerAsked(
  deps: Deps,
  { form, asked }: FormVisit,
  version: number,
  values: Values,
): Promise<{ label: string; value: string }[]> {
  const keys = new Set(fieldsOf(form.items).map(({ key }) => key));
  const gone = [...values].flatMap(([key, entered]) => {
    const value = entered.filter((each) => each !== '').join(', ');
    return keys.has(key) || value === '' ? [] : [{ key, value }];
  });
  if (gone.length === 0) return [];
  const labels = await deps.knownForms.labelsOf(form.id, version, asked.call).catch(() => undefined);
  return gone.map(({ key, value }) => ({ label: labels?.get(key) ?? key, value }));
}
