import { audited, record } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { announceMany } from './announce';
import { changeMany, type BulkOutcome, type Named } from './change-many';
import { shouldNotify, submissionDeleted } from './events';
import * as submissions from './submissions.queries';

/**
 * Moves many submissions of a form to the trash: all or none. Subscribers get one event for each, because the contract's
 * `submission.deleted` names a single submission.
 */
export function trashSubmissions(deps: Deps, asked: Asked<Client>, named: Named): Promise<BulkOutcome> {
  const { formId } = named;
  const { instanceId } = asked.caller;
  return changeMany(deps, asked, named, {
    includeTrash: true,
    isDue: ({ deleted_at }) => deleted_at === null,
    apply: async (trx, due, { at, workspaceId }) => {
      await submissions.changeMany(trx, formId, due, { deleted_at: at }, at);
      await record(
        trx,
        ...due.filter(shouldNotify).map((submission) => submissionDeleted(instanceId, submission, at, asked.call)),
        ...due.map(({ id }) =>
          audited(asked, { action: 'submission.deleted', target: { kind: 'submission', id }, workspaceId, formId }, at),
        ),
      );
    },
  });
}

/** Restores many submissions from the trash to where they were: all or none. */
export function restoreSubmissions(deps: Deps, asked: Asked<Client>, named: Named): Promise<BulkOutcome> {
  const { formId } = named;
  return changeMany(deps, asked, named, {
    includeTrash: true,
    isDue: ({ deleted_at }) => deleted_at !== null,
    apply: async (trx, due, { at, workspaceId }) => {
      await submissions.changeMany(trx, formId, due, { deleted_at: null }, at);
      await announceMany(trx, asked.caller.instanceId, due, at, asked.call);
      await record(
        trx,
        ...due.map(({ id }) =>
          audited(asked, { action: 'submission.restored', target: { kind: 'submission', id }, workspaceId, formId }, at),
        ),
      );
    },
  });
}
