import { audited, record, type Deed } from '@sheaf/events';
import { authorize, isId, Problem, maxReportedErrors, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { shouldNotify, statusesChanged } from './events';
import * as submissions from './submissions.queries';

/**
 * Gives many submissions of a form the same status: all or none, with one event for all that changed.
 * @returns the ids that changed and those that already had the status, both in the requested order.
 */
export async function changeStatuses(
  deps: Deps,
  asked: Asked<Client>,
  { formId, ids, to }: { formId: string; ids: readonly string[]; to: string },
): Promise<{ updated: string[]; unchanged: string[] }> {
  const { role, workspaceId } = await deps.forms.standingOn(formId, asked);
  authorize(role, 'change submissions of this form');
  refuseUnknown(ids.filter((id) => !isId(id)));

  return deps.outbox.transaction(async (trx) => {
    const found = new Map((await submissions.lockMany(trx, formId, ids)).map((row) => [row.id, row]));
    refuseUnknown(ids.filter((id) => !found.has(id)));

    const now = deps.clock.now();
    const requested = ids.flatMap((id) => found.get(id) ?? []);
    const changing = requested.filter(({ status }) => status !== to);
    if (changing.length > 0) {
      await submissions.changeMany(trx, formId, changing, { status: to }, now);
      await submissions.appendHistory(
        trx,
        changing.map(({ id, status }) => ({
          submission_id: id,
          from_status: status,
          to_status: to,
          actor_kind: asked.caller.kind,
          actor_id: asked.caller.id,
          changed_at: now,
        })),
      );
    }
    const notified = changing.filter(shouldNotify).map(({ id }) => id);
    const deeds = changing.map(({ id, status }): Deed => ({
      action: 'submission.status_changed',
      target: { kind: 'submission', id },
      workspaceId,
      formId,
      details: { from_status: status, to_status: to },
    }));
    await record(
      trx,
      ...(notified.length > 0 ? [statusesChanged(asked.caller.instanceId, formId, { ids: notified, to, at: now }, asked.call)] : []),
      ...deeds.map((deed) => audited(asked, deed, now)),
    );

    return { updated: changing.map(({ id }) => id), unchanged: requested.filter(({ status }) => status === to).map(({ id }) => id) };
  });
}

/** An unknown id in a body is a bad request; in a path it would be a 404. */
function refuseUnknown(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const more = ids.length > maxReportedErrors ? ` (and ${ids.length - maxReportedErrors} more)` : '';
  throw Problem.badRequest(`submission_ids: not found in this form: ${ids.slice(0, maxReportedErrors).join(', ')}${more}`);
}
