import { record } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { auditedEach, changeOne, onlyIfChangedAt, type Doer, type SubmissionChange } from './change-one';
import * as submissions from './submissions.queries';
import type { SubmissionRow } from './submissions.queries';

/**
 * Names the person who takes care of a submission, or nobody. They stay named if they lose their access later, because somebody has to see
 * that the submission waits for them.
 */
export const assignSubmission = (
  deps: Deps,
  asked: Asked<Client>,
  {
    assignee = null,
    ifChangedAt,
    ...named
  }: { formId: string; id: string; assignee?: string | null | undefined; ifChangedAt?: Date | undefined },
): Promise<SubmissionRow> => changeOne(deps, asked, named, onlyIfChangedAt(assignment(asked, assignee), ifChangedAt));

/** To a person, or to nobody. */
export const assignment = (asked: Doer, assignee: string | null): SubmissionChange => ({
  isDue: (submission) => submission.assignee !== assignee,
  to: () => ({ assignee }),
  note: async (trx, due, context) => {
    const by = { actor_kind: asked.caller.kind, actor_id: asked.caller.id, done_at: context.at };
    await submissions.appendDeeds(
      trx,
      due.map(({ id }) => ({ submission_id: id, kind: 'assigned', assignee, ...by })),
    );
    await record(trx, ...auditedEach(asked, 'submission.assigned', due, context, () => (assignee === null ? undefined : { assignee })));
  },
});
