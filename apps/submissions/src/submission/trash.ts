import { audited, record } from '@sheaf/events';
import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { announce } from './announce';
import type { Deps } from '../deps';
import { lockSubmission } from './lock-submission';
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

/**
 * Restores a submission from the trash to where it was: the list or the spam. A submission that is not in the trash is unchanged. The
 * contract has no event for it, so subscribers that already know the submission are not notified.
 */
export async function restoreSubmission(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id }: { formId: string; id: string },
): Promise<SubmissionRow> {
  return lockSubmission(
    deps,
    asked,
    'change submissions of this form',
    { formId, id, includeTrash: true },
    async (trx, { submission, workspaceId }) => {
      if (submission.deleted_at === null) return submission;

      const now = deps.clock.now();
      const restored = await submissions.change(trx, submission, { deleted_at: null }, now);
      // A submission that was paid for or released while in the trash has not been announced yet.
      await announce(trx, { ...restored, instance_id: asked.caller.instanceId }, now, asked.call);
      await record(trx, audited(asked, { action: 'submission.restored', target: { kind: 'submission', id }, workspaceId, formId }, now));
      return restored;
    },
  );
}
