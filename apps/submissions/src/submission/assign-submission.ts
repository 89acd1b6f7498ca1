import { audited, record, type Deed } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { lockSubmission } from './lock-submission';
import * as submissions from './submissions.queries';
import type { SubmissionRow } from './submissions.queries';

/**
 * Names the person who takes care of a submission, or nobody. They stay named if they lose their access later, because somebody has to see
 * that the submission waits for them.
 */
export async function assignSubmission(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id, assignee = null }: { formId: string; id: string; assignee?: string | null | undefined },
): Promise<SubmissionRow> {
  return lockSubmission(
    deps,
    asked,
    'change submissions of this form',
    { formId, id },
    async (trx, { submission: before, workspaceId }) => {
      if (before.assignee === assignee) return before;
      const now = deps.clock.now();
      const after = await submissions.change(trx, before, { assignee }, now);
      const deed: Deed = { action: 'submission.assigned', target: { kind: 'submission', id }, workspaceId, formId };
      const by = { actor_kind: asked.caller.kind, actor_id: asked.caller.id };
      await submissions.appendDeeds(trx, [{ submission_id: id, kind: 'assigned', assignee, ...by, done_at: now }]);
      await record(trx, audited(asked, assignee === null ? deed : { ...deed, details: { assignee } }, now));
      return after;
    },
  );
}
