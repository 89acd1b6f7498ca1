import { audited, record } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { momentAfter, shouldNotify, submissionDeleted } from './events';
import { lockSubmission } from './lock-submission';
import * as submissions from './submissions.queries';

export async function deleteSubmission(deps: Deps, asked: Asked<Client>, { formId, id }: { formId: string; id: string }): Promise<void> {
  await lockSubmission(deps, asked, 'change submissions of this form', { formId, id }, async (trx, { submission, workspaceId }) => {
    const now = momentAfter([submission], deps.clock.now());
    await submissions.change(trx, submission, { deleted_at: now }, now);
    await record(
      trx,
      ...(shouldNotify(submission) ? [submissionDeleted(asked.caller.instanceId, submission, now, asked.call)] : []),
      audited(asked, { action: 'submission.deleted', target: { kind: 'submission', id }, workspaceId, formId }, now),
    );
  });
}
