import { audited, type Deed, type DomainEvent } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked, Call } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { readyForMembers } from '../exact/ready-for-members';
import { unlessRefused } from '../exact/refusals';
import { announce } from './announce';
import { momentAfter } from './events';
import { lockSubmission } from './lock-submission';
import * as submissions from './submissions.queries';
import type { Change, SubmissionRow, SubmissionState } from './submissions.queries';

/** The author of a change, and their request: the caller, or somebody for whom it goes on in the background. */
export interface Doer {
  readonly caller: Client;
  readonly call: Pick<Call, 'requestId' | 'address' | 'trace'>;
}

export interface ChangeContext {
  at: Date;
  workspaceId: string;
  formId: string;
}

/** The changes that a caller may make to one submission, or to many at once. */
export interface SubmissionChange<Submission extends SubmissionState = SubmissionState> {
  /** Whether there is anything to change. */
  isDue: (submission: Submission) => boolean;
  to: (at: Date) => Change;
  /** Records what was done with those that were due, as they were before. */
  note: (trx: Transaction, due: readonly SubmissionState[], context: ChangeContext) => Promise<void>;
  /** Whether it may lift what held back an announcement. */
  announces?: boolean;
  /** Whether it may bring back a submission that did not count, for which there may be no place any more. */
  returns?: boolean;
}

/** The same change of those alone whose last change was at a time, if one is given. */
export const onlyIfChangedAt = <Submission extends SubmissionState>(
  change: SubmissionChange<Submission>,
  at: Date | undefined,
): SubmissionChange<Submission> =>
  at === undefined ? change : { ...change, isDue: (row) => change.isDue(row) && row.changed_at?.getTime() === at.getTime() };

/**
 * Changes a submission. One that is as wanted already stays as it is, and nothing is recorded.
 * @throws Problem `not_found`, `forbidden`, `conflict` if there is no place for it any more
 */
export async function changeOne(
  deps: Deps,
  asked: Asked<Client>,
  named: { formId: string; id: string; includeTrash?: boolean },
  { isDue, to, note, announces = false, returns = false }: SubmissionChange<SubmissionRow>,
): Promise<SubmissionRow> {
  if (returns) await readyForMembers(deps, asked, named.formId);
  return unlessRefused(
    lockSubmission(deps, asked, 'change submissions of this form', named, async (trx, { submission: before, workspaceId }) => {
      if (!isDue(before)) return before;
      const at = momentAfter([before], deps.clock.now());
      await note(trx, [before], { at, workspaceId, formId: named.formId });
      // After that, as it locks the form's counts until the commit.
      const after = await submissions.change(trx, before, to(at), at);
      if (announces) await announce(trx, { ...after, instance_id: asked.caller.instanceId }, at, asked.call);
      return after;
    }),
  );
}

/** The audit entries of what was done with each of some submissions. */
export const auditedEach = (
  asked: Doer,
  action: Deed['action'],
  due: readonly SubmissionState[],
  { at, workspaceId, formId }: ChangeContext,
  detailsOf?: (submission: SubmissionState) => Deed['details'],
): DomainEvent[] =>
  due.map((submission) => {
    const deed: Deed = { action, target: { kind: 'submission', id: submission.id }, workspaceId, formId };
    const details = detailsOf?.(submission);
    return audited(asked, details ? { ...deed, details } : deed, at);
  });
