import { WorkspaceErased } from '@sheaf/contracts';
import { erasureConfirmed, readEvents, record, type DomainEvent } from '@sheaf/events';
import { authorizeIn, isId, type User } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { keepingOf } from '../settings/keeping.queries';
import { eraseUnheld } from './erase-form';
import * as erasing from './erase-workspace.queries';

const workspacesAtOnce = 20;
const formsAtOnce = 20;
/** Longer than the maximum age of a request and its caller token, with which a form may still be created in the workspace. */
const watchMs = 600_000;

/** Finds a form under legal hold in the workspace. The check is repeated for each form in the transaction that erases it. */
export async function getWorkspaceHold(
  { db }: Pick<Deps, 'db'>,
  caller: User,
  { workspaceId }: { workspaceId: string },
): Promise<string | undefined> {
  const role = isId(workspaceId) ? caller.roles[workspaceId] : undefined;
  // `workspaces` says whether there is such a workspace.
  if (role === undefined) return undefined;
  authorizeIn(role, 'erase this workspace');
  return erasing.heldFormIn(db, caller.instanceId, workspaceId);
}

/** Stores the workspaces whose forms `eraseWorkspaces` has to erase. Handling an event twice changes nothing. */
export async function noteErasedWorkspaces({ db }: Pick<Deps, 'db'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const { event, data } of readEvents(log, events, 'workspace.erased', WorkspaceErased, ['workspace_id', 'erasure_id'])) {
    await erasing.insertErased(db, { ...data, instance_id: event.instanceId, erased_at: event.occurredAt });
  }
}

type EraseDeps = Pick<Deps, 'db' | 'outbox' | 'clock'>;

/**
 * Erases the forms of erased workspaces, in batches, and then confirms it. A form under legal hold stays until the hold ends. Each batch is its own
 * transaction, so a process that dies loses nothing, and the next round of any process goes on.
 * @returns the number of forms
 */
export async function eraseWorkspaces(deps: EraseDeps, stopping?: AbortSignal): Promise<number> {
  let erased = 0;
  for (let after: string | undefined; ;) {
    const ids = await erasing.openWorkspaces(deps.db, after, workspacesAtOnce);
    for (const id of ids) {
      for (let some = formsAtOnce; some > 0 && stopping?.aborted !== true; erased += some) some = await eraseSome(deps, id);
    }
    after = ids.at(-1);
    if (ids.length < workspacesAtOnce || stopping?.aborted === true) return erased;
  }
}

const eraseSome = ({ outbox, clock }: EraseDeps, workspaceId: string): Promise<number> =>
  outbox.transaction(async (trx) => {
    const now = clock.now();
    const open = await erasing.lockOpen(trx, workspaceId);
    if (!open) return 0;
    const asked = {
      caller: { kind: 'service', id: 'forms', instanceId: open.instance_id } as const,
      call: { requestId: open.erasure_id },
    };
    let count = 0;
    for (const form of await erasing.lockFormsIn(trx, open, formsAtOnce)) {
      // The hold may have come before the form was locked.
      if ((await keepingOf(trx, form.id)).legal_hold) continue;
      await eraseUnheld(trx, asked, form, now);
      count++;
    }
    const forms = open.forms + count;
    const isDone = count === 0 && !(await erasing.hasForms(trx, open));
    if (isDone && open.confirmed_at === null)
      await record(
        trx,
        erasureConfirmed({ id: open.erasure_id, instanceId: open.instance_id }, { service: 'forms', counts: { forms } }, now),
      );
    const isWatched = now.getTime() - open.erased_at.getTime() < watchMs;
    await erasing.saveOpen(trx, workspaceId, {
      forms,
      confirmed_at: open.confirmed_at ?? (isDone ? now : null),
      closed_at: isDone && !isWatched ? now : null,
    });
    return count;
  });
