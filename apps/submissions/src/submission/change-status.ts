import { record, type DomainEvent } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { changeMany, type BulkOutcome, type Named } from './change-many';
import { auditedEach, changeOne, type ChangeContext, type Doer, type SubmissionChange } from './change-one';
import { shouldNotify, statusChanged, statusesChanged } from './events';
import * as submissions from './submissions.queries';
import type { SubmissionRow, SubmissionState } from './submissions.queries';

/** Any status may follow any other; setting the same status again changes nothing and records no event. */
export const changeStatus = (
  deps: Deps,
  asked: Asked<Client>,
  { to, ...named }: { formId: string; id: string; to: string },
): Promise<SubmissionRow> =>
  changeOne(
    deps,
    asked,
    named,
    toStatus(asked, to, (changed, { at }) => changed.map((before) => statusChanged(asked.caller.instanceId, before, to, at, asked.call))),
  );

/** Gives many submissions of a form the same status: all or none, with one event for all that changed. */
export const changeStatuses = (deps: Deps, asked: Asked<Client>, { to, ...named }: Named & { to: string }): Promise<BulkOutcome> =>
  changeMany(deps, asked, named, toStatusTogether(asked, to));

/** Many get a status, with one event for all. */
export const toStatusTogether = (asked: Doer, to: string): SubmissionChange =>
  toStatus(asked, to, (changed, { at, formId }) => {
    const ids = changed.map(({ id }) => id);
    return ids.length > 0 ? [statusesChanged(asked.caller.instanceId, formId, { ids, to, at }, asked.call)] : [];
  });

const toStatus = (
  asked: Doer,
  to: string,
  eventsOf: (changed: readonly SubmissionState[], context: ChangeContext) => DomainEvent[],
): SubmissionChange => ({
  isDue: ({ status }) => status !== to,
  to: () => ({ status: to }),
  note: async (trx, due, context) => {
    const by = { to_status: to, actor_kind: asked.caller.kind, actor_id: asked.caller.id, changed_at: context.at };
    await submissions.appendHistory(
      trx,
      due.map(({ id, status }) => ({ submission_id: id, from_status: status, ...by })),
    );
    await record(
      trx,
      ...eventsOf(due.filter(shouldNotify), context),
      ...auditedEach(asked, 'submission.status_changed', due, context, ({ status }) => ({ from_status: status, to_status: to })),
    );
  },
});
