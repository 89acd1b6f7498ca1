import type { Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { ifNotFound } from '../form/forms-view';
import { formForSite } from '../form/sites';

/**
 * Comes before every use case for respondents that names a form: nothing of a form with an access code is told or taken without it. A form that is
 * not published has none to ask for. A site that the form does not admit is refused first.
 * @returns a pass, if the request has the right code
 * @throws Problem as `Admission` and `formForSite` say
 */
export async function admitted(
  { forms, admission }: Pick<Deps, 'forms' | 'admission'>,
  asked: Asked<Respondent>,
  { form: name, origin }: { form: string; origin?: string | undefined },
): Promise<string | undefined> {
  const form = await formForSite(forms, asked, { form: name, origin }).catch(ifNotFound);
  return form && admission(form, asked.call);
}
