import { audited, erasureBegun, record, type Deed } from '@sheaf/events';
import { authorize, isId, newId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { refuseUnknown } from '../submission/change-many';
import { lockMany } from '../submission/submissions.queries';
import { beginErasing } from './erase';
import * as queries from './erasing.queries';

/** The services that have copies of submissions. */
export const awaited = ['submissions', 'delivery'] as const;

/** Erases a submission from the trash for good. @throws Problem `not_found`, `conflict` @returns the id of the erasure */
export const eraseSubmission = (deps: Deps, asked: Asked<Client>, { formId, id }: { formId: string; id: string }): Promise<string> =>
  eraseAll(deps, asked, { formId, ids: [id] }, (unknown) => {
    if (unknown.length > 0) throw Problem.notFound('submission');
  });

/** Erases submissions from the trash for good: all or none. @throws Problem `bad_request`, `conflict` @returns the id of the erasure */
export const eraseSubmissions = (deps: Deps, asked: Asked<Client>, wanted: { formId: string; ids: readonly string[] }): Promise<string> =>
  eraseAll(deps, asked, wanted, refuseUnknown);

async function eraseAll(
  deps: Deps,
  asked: Asked<Client>,
  { formId, ids }: { formId: string; ids: readonly string[] },
  refuse: (unknown: string[]) => void,
): Promise<string> {
  const { role, workspaceId, isHeld } = await deps.forms.holdOn(formId, asked);
  authorize(role, 'erase submissions of this form');
  refuse(ids.filter((id) => !isId(id)));
  const erasureId = newId();
  await deps.outbox.transaction(async (trx) => {
    const found = await lockMany(trx, formId, ids, { includeTrash: true });
    const known = new Set(found.map(({ id }) => id));
    refuse(ids.filter((id) => !known.has(id)));
    if (isHeld || (await queries.isHeld(trx, formId))) throw Problem.conflict(held);
    const listed = found.find(({ deleted_at }) => deleted_at === null);
    if (listed) throw Problem.conflict(notInTrash(listed.id));

    const now = deps.clock.now();
    const erased = await beginErasing(trx, { id: erasureId, instanceId: asked.caller.instanceId, formId, at: now }, found);
    const [only] = ids.length === 1 ? ids : [];
    const target =
      only === undefined ? ({ kind: 'submissions', targetId: formId } as const) : ({ kind: 'submission', targetId: only } as const);
    await record(
      trx,
      erasureBegun(asked, { id: erasureId, ...target, formId, workspaceId, reason: 'requested', awaited }, now),
      ...erased,
      ...found.map(({ id }) => audited(asked, erasedDeed(id, { erasureId, formId, workspaceId }), now)),
    );
  });
  return erasureId;
}

/** An erased submission, for the audit log. */
export const erasedDeed = (
  id: string,
  { erasureId, formId, workspaceId }: { erasureId: string; formId: string; workspaceId: string | undefined },
): Deed => ({
  action: 'submission.erased',
  target: { kind: 'submission', id },
  workspaceId,
  formId,
  details: { erasure: erasureId },
});

export const held = 'The form is under legal hold, so nothing of it may be erased.';
export const notInTrash = (id: string): string => `The submission ${id} is not in the trash. Move it there first.`;
