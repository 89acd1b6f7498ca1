import type { WorkspaceErased } from '@sheaf/contracts';
import { audited, erasureBegun, erasureConfirmed, record, type DomainEvent } from '@sheaf/events';
import { authorizeIn, isId, newId, Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { z } from 'zod';
import type { By, CommandDeps } from '../deps';
import { roleIn, type Manager } from '../members/manager';
import { accessChanged } from '../people/access-changed';
import { rolesOfPeopleChanged } from '../people/standing-changed';
import * as erasing from './erase-workspace.queries';
import { insertVacated } from './vacated-slugs.queries';
import type { WorkspaceRecord } from './workspaces.queries';

/**
 * Erases a workspace for good, with its folders and memberships. `forms` then erases its forms, each of which is an erasure of its own. Its
 * slug stays reserved for a while, as after a change. The audit log stays.
 * @returns the id under which the erasure is followed
 * @throws Problem `conflict` for the last workspace of the instance
 */
export async function eraseWorkspace(
  deps: Pick<CommandDeps, 'outbox' | 'clock'>,
  asked: By<Manager>,
  { id }: { id: string },
  { mayBeLast = false }: { mayBeLast?: boolean } = {},
): Promise<string> {
  const { instanceId } = asked.caller;
  const erasureId = newId();
  await deps.outbox.transaction(async (trx) => {
    await erasing.lockInstance(trx, instanceId);
    const workspace = isId(id) ? await erasing.lockWorkspaceToErase(trx, instanceId, id) : undefined;
    if (!workspace) throw Problem.notFound('workspace');
    authorizeIn(roleIn(asked.caller, workspace.id), 'erase this workspace');
    if (!mayBeLast && !(await erasing.hasOtherWorkspace(trx, workspace)))
      throw Problem.conflict('The last workspace of an instance cannot be erased.');

    const now = deps.clock.now();
    const members = await erasing.lockPeopleOf(trx, workspace);
    const counts = await erasing.deleteWorkspace(trx, workspace, members);
    await insertVacated(trx, { slug: workspace.slug, workspace_id: workspace.id, vacated_at: now });
    await erasing.insertErasedWorkspace(trx, { id: workspace.id, instance_id: instanceId, erased_at: now });
    await endAccess(trx, asked, members, now);
    await record(
      trx,
      workspaceErased(workspace, erasureId, now),
      erasureBegun(asked, { id: erasureId, kind: 'workspace', targetId: workspace.id, reason: 'requested', awaited }, now),
      erasureConfirmed({ id: erasureId, instanceId }, { service: 'workspaces', counts }, now),
      audited(asked, { action: 'workspace.erased', target: { kind: 'workspace', id: workspace.id }, details: { erasure: erasureId } }, now),
    );
  });
  return erasureId;
}

const awaited = ['workspaces', 'forms', 'hooks'] as const;

/** People per statement and event, so that neither becomes too large. */
const peopleAtOnce = 500;

async function endAccess(trx: Transaction, asked: By<Manager>, members: readonly string[], now: Date): Promise<void> {
  for (let first = 0; first < members.length; first += peopleAtOnce) {
    const some = members.slice(first, first + peopleAtOnce);
    await record(
      trx,
      accessChanged(asked.caller.instanceId, { principalIds: some }, now),
      ...(await rolesOfPeopleChanged(trx, asked, some, now)),
    );
  }
}

function workspaceErased({ id, instance_id }: WorkspaceRecord, erasureId: string, at: Date): DomainEvent {
  const body: z.output<typeof WorkspaceErased> = { erasure_id: erasureId, workspace_id: id };
  return { id: newId(), type: 'workspace.erased', instanceId: instance_id, subject: id, occurredAt: at, body: JSON.stringify(body) };
}
