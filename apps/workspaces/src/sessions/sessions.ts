import { audited, record } from '@sheaf/events';
import { Problem, type User } from '@sheaf/kernel';
import type { Asked, Call } from '@sheaf/rpc';
import { accessChanged } from '../people/access-changed';
import * as credentials from '../credentials/credentials.queries';
import type { Deps } from '../deps';
import { isStillValid } from '../members/invitations';
import { shownInstance } from '../instances/shown-instance';
import * as invitations from '../members/invitations.queries';
import { fingerprint } from '../credentials/key';
import { openSession, recordFailure, type Browser, type SignedIn } from './open-session';
import { hashPassword, isPassword, refuseCommonPassword } from './password';
import * as people from '../people/people.queries';
import { rememberPlace, withinAttempts } from './sign-in-throttle';

/** @throws Problem `unauthorized` for a wrong address or password, without revealing which. */
export async function signIn(
  deps: Deps,
  call: Call,
  input: { instanceId: string; email: string; password: string } & Browser,
): Promise<SignedIn> {
  const { instanceId, password } = input;
  const email = input.email.trim().toLowerCase();
  const attempt = { instanceId, email, address: call.address, device: input.device };
  const person = await withinAttempts(deps, attempt, async () => {
    const found = await people.memberByEmail(deps.db, instanceId, email);
    if (await isPassword(password, found?.password_hash)) return found;
    await recordFailure(deps, call, instanceId, found);
    return undefined;
  });
  if (!person) throw Problem.unauthorized();

  return deps.outbox.transaction(async (trx) => {
    // If the password has changed in the meantime, all sessions were ended, but this one did not exist yet.
    const current = await people.lockPerson(trx, instanceId, person.id);
    if (current?.password_hash !== person.password_hash) throw Problem.unauthorized('the password changed while signing in');
    await rememberPlace(deps, trx, attempt);
    return openSession(deps, trx, { instanceId, person, call, userAgent: input.userAgent, origin: input.origin });
  });
}

/**
 * Sets the password of an invited person and signs them in.
 * @throws Problem `not_found` for a token that was used, has expired, or would grant more than its inviter can grant now.
 */
export async function acceptInvitation(
  deps: Deps,
  call: Call,
  input: { instanceId: string; token: string; name: string; password: string } & Browser,
): Promise<SignedIn> {
  const token = fingerprint(input.token);
  // Before hashing, so that strangers cannot make us do this expensive work.
  const found = await invitations.invitationOf(deps.db, input.instanceId, token, deps.clock.now());
  if (!found) throw Problem.notFound('invitation');
  const passwordHash = await hashPassword(input.password);

  return deps.outbox.transaction(async (trx) => {
    // The person's row is locked first, as in every use case that gives them a role. If two requests accept at once, one finds no
    // invitation.
    const invited = await people.lockPerson(trx, input.instanceId, found.person_id);
    const invitation = await invitations.invitationOf(trx, input.instanceId, token, deps.clock.now());
    if (!invited || !invitation || !(await isStillValid(trx, invitation))) throw Problem.notFound('invitation');
    refuseCommonPassword(input.password, invited.email);

    await invitations.deleteInvitations(trx, input.instanceId, invited.id);
    await invitations.deletePromisedForms(trx, input.instanceId, invited.id);
    await people.updatePerson(trx, input.instanceId, invited.id, { name: input.name, password_hash: passwordHash });
    const person = { ...invited, name: input.name, password_hash: passwordHash };
    await rememberPlace(deps, trx, { instanceId: input.instanceId, email: person.email, address: call.address, device: input.device });
    return openSession(
      deps,
      trx,
      { instanceId: input.instanceId, person, call, userAgent: input.userAgent },
      { cause: { action: 'invitation.accepted', target: { kind: 'user', id: person.id } } },
    );
  });
}

/** The caller's session: its expiry, person, active workspace and instance. */
export async function currentSession({ db }: Deps, caller: User): Promise<Omit<SignedIn, 'token'>> {
  const [expiresAt, person, workspaces, instance] = await Promise.all([
    credentials.sessionExpiry(db, caller.credentialId),
    people.personById(db, caller.instanceId, caller.id),
    people.workspacesOf(db, caller.instanceId, caller.id),
    shownInstance(db, caller.instanceId, caller.id),
  ]);
  if (!expiresAt || !person) throw Problem.unauthorized('a session without its rows');
  return { expiresAt, person, workspace: workspaces.find(({ id }) => id === caller.workspaceId), instance };
}

/** Ends the session of the token that the caller used. */
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
