import type { BulkAction } from '@sheaf/contracts';
import { verdict } from '../spam/spam';
import { assignment } from '../submission/assign-submission';
import type { Doer, SubmissionChange } from '../submission/change-one';
import { toStatusTogether } from '../submission/change-status';
import type { SubmissionState } from '../submission/submissions.queries';
import { intoTrash, outOfTrash } from '../submission/trash';

/** The change that each of the submissions gets. */
export interface Action {
  action: BulkAction;
  new_status: string | null;
  new_assignee: string | null;
}

/** The facts of a submission that the action replaces, as they were before. */
export interface ItemBefore {
  status?: string;
  assignee?: string | null;
  spam_reason?: string | null;
}

/** The place of the submissions of an action: the list, or what is apart from it. */
export const placeOf = (action: BulkAction): 'list' | 'spam' | 'trash' =>
  action === 'release' ? 'spam' : action === 'restore' ? 'trash' : 'list';

/** Whether it changes a submission that is in the trash by the time. */
export const reachesTrash = (action: BulkAction): boolean => action === 'restore' || action === 'trash';

/** The same change as of one submission, so that events, history and audit entries are the same. */
export function changeOf({ action, new_status: status, new_assignee: assignee }: Action, doer: Doer): SubmissionChange {
  switch (action) {
    case 'set_status':
      if (status === null) throw new Error('a new status is missing');
      return toStatusTogether(doer, status);
    case 'assign':
      return assignment(doer, assignee);
    case 'mark_spam':
      return verdict(doer, true);
    case 'release':
      return verdict(doer, false);
    case 'trash':
      return intoTrash(doer);
    case 'restore':
      return outOfTrash(doer);
  }
}

export function beforeOf(action: BulkAction, { status, assignee, spam_reason }: SubmissionState): ItemBefore {
  if (action === 'set_status') return { status };
  if (action === 'assign') return { assignee };
  return action === 'release' ? { spam_reason } : {};
}

/** The way back from an action to what a submission had before. */
export function backOf(action: BulkAction, { status, assignee = null, spam_reason: reason }: ItemBefore, doer: Doer): SubmissionChange {
  switch (action) {
    case 'set_status':
      if (status === undefined) throw new Error('the status before is missing');
      return toStatusTogether(doer, status);
    case 'assign':
      return assignment(doer, assignee);
    case 'mark_spam':
      return verdict(doer, false);
    case 'release':
      return verdict(doer, true, reason ?? undefined);
    case 'trash':
      return outOfTrash(doer);
    case 'restore':
      return intoTrash(doer);
  }
}
