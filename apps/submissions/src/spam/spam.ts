import { audited, record } from '@sheaf/events';
import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { announce } from '../submission/announce';
import type { Deps } from '../deps';
import { lockSubmission } from '../submission/lock-submission';
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
 * A person's verdict is final: spam leaves the list, and a released submission enters it, even beyond the form's limit. Subscribers are
 * notified once, when a submission is released for the first time.
 */
export async function markSpam(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id, isSpam }: { formId: string; id: string; isSpam: boolean },
): Promise<SubmissionRow> {
  return lockSubmission(
    deps,
    asked,
    'change submissions of this form',
    { formId, id },
    async (trx, { submission: before, workspaceId }) => {
      if ((before.spam_at !== null) === isSpam) return before;

      const now = deps.clock.now();
      const asDeed = (action: 'submission.marked_as_spam' | 'submission.released') =>
        audited(asked, { action, target: { kind: 'submission', id }, workspaceId, formId }, now);
      const by = { actor_kind: asked.caller.kind, actor_id: asked.caller.id };
      const kind = isSpam ? 'marked_as_spam' : 'released';
      await submissions.appendDeeds(trx, [{ submission_id: id, kind, assignee: null, ...by, done_at: now }]);
      if (isSpam) {
        await record(trx, asDeed('submission.marked_as_spam'));
        return submissions.change(trx, before, { spam_at: now, spam_reason: 'marked' }, now);
      }
      const released = await submissions.change(trx, before, { spam_at: null, spam_reason: null }, now);
      await announce(trx, { ...released, instance_id: asked.caller.instanceId }, now, asked.call);
      await record(trx, asDeed('submission.released'));
      return released;
    },
  );
}
