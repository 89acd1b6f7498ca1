import { randomBytes } from 'node:crypto';
import { newId } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import { daysAfter } from '../days-after';
import type { CommandDeps } from '../deps';
import { couldGrant, type PendingAccess } from './invitation-rules';
import * as invitations from './invitations.queries';
import type { InvitationRow } from './invitations.queries';
import { fingerprint } from '../credentials/key';
import { instanceRolesOf } from '../instances/instance-members.queries';
import type { Manager } from './manager';
import * as people from '../people/people.queries';
import type { PersonRow } from '../rows';

/**
 * The invitation of a person without a password. `made`: it was just created. `pending`: an earlier one is still valid and includes the new
 * role. `needed`: somebody who could grant all of their pending access still has to invite them.
 */
export type InvitationState = 'made' | 'pending' | 'needed';

export interface Invited {
  state: InvitationState;
  /** Lets its holder set the password. Only with the state `made`. */
  token: string | undefined;
}

/**
 * Call this after a role was granted to a person without a password; the person's row must be locked. If the inviter could grant all of
 * their pending access, invites them and ends all other invitations. If not, ends only the invitations whose inviters could not grant it
 * either.
 */
export async function inviteOrKeep(
  deps: CommandDeps,
  trx: Transaction,
  inviter: Manager,
  person: Pick<PersonRow, 'instance_id' | 'id'>,
): Promise<Invited> {
  if (await couldInvite(trx, inviter, person)) return { state: 'made', token: await invite(deps, trx, inviter, person.id) };
  const isLeft = await endInvalidInvitations(deps, trx, person);
  return { state: isLeft ? 'pending' : 'needed', token: undefined };
}

/** Replaces all earlier invitations of the person. @returns the token of the new one. */
export async function invite(
  { clock, settings }: CommandDeps,
  trx: Transaction,
  inviter: Manager,
  personId: string,
  id = newId(),
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await invitations.deleteInvitations(trx, inviter.instanceId, personId);
  await invitations.insertInvitation(trx, {
    id,
    token_hash: fingerprint(token),
    instance_id: inviter.instanceId,
    person_id: personId,
    expires_at: daysAfter(now, settings.INVITATION_DAYS),
    created_at: now,
    inviter_kind: inviter.kind === 'user' ? 'user' : 'operator',
    inviter_id: inviter.kind === 'user' ? inviter.id : null,
  });
  return token;
}

/**
 * Ends the invitations of a person whose inviters could not grant all of the person's pending access. The person's row must be locked.
 * @returns whether an invitation is left.
 */
export async function endInvalidInvitations(
  { clock }: Pick<CommandDeps, 'clock'>,
  trx: Transaction,
  person: Pick<PersonRow, 'instance_id' | 'id'>,
): Promise<boolean> {
  let isLeft = false;
  for (const invitation of await invitations.invitationsTo(trx, person.instance_id, person.id, clock.now())) {
    if (await isStillValid(trx, invitation)) isLeft = true;
    else await invitations.deleteInvitation(trx, invitation.token_hash);
  }
  return isLeft;
}

/** Whether the inviter could grant all of the person's pending access with their current roles. */
export const isStillValid = async (db: Database, invitation: InvitationRow): Promise<boolean> =>
  (await stillValid(db, invitation.instance_id, [invitation])).length > 0;

/** Those of the invitations whose inviters could grant all of the pending access with their current roles. */
export async function stillValid<Row extends InvitationRow>(db: Database, instanceId: string, rows: readonly Row[]): Promise<Row[]> {
  const invited = rows.map(({ person_id }) => person_id);
  const inviters = rows.flatMap(({ inviter_id }) => inviter_id ?? []);
  const [memberships, instanceRoles, forms] = await Promise.all([
    people.membershipsOf(db, instanceId, [...invited, ...inviters]),
    instanceRolesOf(db, instanceId, inviters),
    invitations.promisedRoles(db, instanceId, invited),
  ]);
  const of = <Entry extends { person_id: string }>(entries: readonly Entry[], id: string | null) =>
    entries.filter(({ person_id }) => person_id === id);
  return rows.filter(({ person_id, inviter_kind, inviter_id }) => {
    const pending = { memberships: of(memberships, person_id), forms: of(forms, person_id) };
    // An older version did not record the inviter. If a single membership is pending, the inviter granted it.
    if (inviter_kind === null) return pending.memberships.length === 1 && pending.forms.length === 0;
    if (inviter_kind === 'operator') return true;
    const roles = Object.fromEntries(of(memberships, inviter_id).map(({ workspace_id, role }) => [workspace_id, role]));
    return couldGrant({ roles, instanceRole: instanceRoles.get(inviter_id ?? '') }, pending);
  });
}

/** Whether the manager could grant all of the person's pending access. */
export const couldInvite = async (db: Database, inviter: Manager, person: Pick<PersonRow, 'instance_id' | 'id'>): Promise<boolean> =>
  couldGrant(inviter.kind === 'user' ? inviter : 'operator', await pendingAccessOf(db, person));

async function pendingAccessOf(db: Database, { instance_id, id }: Pick<PersonRow, 'instance_id' | 'id'>): Promise<PendingAccess> {
  return {
    memberships: await people.rolesOf(db, instance_id, id),
    forms: await invitations.promisedRoles(db, instance_id, [id]),
  };
}
