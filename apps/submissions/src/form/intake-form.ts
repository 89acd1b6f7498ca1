import type { Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import type { PublishedForm } from './forms-view';
import { isOpen } from './openness';
import * as submissions from '../submission/submissions.queries';

/** The form as a respondent sees it, whether it takes submissions now, and a token that records when it was opened. */
export async function intakeForm(
  deps: Deps,
  asked: Asked<Respondent>,
  input: { form: string },
): Promise<PublishedForm & { open: boolean; started: string }> {
  const form = await deps.forms.published(input.form, asked);
  const limit = form.maxSubmissions;
  const isFull = limit !== undefined && (await submissions.acceptedCount(deps.db, form.id)) >= limit;
  const isPayable = form.payment === undefined || deps.payments !== undefined;
  return { ...form, open: isOpen(form, deps.clock.now()) && !isFull && isPayable, started: await deps.guard.startToken(form.id) };
}
