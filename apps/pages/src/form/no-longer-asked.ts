import { fieldsOf } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Values } from '@sheaf/form-view';
import type { Deps, FormVisit } from './visit';

/**
 * What was entered for questions that the form no longer asks, under the labels that they had. A page can be sent with any names and any
 * version, so nothing else is shown: it could be a text of somebody else. If the old version cannot be read now, the keys stand for labels.
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
  const labels = await deps.knownForms.labelsOf(form.id, version, asked.call).catch((thrown: unknown) => {
    const { code } = Problem.from(thrown);
    const isNoVersion = code === 'not_found' || code === 'bad_request';
    return new Map(isNoVersion ? [] : gone.filter(({ key }) => /^[a-z][a-z0-9_]*$/.test(key)).map(({ key }) => [key, key]));
  });
  return gone.flatMap(({ key, value }) => {
    const label = labels.get(key);
    return label === undefined ? [] : [{ label, value }];
  });
}
