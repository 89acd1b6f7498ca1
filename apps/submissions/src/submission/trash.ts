import { record } from '@sheaf/events';
import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { changeMany, type BulkOutcome, type Named } from './change-many';
import { auditedEach, changeOne, type Doer, type SubmissionChange } from './change-one';
import { isAnnounced, shouldNotify, submissionDeleted, submissionRestored } from './events';
import * as submissions from './submissions.queries';
import type { ApartRow, Slice, SubmissionRow } from './submissions.queries';

/** A page of deleted submissions, most recently deleted first, and the total. */
export async function listTrash(
  { db, forms }: Deps,
  asked: Asked<Client>,
  { formId, ...slice }: Slice & { formId: string },
): Promise<{ rows: ApartRow[]; total: number }> {
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  return submissions.listTrash(db, formId, slice);
}

/** @throws Problem `not_found` also for a submission that is in the trash already. */
export async function deleteSubmission(deps: Deps, asked: Asked<Client>, named: { formId: string; id: string }): Promise<void> {
  await changeOne(deps, asked, named, intoTrash(asked));
}

/**
 * Moves many submissions of a form to the trash: all or none. Subscribers get one event for each, because the contract's
 * `submission.deleted` names a single submission.
 */
export const trashSubmissions = (deps: Deps, asked: Asked<Client>, named: Named): Promise<BulkOutcome> =>
  changeMany(deps, asked, { ...named, includeTrash: true }, intoTrash(asked));

/**
 * Restores a submission from the trash to where it was: the list or the spam. A submission that is not in the trash is unchanged. The
 * contract has no event for it, so only webhooks of the application hear that one that they know is back.
 */
export const restoreSubmission = (deps: Deps, asked: Asked<Client>, named: { formId: string; id: string }): Promise<SubmissionRow> =>
  changeOne(deps, asked, { ...named, includeTrash: true }, outOfTrash(asked));

/** Restores many submissions: all or none. */
export const restoreSubmissions = (deps: Deps, asked: Asked<Client>, named: Named): Promise<BulkOutcome> =>
  changeMany(deps, asked, { ...named, includeTrash: true }, outOfTrash(asked));

export const intoTrash = (asked: Doer): SubmissionChange => ({
  isDue: ({ deleted_at }) => deleted_at === null,
  to: (at) => ({ deleted_at: at }),
  note: (trx, due, context) =>
    record(
      trx,
      ...due.filter(shouldNotify).map((submission) => submissionDeleted(asked.caller.instanceId, submission, context.at, asked.call)),
      ...auditedEach(asked, 'submission.deleted', due, context),
    ),
});

export const outOfTrash = (asked: Doer): SubmissionChange => ({
  isDue: ({ deleted_at }) => deleted_at !== null,
  to: () => ({ deleted_at: null }),
  note: (trx, due, context) =>
    record(
      trx,
      ...due.filter(isAnnounced).map((submission) => submissionRestored(asked.caller.instanceId, submission, context.at, asked.call)),
      ...auditedEach(asked, 'submission.restored', due, context),
    ),
  // One that was paid for or released while in the trash has not been announced yet.
  announces: true,
  returns: true,
});
