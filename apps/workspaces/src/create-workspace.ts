import type { WorkspaceCreateRequest } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorizeInAny, newId, Problem, type User } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import { accessChanged } from './access-changed';
import type { Deps } from './deps';
import * as people from './people.queries';
import { anotherSlug, slugOf } from './slug';
import * as workspaces from './workspaces.queries';
import type { WorkspaceRecord } from './workspaces.queries';

// With 24 random bits at its end the second one is hardly ever taken.
const slugsTried = 5;

/** One more workspace in the caller's instance, with the caller as its owner. */
export async function createWorkspace(deps: Deps, asked: Asked<User>, wanted: z.output<typeof WorkspaceCreateRequest>): Promise<WorkspaceRecord> {
  const { caller } = asked;
  authorizeInAny(caller, 'create workspaces');

  const now = deps.clock.now();
  const plain = { id: newId(), instance_id: caller.instanceId, name: wanted.name, color: wanted.color ?? '', created_at: now, updated_at: now };
  return deps.outbox.transaction(async (trx) => {
    await people.lockPerson(trx, caller.instanceId, caller.id);
    const workspace = { ...plain, slug: await insertUnderSlug(trx, plain, wanted.slug) };
    await people.insertMember(trx, { workspace_id: workspace.id, instance_id: caller.instanceId, person_id: caller.id, role: 'owner', created_at: now });
    await record(
      trx,
      accessChanged(caller.instanceId, { principalIds: [caller.id] }, now),
      audited(asked, { action: 'workspace.created', target: { kind: 'workspace', id: workspace.id }, workspaceId: workspace.id }, now),
    );
    return workspace;
  });
}

async function insertUnderSlug(trx: Transaction, workspace: Omit<WorkspaceRecord, 'slug'>, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) {
    if (!(await workspaces.insertWorkspace(trx, { ...workspace, slug: wanted }))) throw Problem.badRequest('slug: is taken');
    return wanted;
  }
  const first = slugOf(workspace.name);
  for (let slug = first, tried = 0; tried < slugsTried; slug = anotherSlug(first), tried += 1) {
    if (await workspaces.insertWorkspace(trx, { ...workspace, slug })) return slug;
  }
  throw new Error(`every slug tried for ${first} is taken`);
}
