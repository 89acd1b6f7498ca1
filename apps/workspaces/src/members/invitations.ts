import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '@sheaf/postgres';
import { daysAfter } from '../days-after';
import type { CommandDeps } from '../deps';
import { couldGive, type InviterRoles, type Waiting } from './invitation-rules';
import * as invitations from './invitations.queries';
import type { InvitationRow } from './invitations.queries';
import { fingerprint } from '../credentials/key';
import type { Manager } from './manager';
import * as people from '../people/people.queries';
import type { PersonRow } from '../rows';

/**
 * How a person without a password can come in: by the invitation that was just `made`; by an earlier one, which is still `pending` and gives
 * the new role too; or by one that is `needed`, from somebody who could give everything that waits for them.
 */
export type InvitationState = 'made' | 'pending' | 'needed';

export interface Invited {
  state: InvitationState;
  /** Whoever holds it may make the password. Only with an invitation that was just made. */
  token: string | undefined;
}

/**
 * To be called after somebody gave a role to a person without a password, whose row has to be locked. They get a new invitation, which ends
 * all others, if they could give everything that waits for the person; else those end whose inviters could not.
 */
export async function inviteOrKeep(deps: CommandDeps, trx: Transaction, inviter: Manager, person: Pick<PersonRow, 'instance_id' | 'id'>): Promise<Invited> {
  if (couldGive(rolesOf(inviter), await waitingFor(trx, person))) return { state: 'made', token: await invite(deps, trx, inviter, person.id) };
  const isLeft = await endExceeded(deps, trx, person);
  return { state: isLeft ? 'pending' : 'needed', token: undefined };
}

/** A token in place of any before it. */
export async function invite({ clock, settings }: CommandDeps, trx: Transaction, inviter: Manager, personId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await invitations.deleteInvitations(trx, inviter.instanceId, personId);
  await invitations.insertInvitation(trx, {
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
 * Ends the invitations of a person whose inviters could not give everything that waits for the person now. The person's row has to be locked.
 * @returns whether one is left.
 */
export async function endExceeded({ clock }: Pick<CommandDeps, 'clock'>, trx: Transaction, person: Pick<PersonRow, 'instance_id' | 'id'>): Promise<boolean> {
  let isLeft = false;
  for (const invitation of await invitations.invitationsTo(trx, person.instance_id, person.id, clock.now())) {
    if (await holdsGood(trx, invitation)) isLeft = true;
    else await invitations.deleteInvitation(trx, invitation.token_hash);
  }
  return isLeft;
}

/** Whether the inviter could give everything that waits for the person, by the roles that the inviter has at this moment. */
export async function holdsGood(db: Database, { instance_id, person_id, inviter_kind, inviter_id }: InvitationRow): Promise<boolean> {
  const waiting = await waitingFor(db, { instance_id, id: person_id });
  // Nobody noted who made it. With a single place waiting, it is the place that the inviter gave.
  if (inviter_kind === null) return waiting.memberships.length === 1 && waiting.forms.length === 0;
  if (inviter_kind === 'operator') return true;
  const roles = await people.rolesOf(db, instance_id, inviter_id ?? '');
  return couldGive(Object.fromEntries(roles.map(({ workspace_id, role }) => [workspace_id, role])), waiting);
}

const rolesOf = (inviter: Manager): InviterRoles => (inviter.kind === 'user' ? inviter.roles : 'operator');

async function waitingFor(db: Database, { instance_id, id }: Pick<PersonRow, 'instance_id' | 'id'>): Promise<Waiting> {
  return { memberships: await people.rolesOf(db, instance_id, id), forms: await invitations.workspacesOfPromisedForms(db, instance_id, id) };
}
