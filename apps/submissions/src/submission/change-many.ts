import { authorize, isId, Problem, maxReportedErrors, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { announceMany } from './announce';
import type { SubmissionChange } from './change-one';
import { momentAfter } from './events';
import * as submissions from './submissions.queries';

/** The submissions that a caller wants to change in the same way. */
export interface Named {
  formId: string;
  ids: readonly string[];
}

/** The ids that changed and those that were already as wanted, both in the requested order. */
export interface BulkOutcome {
  updated: string[];
  unchanged: string[];
}

/**
 * Changes many submissions of a form in one transaction: all or none.
 * @throws Problem `not_found`, `forbidden`, `bad_request` that names the unknown ids
 */
export async function changeMany(
  { forms, outbox, clock }: Pick<Deps, 'forms' | 'outbox' | 'clock'>,
  asked: Asked<Client>,
  { formId, ids, includeTrash = false }: Named & { includeTrash?: boolean },
  { isDue, to, note, announces = false }: SubmissionChange,
): Promise<BulkOutcome> {
  const { role, workspaceId } = await forms.standingOn(formId, asked);
  authorize(role, 'change submissions of this form');
  refuseUnknown(ids.filter((id) => !isId(id)));

  return outbox.transaction(async (trx) => {
    const found = new Map((await submissions.lockMany(trx, formId, ids, { includeTrash })).map((row) => [row.id, row]));
    refuseUnknown(ids.filter((id) => !found.has(id)));
    const requested = ids.flatMap((id) => found.get(id) ?? []);
    const due = requested.filter(isDue);
    if (due.length > 0) {
      const at = momentAfter(due, clock.now());
      await submissions.changeMany(trx, formId, due, to(at), at);
      if (announces) await announceMany(trx, asked.caller.instanceId, due, at, asked.call);
      await note(trx, due, { at, workspaceId, formId });
    }
    return { updated: due.map(({ id }) => id), unchanged: requested.filter((row) => !due.includes(row)).map(({ id }) => id) };
  });
}

/** An unknown id in a body is a bad request; in a path it would be a 404. */
export function refuseUnknown(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const more = ids.length > maxReportedErrors ? ` (and ${ids.length - maxReportedErrors} more)` : '';
  throw Problem.badRequest(`submission_ids: not found in this form: ${ids.slice(0, maxReportedErrors).join(', ')}${more}`);
}
