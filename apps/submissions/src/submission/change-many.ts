import { authorize, isId, Problem, maxReportedErrors, type Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { readyForMembers } from '../exact/ready-for-members';
import { unlessRefused } from '../exact/refusals';
import { announceMany } from './announce';
import { onlyIfChangedAt, type ChangeContext, type Doer, type SubmissionChange } from './change-one';
import { momentAfter } from './events';
import * as submissions from './submissions.queries';
import type { SubmissionState } from './submissions.queries';

/** The submissions that a caller wants to change in the same way. */
export interface Named {
  formId: string;
  ids: readonly string[];
  /** Only those whose last change was at this time. */
  ifChangedAt?: Date | undefined;
}

/** The ids that changed and those that were already as wanted, both in the requested order. */
export interface BulkOutcome {
  updated: string[];
  unchanged: string[];
  /** When they changed; undefined if none did. */
  changedAt: Date | undefined;
}

/**
 * Changes many submissions of a form in one transaction: all or none.
 * @throws Problem `not_found`, `forbidden`, `bad_request` that names the unknown ids, `conflict` if there is no place for one any more
 */
export async function changeMany(
  { forms, exact, outbox, clock }: Pick<Deps, 'forms' | 'exact' | 'outbox' | 'clock'>,
  asked: Asked<Client>,
  { formId, ids, ifChangedAt, includeTrash = false }: Named & { includeTrash?: boolean },
  change: SubmissionChange,
): Promise<BulkOutcome> {
  const { role, workspaceId } = await forms.standingOn(formId, asked);
  authorize(role, 'change submissions of this form');
  refuseUnknown(ids.filter((id) => !isId(id)));
  if (change.returns) await readyForMembers({ forms, exact }, asked, formId);

  return unlessRefused(
    outbox.transaction(async (trx) => {
      const found = new Map((await submissions.lockMany(trx, formId, ids, { includeTrash })).map((row) => [row.id, row]));
      // Those that are gone have not changed at that time.
      if (ifChangedAt === undefined) refuseUnknown(ids.filter((id) => !found.has(id)));
      const { isDue } = onlyIfChangedAt(change, ifChangedAt);
      const due = ids.flatMap((id) => found.get(id) ?? []).filter(isDue);
      const at = await changeLocked(trx, asked, { workspaceId, formId, now: clock.now() }, [{ due, change }]);
      const updated = due.map(({ id }) => id);
      const isUpdated = new Set(updated);
      return { updated, unchanged: ids.filter((id) => !isUpdated.has(id)), changedAt: due.length > 0 ? at : undefined };
    }),
  );
}

/** Submissions that are due, and the change that each of them gets. */
export interface DueChange {
  due: readonly SubmissionState[];
  change: SubmissionChange;
}

/**
 * Changes locked submissions of a form that are due. @returns the moment that they have as that of their last change
 * @throws Problem `bad_request` if their answers are too large to be announced in one transaction
 */
export async function changeLocked(
  trx: Transaction,
  doer: Doer,
  { now, ...form }: Omit<ChangeContext, 'at'> & { now: Date },
  changes: readonly DueChange[],
): Promise<Date> {
  const made = changes.filter(({ due }) => due.length > 0);
  const at = momentAfter(
    made.flatMap(({ due }) => due),
    now,
  );
  await submissions.changeGroups(
    trx,
    form.formId,
    made.map(({ due, change }) => ({ befores: due, to: change.to(at) })),
    at,
  );
  for (const { due, change } of made) {
    if (change.announces) await announceMany(trx, doer.caller.instanceId, due, at, doer.call);
    await change.note(trx, due, { at, ...form });
  }
  return at;
}

/** An unknown id in a body is a bad request; in a path it would be a 404. */
export function refuseUnknown(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const more = ids.length > maxReportedErrors ? ` (and ${ids.length - maxReportedErrors} more)` : '';
  throw Problem.badRequest(`submission_ids: not found in this form: ${ids.slice(0, maxReportedErrors).join(', ')}${more}`);
}
