import { audited, record } from '@sheaf/events';
import { authorize, isId, Problem, type Client } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { isToldOf, submissionDeleted } from './events';
import * as submissions from './submissions.queries';

/** Moves a submission to the trash. */
export async function deleteSubmission(deps: Deps, caller: Client, call: Call, { formId, id }: { formId: string; id: string }): Promise<void> {
  const { role, workspaceId } = await deps.forms.standingOn(formId, caller, call);
  if (!isId(id)) throw Problem.notFound('submission');

  await deps.outbox.transaction(async (trx) => {
    const submission = await submissions.lock(trx, formId, id);
    if (!submission) throw Problem.notFound('submission');
    authorize(role, 'change submissions of this form');

    const now = deps.clock.now();
    await submissions.change(trx, submission, { deleted_at: now });
    await record(
      trx,
      ...(isToldOf(submission) ? [submissionDeleted(caller.instanceId, submission, now, call)] : []),
      audited({ caller, call }, { action: 'submission.deleted', target: { kind: 'submission', id }, workspaceId, formId }, now),
    );
  });
}
