import { record } from '@sheaf/events';
import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { changeMany, type BulkOutcome, type Named } from '../submission/change-many';
import { auditedEach, changeOne, type Doer, type SubmissionChange } from '../submission/change-one';
import { isAnnounced, submissionSpamChanged } from '../submission/events';
import * as submissions from '../submission/submissions.queries';
import type { ApartRow, Slice, SubmissionRow } from '../submission/submissions.queries';

/** A page of a form's spam, most recently found first, and the total. */
export async function listSpam(
  { db, forms }: Deps,
  asked: Asked<Client>,
  { formId, ...slice }: Slice & { formId: string },
): Promise<{ rows: ApartRow[]; total: number }> {
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  return submissions.listSpam(db, formId, slice);
}

/**
 * A person's verdict is final: spam leaves the list, and a released submission enters it, even beyond the form's limit, but not
 * beyond the places of an option. Subscribers are
 * notified once, when a submission is released for the first time; webhooks of the application may also hear of each later verdict.
 */
export const markSpam = (
  deps: Deps,
  asked: Asked<Client>,
  { isSpam, ...named }: { formId: string; id: string; isSpam: boolean },
): Promise<SubmissionRow> => changeOne(deps, asked, named, verdict(asked, isSpam));

/** Marks many submissions of a form as spam, or releases them: all or none. */
export const markManySpam = (deps: Deps, asked: Asked<Client>, { isSpam, ...named }: Named & { isSpam: boolean }): Promise<BulkOutcome> =>
  changeMany(deps, asked, named, verdict(asked, isSpam));

/** @param reason that spam is marked with */
export const verdict = (asked: Doer, isSpam: boolean, reason = 'marked'): SubmissionChange => ({
  isDue: ({ spam_at }) => (spam_at !== null) !== isSpam,
  to: (at) => (isSpam ? { spam_at: at, spam_reason: reason } : { spam_at: null, spam_reason: null }),
  note: async (trx, due, context) => {
    const by = { assignee: null, actor_kind: asked.caller.kind, actor_id: asked.caller.id, done_at: context.at };
    const kind = isSpam ? 'marked_as_spam' : 'released';
    await submissions.appendDeeds(
      trx,
      due.map(({ id }) => ({ submission_id: id, kind, ...by })),
    );
    const { instanceId } = asked.caller;
    await record(
      trx,
      ...due.filter(isAnnounced).map((row) => submissionSpamChanged(instanceId, row, { at: context.at, spam: isSpam }, asked.call)),
      ...auditedEach(asked, `submission.${kind}`, due, context),
    );
  },
  announces: !isSpam,
  returns: !isSpam,
});
