import { newId, Problem, type User } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { audited, record, type Deed } from '@sheaf/events';
import type { Asked, Call } from '@sheaf/rpc';
import { accessChanged } from '../people/access-changed';
import * as credentials from '../credentials/credentials.queries';
import { daysAfter } from '../days-after';
import type { Deps } from '../deps';
import { holdsGood } from '../members/invitations';
import * as invitations from '../members/invitations.queries';
import { fingerprint } from '../credentials/key';
import { hashPassword, isPassword } from './password';
import * as people from '../people/people.queries';
import type { PersonRow, WorkspaceRow } from '../rows';
import { rememberPlace, withinAttempts } from './sign-in-throttle';

export interface SignedIn {
  token: string;
  expiresAt: Date;
  person: PersonRow;
  workspace: WorkspaceRow | undefined;
}

/** @throws Problem `unauthorized` for a wrong pair, whether or not there is somebody with this address. */
export async function signIn(deps: Deps, call: Call, given: { instanceId: string; email: string; password: string }): Promise<SignedIn> {
  const { instanceId, password } = given;
  const email = given.email.trim().toLowerCase();
  const person = await withinAttempts(deps, { instanceId, email, address: call.address }, async () => {
    const found = await people.memberByEmail(deps.db, instanceId, email);
    if (await isPassword(password, found?.password_hash)) return found;
    await recordFailure(deps, call, instanceId, found);
    return undefined;
  });
  if (!person) throw Problem.unauthorized();

  return deps.outbox.transaction(async (trx) => {
    // A password that was changed meanwhile ended all sessions, and this one was not among them.
    const now = await people.lockPerson(trx, instanceId, person.id);
    if (now?.password_hash !== person.password_hash) throw Problem.unauthorized('the password was changed at the same moment');
    return openSession(deps, trx, { instanceId, person, call });
  });
}

/**
 * Makes the password of somebody who was invited, and signs them in.
 * @throws Problem `not_found` for a token that is used up or expired, or that would give more than its inviter could give by now.
 */
export async function acceptInvitation(deps: Deps, call: Call, given: { instanceId: string; token: string; name: string; password: string }): Promise<SignedIn> {
  const token = fingerprint(given.token);
  // Before the work of hashing, which anybody could have us do otherwise.
  const found = await invitations.invitationOf(deps.db, given.instanceId, token, deps.clock.now());
  if (!found) throw Problem.notFound('invitation');
  const passwordHash = await hashPassword(given.password);

  return deps.outbox.transaction(async (trx) => {
    // The row of the person is locked first, as by everybody who gives them a role. Of two who accept at once, one finds the invitation gone.
    const invited = await people.lockPerson(trx, given.instanceId, found.person_id);
    const invitation = await invitations.invitationOf(trx, given.instanceId, token, deps.clock.now());
    if (!invited || !invitation || !(await holdsGood(trx, invitation))) throw Problem.notFound('invitation');

    await invitations.deleteInvitations(trx, given.instanceId, invited.id);
    await invitations.deletePromisedForms(trx, given.instanceId, invited.id);
    await people.updatePerson(trx, given.instanceId, invited.id, { name: given.name, password_hash: passwordHash });
    const person = { ...invited, name: given.name, password_hash: passwordHash };
    await rememberPlace(deps, trx, { instanceId: given.instanceId, email: person.email, address: call.address });
    return openSession(deps, trx, { instanceId: given.instanceId, person, call }, { action: 'invitation.accepted', target: { kind: 'user', id: person.id } });
  });
}

/** Where the caller is and until when. */
export async function currentSession({ db }: Deps, caller: User): Promise<{ expiresAt: Date; person: PersonRow; workspace: WorkspaceRow | undefined }> {
  const [expiresAt, person, workspaces] = await Promise.all([
    credentials.sessionExpiry(db, caller.credentialId),
    people.personById(db, caller.instanceId, caller.id),
    people.workspacesOf(db, caller.instanceId, caller.id),
  ]);
  if (!expiresAt || !person) throw Problem.unauthorized('a session without its rows');
  return { expiresAt, person, workspace: workspaces.find(({ id }) => id === caller.workspaceId) };
}

/** From now on the token is worth nothing. */
export async function endSession(deps: Deps, asked: Asked<User>): Promise<void> {
  const { caller } = asked;
  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    await credentials.endSession(trx, caller.credentialId, now);
    await record(
      trx,
      accessChanged(caller.instanceId, { credentialIds: [caller.credentialId] }, now),
      audited(asked, { action: 'session.ended', target: { kind: 'session', id: caller.credentialId } }, now),
    );
  });
}

/**
 * An address that is nobody's is recorded as well, so that the time says nothing about who is there. What was typed is not: people type
 * their passwords into the wrong field.
 */
async function recordFailure(deps: Deps, call: Call, instanceId: string, person: PersonRow | undefined): Promise<void> {
  const target: Deed['target'] = person ? { kind: 'user', id: person.id } : { kind: 'instance', id: instanceId };
  const failed = audited({ caller: { kind: 'respondent', instanceId }, call }, { action: 'session.failed', target }, deps.clock.now());
  await deps.outbox.transaction((trx) => record(trx, failed));
}

/** @param after what the person did to get it, to stand before it in the audit log. */
async function openSession(
  deps: Deps,
  trx: Transaction,
  { instanceId, person, call }: { instanceId: string; person: PersonRow; call: Call },
  after?: Deed,
): Promise<SignedIn> {
  const now = deps.clock.now();
  const workspaces = await people.workspacesOf(trx, instanceId, person.id);
  const id = newId();
  const session = { id, instance_id: instanceId, person_id: person.id, created_at: now, expires_at: daysAfter(now, deps.settings.SESSION_DAYS) };
  // No active workspace of its own yet: the default counts, also when that changes.
  await credentials.insertSession(trx, { ...session, active_workspace_id: null });
  const asked = { caller: { kind: 'user', id: person.id, instanceId, via: 'session', credentialId: id } as const, call };
  const deeds: Deed[] = [...(after ? [after] : []), { action: 'session.created', target: { kind: 'session', id } }];
  await record(trx, ...deeds.map((deed) => audited(asked, deed, now)));
  const principal = await credentials.principalOfSession(trx, instanceId, id, now);
  return {
    token: deps.sessionTokens.issue(session),
    expiresAt: session.expires_at,
    person,
    workspace: workspaces.find((workspace) => workspace.id === principal?.workspace_id),
  };
}
