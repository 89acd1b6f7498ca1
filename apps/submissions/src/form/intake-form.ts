import type { Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import type { PublishedForm } from './forms-view';
import { isOpen } from './openness';
import * as submissions from '../submission/submissions.queries';

/** What a respondent fills in, whether it takes submissions now, and the token that says since when they have it. */
export async function intakeForm(
  deps: Deps,
  asked: Asked<Respondent>,
  given: { form: string },
): Promise<PublishedForm & { open: boolean; started: string }> {
  const form = await deps.forms.published(given.form, asked);
  const limit = form.maxSubmissions;
  const isFull = limit !== undefined && (await submissions.acceptedCount(deps.db, form.id)) >= limit;
  const isPayable = form.payment === undefined || deps.payments !== undefined;
  return { ...form, open: isOpen(form, deps.clock.now()) && !isFull && isPayable, started: await deps.guard.startToken(form.id) };
}
