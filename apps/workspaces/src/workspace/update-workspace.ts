import type { WorkspaceMoved, WorkspaceUpdateRequest } from '@sheaf/contracts';
import { audited, record, type DomainEvent } from '@sheaf/events';
import { authorizeIn, isId, newId, Problem, type User, type WorkspaceRole } from '@sheaf/kernel';
import { whenViolated } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import type { Deps } from '../deps';
import { refuseReserved } from './slug-quarantine';
import { insertVacated } from './vacated-slugs.queries';
import * as workspaces from './workspaces.queries';
import type { WorkspaceRecord } from './workspaces.queries';

/** Absent fields stay unchanged; a null color removes the color. */
export type WorkspacePatch = z.output<typeof WorkspaceUpdateRequest>;

/** Changes a workspace. A new slug also changes its host, immediately in every process. */
export async function updateWorkspace(
  deps: Deps,
  asked: Asked<User>,
  { id, patch }: { id: string; patch: WorkspacePatch },
): Promise<{ workspace: WorkspaceRecord; role: WorkspaceRole }> {
  const { caller } = asked;
  return deps.outbox.transaction(async (trx) => {
    const before = isId(id) ? await workspaces.lockWorkspace(trx, caller.instanceId, id) : undefined;
    if (!before) throw Problem.notFound('workspace');
    const role = caller.roles[before.id];
    authorizeIn(role, 'change this workspace');
    if (Object.keys(patch).length === 0) return { workspace: before, role };

    const { color, ...plain } = patch;
    const changes = { ...plain, ...(color === undefined ? {} : { color: color ?? '' }), updated_at: deps.clock.now() };
    await workspaces
      .updateWorkspace(trx, before.id, changes)
      .catch(whenViolated({ workspace_slug_key: () => Problem.badRequest('slug: is taken') }));
    const workspace = { ...before, ...changes };
    if (workspace.slug !== before.slug) {
      await insertVacated(trx, { slug: before.slug, workspace_id: before.id, vacated_at: changes.updated_at });
      await refuseReserved(trx, workspace, changes.updated_at, deps.settings);
      await record(trx, workspaceMoved(before, workspace));
    }
    const target = { kind: 'workspace', id: workspace.id } as const;
    const details = { changed: Object.keys(patch) };
    await record(trx, audited(asked, { action: 'workspace.updated', target, workspaceId: workspace.id, details }, workspace.updated_at));
    return { workspace, role };
  });
}

function workspaceMoved(before: WorkspaceRecord, { id, instance_id, slug, updated_at }: WorkspaceRecord): DomainEvent {
  const body: z.output<typeof WorkspaceMoved> = { workspace_id: id, from: before.slug, to: slug };
  return { id: newId(), type: 'workspace.moved', instanceId: instance_id, subject: id, occurredAt: updated_at, body: JSON.stringify(body) };
}
