import { reservedSlugs, type WorkspaceCreateRequest } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorizeOnInstance, newId, Problem, type Operator, type User } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import { accessChanged } from '../people/access-changed';
import type { By, CommandDeps, Deps } from '../deps';
import { endInvalidInvitations, invite } from '../members/invitations';
import { isPending } from '../members/is-pending';
import type { Manager } from '../members/manager';
import * as people from '../people/people.queries';
import type { PersonRow } from '../rows';
import { anotherSlug, slugOf } from './slug';
import { refuseReserved, reservedUntil, type QuarantineSettings } from './slug-quarantine';
import { rolesChanged } from '../people/standing-changed';
import * as workspaces from './workspaces.queries';
import type { WorkspaceRecord } from './workspaces.queries';

// With 24 random bits at the end, the second slug is almost never taken.
const maxSlugAttempts = 5;

type Wanted = z.output<typeof WorkspaceCreateRequest>;

/** Creates a workspace in the caller's instance, with the caller as its owner. */
export async function createWorkspace(deps: Deps, asked: Asked<User>, wanted: Wanted): Promise<WorkspaceRecord> {
  authorizeOnInstance(asked.caller, 'create workspaces');
  return deps.outbox.transaction(async (trx) => {
    const person = await people.lockPerson(trx, asked.caller.instanceId, asked.caller.id);
    const workspace = await insertOwned(trx, asked, wanted, { ownerId: asked.caller.id, now: deps.clock.now(), settings: deps.settings });
    // A person with a key from the operator can get here while their invitation is still pending.
    if (person && isPending(person)) await endInvalidInvitations(deps, trx, person);
    return workspace;
  });
}

/**
 * Creates a workspace for another person, named by their address, and invites an owner who is new.
 * @returns the token of the invitation; undefined if the owner can sign in.
 */
export async function createWorkspaceFor(
  deps: CommandDeps,
  asked: By<Operator>,
  { owner, ...wanted }: Wanted & { owner: { email: string; name: string | undefined } },
): Promise<{ workspace: WorkspaceRecord; owner: PersonRow; invitationToken: string | undefined }> {
  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const email = owner.email.toLowerCase();
    const person = await people.ensurePerson(trx, {
      id: newId(),
      instance_id: asked.caller.instanceId,
      email,
      name: owner.name ?? email,
      avatar_url: '',
      password_hash: null,
      first_signed_in_at: null,
      created_at: now,
    });
    const workspace = await insertOwned(trx, asked, wanted, { ownerId: person.id, now, settings: deps.settings });
    const invitationToken = isPending(person) ? await invite(deps, trx, asked.caller, person.id) : undefined;
    return { workspace, owner: person, invitationToken };
  });
}

/** The owner's row must be locked. */
async function insertOwned(
  trx: Transaction,
  asked: By<Manager>,
  wanted: Wanted,
  { ownerId, now, settings }: { ownerId: string; now: Date; settings: QuarantineSettings },
): Promise<WorkspaceRecord> {
  const { instanceId } = asked.caller;
  const plain = { id: newId(), instance_id: instanceId, name: wanted.name, color: wanted.color ?? '', created_at: now, updated_at: now };
  const workspace = { ...plain, slug: await insertUnderSlug(trx, plain, wanted.slug, settings) };
  await people.insertMember(trx, {
    workspace_id: workspace.id,
    instance_id: instanceId,
    person_id: ownerId,
    role: 'owner',
    created_at: now,
  });
  await record(
    trx,
    accessChanged(instanceId, { principalIds: [ownerId] }, now),
    await rolesChanged(trx, asked, ownerId, now),
    audited(asked, { action: 'workspace.created', target: { kind: 'workspace', id: workspace.id }, workspaceId: workspace.id }, now),
  );
  return workspace;
}

async function insertUnderSlug(
  trx: Transaction,
  workspace: Omit<WorkspaceRecord, 'slug'>,
  wanted: string | undefined,
  settings: QuarantineSettings,
): Promise<string> {
  if (wanted !== undefined) {
    if (!(await workspaces.insertWorkspace(trx, { ...workspace, slug: wanted }))) throw Problem.badRequest('slug: is taken');
    await refuseReserved(trx, { id: workspace.id, slug: wanted }, workspace.created_at, settings);
    return wanted;
  }
  const first = slugOf(workspace.name);
  for (
    let slug = reservedSlugs.has(first) ? anotherSlug(first) : first, attempts = 0;
    attempts < maxSlugAttempts;
    slug = anotherSlug(first), attempts += 1
  ) {
    if (!(await workspaces.insertWorkspace(trx, { ...workspace, slug }))) continue;
    if (!(await reservedUntil(trx, { id: workspace.id, slug }, workspace.created_at, settings))) return slug;
    await workspaces.removeWorkspace(trx, workspace.id);
  }
  throw new Error(`found no free slug for ${first}`);
}
