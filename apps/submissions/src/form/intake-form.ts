import type { ClosedReason } from '@sheaf/contracts';
import type { Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { fullOptionsOf, type FullOptions } from '../exact/full-options';
import type { PublishedForm } from './forms-view';
import { closedBecause } from './openness';
import { formForSite } from './sites';
import * as submissions from '../submission/submissions.queries';

/**
 * A form as a respondent sees it. `started` is a token that records when it was opened; `proofBits` is how many leading zero bits a proof of
 * work needs, if the form wants one.
 */
export type IntakeForm = PublishedForm & {
  closedBecause: ClosedReason | undefined;
  started: string;
  proofBits: number | undefined;
  /** The options without a place left; none while the form takes no submissions. */
  fullOptions: readonly FullOptions[];
};

/**
 * The form as a respondent sees it, and whether it takes submissions now. If it does, and a respondent opens it, this counts as a view.
 * @throws Problem `not_found`, `forbidden` if the form does not admit the site whose script asks.
 */
export async function intakeForm(
  deps: Deps,
  asked: Asked<Respondent>,
  input: { form: string; origin: string | undefined; isView?: boolean },
): Promise<IntakeForm> {
  const form = await formForSite(deps.forms, asked, input);
  const reason = closedBecause(form, deps.clock.now()) ?? (await closedByLimit(deps, form)) ?? closedWithoutPayments(deps, form);
  const proofBits = form.settings.proof_of_work === true ? deps.guard.proofBits : undefined;
  if (input.isView === true && reason === undefined) deps.visits.note(form.id, 'views');
  const fullOptions = reason === undefined ? await fullOptionsOf(deps, asked, form) : [];
  return { ...form, closedBecause: reason, fullOptions, started: await deps.guard.startToken(form.id), proofBits };
}

async function closedByLimit({ db }: Deps, { id, maxSubmissions: limit }: PublishedForm): Promise<ClosedReason | undefined> {
  return limit !== undefined && (await submissions.acceptedCount(db, id)) >= limit ? 'full' : undefined;
}

const closedWithoutPayments = ({ payments }: Deps, { payment }: PublishedForm): ClosedReason | undefined =>
  payment && !payments ? 'payments_not_set_up' : undefined;
