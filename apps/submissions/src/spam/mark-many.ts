import { audited, record } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { announceMany } from '../submission/announce';
import { changeMany, type BulkOutcome, type Named } from '../submission/change-many';
import * as submissions from '../submission/submissions.queries';

/** Marks many submissions of a form as spam, or releases them: all or none. */
export function markManySpam(deps: Deps, asked: Asked<Client>, { isSpam, ...named }: Named & { isSpam: boolean }): Promise<BulkOutcome> {
  const { formId } = named;
  const action = isSpam ? 'submission.marked_as_spam' : 'submission.released';
  return changeMany(deps, asked, named, {
    isDue: ({ spam_at }) => (spam_at !== null) !== isSpam,
    apply: async (trx, due, { at, workspaceId }) => {
      await submissions.changeMany(
        trx,
        formId,
        due,
        isSpam ? { spam_at: at, spam_reason: 'marked' } : { spam_at: null, spam_reason: null },
        at,
      );
      const by = { actor_kind: asked.caller.kind, actor_id: asked.caller.id };
      const kind = isSpam ? 'marked_as_spam' : 'released';
      await submissions.appendDeeds(
        trx,
        due.map(({ id }) => ({ submission_id: id, kind, assignee: null, ...by, done_at: at })),
      );
      if (!isSpam) await announceMany(trx, asked.caller.instanceId, due, at, asked.call);
      await record(trx, ...due.map(({ id }) => audited(asked, { action, target: { kind: 'submission', id }, workspaceId, formId }, at)));
    },
  });
}
