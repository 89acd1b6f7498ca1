import type { OpenForm } from './known-forms';
import type { Place } from './outcome';
import type { Deps, FormVisit } from './visit';

/** The place of a step among those of its form; the check of the answers has the one after the last page. */
export const placeOf = (form: Pick<OpenForm, 'steps'>, step: Place['step']): number => (step === 'check' ? form.steps.length : step);

/**
 * The place where a page leads, with how far its respondent has got by then: the page that follows carries it, so that going back and forth counts once.
 * @param from the step that the page showed
 */
export function further(deps: Deps, visit: FormVisit, from: Place['step'], place: Place): Place {
  const { form } = visit;
  const { furthest: before = placeOf(form, from) } = place.entered;
  const reached = placeOf(form, place.step);
  if (reached > before) tell(deps, visit, { reached, from: before });
  return { ...place, entered: { ...place.entered, furthest: Math.max(reached, before) } };
}

/** A respondent begins with a form, or with a new version of it. */
export function begun(deps: Deps, visit: FormVisit, first: number): void {
  tell(deps, visit, { reached: first });
}

/** Nothing waits for it: a count that is lost is better than an answer that is late. */
function tell({ submissions }: Deps, { form, asked }: FormVisit, progress: { reached: number; from?: number }): void {
  if (form.steps.length > 1)
    submissions.countStep(asked.call, { form: form.id, version: form.version, ...progress }).catch(() => undefined);
}
