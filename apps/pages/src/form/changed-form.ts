import { fieldsOf } from '@sheaf/contracts';
import type { Read } from '@sheaf/form-view';
import { readEntered, type Entered } from './entered';
import { fallenAway, type Earlier } from './fallen-away';
import { page, type Outcome, type Place } from './outcome';
import { begun, placeOf } from './progress';
import { answerToDropped, closed, firstOf, shownAnswers, visibleSteps } from './views';
import type { Deps, FormVisit } from './visit';

/** The answers as they were in the earlier version of the form; undefined if it cannot be read. */
export async function answersIn(deps: Deps, { form, asked, language }: FormVisit, earlier: Earlier): Promise<Read['answers'] | undefined> {
  try {
    return readEntered({ ...form, items: await deps.knownForms.itemsOf(form.id, earlier.version, asked.call) }, earlier, language).answers;
  } catch {
    return undefined;
  }
}

/**
 * The form was published again meanwhile: the respondent sees the new version, and what it does not take of their answers, before they send.
 * @param from the step of the earlier version that they had before them
 */
export async function changedForm(
  deps: Deps,
  visit: FormVisit,
  before: Entered,
  earlier: Earlier,
  { status, from, isSent }: { status: number; from: Place['step']; isSent: boolean },
): Promise<Outcome> {
  const { form, language } = visit;
  const { dropped, entered, hasSamePages } = await fallenAway(deps, visit, before, earlier);
  const read = readEntered(form, entered, language);
  if (form.closedBecause !== undefined)
    return page(403, closed(deps, visit, [...shownAnswers(visit, entered, read), ...dropped.map(answerToDropped)]));
  const step = form.steps.indexOf(firstOf(visibleSteps(visit, read)));
  // A page that is loaded again is no respondent who begins anew, and neither is a page whose texts were corrected.
  if (isSent && !hasSamePages) begun(deps, visit, step);
  const furthest = hasSamePages ? (before.furthest ?? placeOf(form, from)) : undefined;
  const keys = new Set(fieldsOf(form.items).map(({ key }) => key));
  const faults = before.faults.filter(({ key }) => keys.has(key));
  return { place: { status, entered: { ...entered, furthest }, step, findings: { notice: 'form_changed', dropped, faults } } };
}
