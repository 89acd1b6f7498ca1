import { Problem, type Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { FormsView, PublishedForm } from './forms-view';

/**
 * The published form, for a request that a site's script may have sent. `origin` is that site; undefined for the form's own pages and for
 * programs, which no form keeps out.
 * @throws Problem `not_found`, `forbidden` if the form lists the sites that may use it and this is none of them.
 */
export async function formForSite(
  forms: Pick<FormsView, 'published'>,
  asked: Asked<Respondent>,
  { form: name, origin }: { form: string; origin: string | undefined },
): Promise<PublishedForm> {
  const form = await forms.published(name, asked);
  const { embed_origins: allowed } = form.settings;
  if (origin !== undefined && allowed && !allowed.includes(origin)) throw otherSite();
  return form;
}

/** With `details`, from which the gateway can tell this refusal from that of a closed form. */
function otherSite(): Problem {
  const fault = { key: 'Origin', message: 'is not among the sites that may use this form' };
  return new Problem('forbidden', `${fault.key}: ${fault.message}`, { details: [fault] });
}
