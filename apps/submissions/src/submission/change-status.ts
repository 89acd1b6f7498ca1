import { audited, record, type Deed } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { momentAfter, shouldNotify, statusChanged } from './events';
import { lockSubmission } from './lock-submission';
import * as submissions from './submissions.queries';
import type { SubmissionRow } from './submissions.queries';

/** Any status may follow any other; setting the same status again changes nothing and records no event. */
export async function changeStatus(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id, to }: { formId: string; id: string; to: string },
): Promise<SubmissionRow> {
  return lockSubmission(
    deps,
    asked,
    'change submissions of this form',
    { formId, id },
    async (trx, { submission: before, workspaceId }) => {
      if (before.status === to) return before;

      const now = momentAfter([before], deps.clock.now());
      const after = { ...before, status: to };
      await submissions.appendHistory(trx, [
        {
          submission_id: id,
          from_status: before.status,
          to_status: to,
          actor_kind: asked.caller.kind,
          actor_id: asked.caller.id,
          changed_at: now,
        },
      ]);
      const deed: Deed = {
        action: 'submission.status_changed',
        target: { kind: 'submission', id },
        workspaceId,
        formId,
        details: { from_status: before.status, to_status: to },
      };
      await record(
        trx,
        ...(shouldNotify(before) ? [statusChanged(asked.caller.instanceId, before, after, now, asked.call)] : []),
        audited(asked, deed, now),
      );
      // Last, as it locks the form's counts until the commit.
      return submissions.change(trx, before, { status: to }, now);
    },
  );
}
