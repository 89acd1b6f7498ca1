import { audited, record, type Deed } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { changeMany, type BulkOutcome, type Named } from './change-many';
import { shouldNotify, statusesChanged } from './events';
import * as submissions from './submissions.queries';

/** Gives many submissions of a form the same status: all or none, with one event for all that changed. */
export function changeStatuses(deps: Deps, asked: Asked<Client>, { to, ...named }: Named & { to: string }): Promise<BulkOutcome> {
  const { formId } = named;
  return changeMany(deps, asked, named, {
    isDue: ({ status }) => status !== to,
    apply: async (trx, due, { at, workspaceId }) => {
      await submissions.changeMany(trx, formId, due, { status: to }, at);
      await submissions.appendHistory(
        trx,
        due.map(({ id, status }) => ({
          submission_id: id,
          from_status: status,
          to_status: to,
          actor_kind: asked.caller.kind,
          actor_id: asked.caller.id,
          changed_at: at,
        })),
      );
      const notified = due.filter(shouldNotify).map(({ id }) => id);
      const deeds = due.map(({ id, status }): Deed => ({
        action: 'submission.status_changed',
        target: { kind: 'submission', id },
        workspaceId,
        formId,
        details: { from_status: status, to_status: to },
      }));
      await record(
        trx,
        ...(notified.length > 0 ? [statusesChanged(asked.caller.instanceId, formId, { ids: notified, to, at }, asked.call)] : []),
        ...deeds.map((deed) => audited(asked, deed, at)),
      );
    },
  });
}
