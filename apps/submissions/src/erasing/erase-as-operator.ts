import { audited, commandOutbox, erasureBegun, record } from '@sheaf/events';
import { isId, newId, operatorIn, Problem, type Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { lockOwned } from '../submission/submissions.queries';
import { beginErasing } from './erase';
import { awaited, erasedDeed, held, notInTrash } from './erase-submissions';
import * as queries from './erasing.queries';

/** Erases a submission from the trash, in any form. @throws Problem `not_found`, `conflict` @returns the id of the erasure */
export async function eraseAsOperator(db: Database, clock: Clock, { id }: { id: string }): Promise<string> {
  const erasureId = newId();
  await commandOutbox(db).transaction(async (trx) => {
    const found = isId(id) ? await lockOwned(trx, id) : undefined;
    if (!found) throw Problem.notFound('submission');
    const { form_id: formId, instance_id: instanceId } = found;
    if (await queries.isHeld(trx, formId)) throw Problem.conflict(held);
    if (found.deleted_at === null) throw Problem.conflict(notInTrash(id));
    const now = clock.now();
    const asked = { caller: operatorIn(instanceId), call: { requestId: erasureId, trace: undefined } };
    // Only `forms` knows the form's workspace, so the entries belong to the whole instance.
    const workspaceId = undefined;
    const erased = await beginErasing(trx, { id: erasureId, instanceId, formId, at: now }, [found]);
    const erasure = { id: erasureId, kind: 'submission', targetId: id, formId, workspaceId, reason: 'requested', awaited } as const;
    await record(
      trx,
      erasureBegun(asked, erasure, now),
      ...erased,
      audited(asked, erasedDeed(id, { erasureId, formId, workspaceId }), now),
    );
  });
  return erasureId;
}
