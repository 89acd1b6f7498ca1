import { audited, record } from '@sheaf/events';
import { authorizeIn, isId, Problem, type User } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import { fingerprint } from '../credentials/key';
import { daysAfter } from '../days-after';
import type { Deps } from '../deps';
import * as people from '../people/people.queries';
import { couldInvite, invite, isStillValid, stillValid } from './invitations';
import * as invitations from './invitations.queries';
import type { InvitationRow, SeenInvitationRow, ShownInvitationRow } from './invitations.queries';
import { takeOut } from './remove-member';

/** For the page that accepts it. @throws Problem `not_found` for an invitation that cannot be accepted */
export async function getInvitation(
  { db, clock }: Deps,
  { instanceId, token }: { instanceId: string; token: string },
): Promise<SeenInvitationRow> {
  const hash = fingerprint(token);
  const found = await invitations.invitationOf(db, instanceId, hash, clock.now());
  const seen = found && (await isStillValid(db, found)) ? await invitations.seenInvitation(db, hash) : undefined;
  if (!seen) throw Problem.notFound('invitation');
  return seen;
}

/** The invitations of the members of a workspace who have not accepted theirs, and whether each can still be accepted. */
export async function listInvitations(
  deps: Deps,
  caller: User,
  { workspaceId }: { workspaceId: string },
): Promise<(ShownInvitationRow & { isValid: boolean })[]> {
  await authorize(deps, caller, workspaceId);
  const rows = await invitations.invitationsIn(deps.db, caller.instanceId, workspaceId, deps.clock.now());
  const valid = new Set(await stillValid(deps.db, caller.instanceId, rows));
  return rows.map((row) => ({ ...row, isValid: valid.has(row) }));
}

/**
 * Gives an invitation a new link, in the name of the caller. The earlier link stops working.
 * @throws Problem `forbidden` for a caller who could not grant all that awaits the person
 */
export async function renewInvitationLink(
  deps: Deps,
  asked: Asked<User>,
  wanted: { workspaceId: string; id: string },
): Promise<{ token: string; expiresAt: Date }> {
  const { caller } = asked;
  await authorize(deps, caller, wanted.workspaceId);
  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const { id, instance_id, person_id } = await lockInvited(trx, caller, wanted, now);
    if (!(await couldInvite(trx, caller, { instance_id, id: person_id })))
      throw Problem.forbidden('Only somebody who may assign all roles that await this person can invite them.');
    const token = await invite(deps, trx, caller, person_id, id);
    const target = { kind: 'member', id: person_id } as const;
    await record(trx, audited(asked, { action: 'invitation.renewed', target, workspaceId: wanted.workspaceId }, now));
    return { token, expiresAt: daysAfter(now, deps.settings.INVITATION_DAYS) };
  });
}

/** Takes an invited person out of the workspace. Their link stops working, unless they are invited to another one as well. */
export async function revokeInvitation(deps: Deps, asked: Asked<User>, wanted: { workspaceId: string; id: string }): Promise<void> {
  const { workspaceId } = wanted;
  await authorize(deps, asked.caller, workspaceId);
  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    const { person_id: userId } = await lockInvited(trx, asked.caller, wanted, now);
    await takeOut(trx, asked, { workspaceId, userId }, now);
    await record(trx, audited(asked, { action: 'invitation.revoked', target: { kind: 'member', id: userId }, workspaceId }, now));
  });
}

async function authorize({ db }: Deps, caller: User, workspaceId: string): Promise<void> {
  if (!isId(workspaceId) || !(await people.workspaceExists(db, caller.instanceId, workspaceId))) throw Problem.notFound('workspace');
  authorizeIn(caller.roles[workspaceId], 'manage the members of this workspace');
}

/** An invitation whose person is locked, so that they cannot accept it meanwhile. */
async function lockInvited(
  trx: Transaction,
  { instanceId }: User,
  { workspaceId, id }: { workspaceId: string; id: string },
  now: Date,
): Promise<InvitationRow> {
  const find = () => invitations.invitationIn(trx, { instanceId, workspaceId, id }, now);
  const found = isId(id) ? await find() : undefined;
  const person = found && (await people.lockPerson(trx, instanceId, found.person_id));
  const invitation = person && (await find());
  if (!invitation) throw Problem.notFound('invitation');
  return invitation;
}
