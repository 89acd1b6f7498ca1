import { audited, record } from '@sheaf/events';
import { authorize, isId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { isToldOf, submissionDeleted } from './events';
import * as submissions from './submissions.queries';

/** Moves a submission to the trash. */
export async function deleteSubmission(deps: Deps, asked: Asked<Client>, { formId, id }: { formId: string; id: string }): Promise<void> {
  const { role, workspaceId } = await deps.forms.standingOn(formId, asked);
  if (!isId(id)) throw Problem.notFound('submission');

  await deps.outbox.transaction(async (trx) => {
    const submission = await submissions.lock(trx, formId, id);
    if (!submission) throw Problem.notFound('submission');
    authorize(role, 'change submissions of this form');

    const now = deps.clock.now();
    await submissions.change(trx, submission, { deleted_at: now });
    await record(
      trx,
      ...(isToldOf(submission) ? [submissionDeleted(asked.caller.instanceId, submission, now, asked.call)] : []),
      audited(asked, { action: 'submission.deleted', target: { kind: 'submission', id }, workspaceId, formId }, now),
    );
  });
}
