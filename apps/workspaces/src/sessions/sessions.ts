import { newId, Problem, type User } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { audited, record, type Deed } from '@sheaf/events';
import type { Asked, Call } from '@sheaf/rpc';
import { accessChanged } from '../people/access-changed';
import * as credentials from '../credentials/credentials.queries';
import { daysAfter } from '../days-after';
import type { Deps } from '../deps';
import { isStillValid } from '../members/invitations';
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

/** @throws Problem `unauthorized` for a wrong address or password, without revealing which. */
export async function signIn(deps: Deps, call: Call, input: { instanceId: string; email: string; password: string }): Promise<SignedIn> {
  const { instanceId, password } = input;
  const email = input.email.trim().toLowerCase();
  const person = await withinAttempts(deps, { instanceId, email, address: call.address }, async () => {
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
    return openSession(deps, trx, { instanceId, person, call });
  });
}

/**
 * Sets the password of an invited person and signs them in.
 * @throws Problem `not_found` for a token that was used, has expired, or would grant more than its inviter can grant now.
 */
export async function acceptInvitation(
  deps: Deps,
  call: Call,
  input: { instanceId: string; token: string; name: string; password: string },
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

    await invitations.deleteInvitations(trx, input.instanceId, invited.id);
    await invitations.deletePromisedForms(trx, input.instanceId, invited.id);
    await people.updatePerson(trx, input.instanceId, invited.id, { name: input.name, password_hash: passwordHash });
    const person = { ...invited, name: input.name, password_hash: passwordHash };
    await rememberPlace(deps, trx, { instanceId: input.instanceId, email: person.email, address: call.address });
    return openSession(
      deps,
      trx,
      { instanceId: input.instanceId, person, call },
      { action: 'invitation.accepted', target: { kind: 'user', id: person.id } },
    );
  });
}

/** The caller's session: its expiry, person and active workspace. */
export async function currentSession(
  { db }: Deps,
  caller: User,
): Promise<{ expiresAt: Date; person: PersonRow; workspace: WorkspaceRow | undefined }> {
  const [expiresAt, person, workspaces] = await Promise.all([
    credentials.sessionExpiry(db, caller.credentialId),
    people.personById(db, caller.instanceId, caller.id),
    people.workspacesOf(db, caller.instanceId, caller.id),
  ]);
  if (!expiresAt || !person) throw Problem.unauthorized('a session without its rows');
  return { expiresAt, person, workspace: workspaces.find(({ id }) => id === caller.workspaceId) };
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

/**
 * Records unknown addresses as well, so the response time does not reveal whether an account exists. The input is not recorded: people type
 * their passwords into the wrong field.
 */
async function recordFailure(deps: Deps, call: Call, instanceId: string, person: PersonRow | undefined): Promise<void> {
  const target: Deed['target'] = person ? { kind: 'user', id: person.id } : { kind: 'instance', id: instanceId };
  const failed = audited({ caller: { kind: 'respondent', instanceId }, call }, { action: 'session.failed', target }, deps.clock.now());
  await deps.outbox.transaction((trx) => record(trx, failed));
}

/** @param cause The deed that opened the session; it precedes the session in the audit log. */
async function openSession(
  deps: Deps,
  trx: Transaction,
  { instanceId, person, call }: { instanceId: string; person: PersonRow; call: Call },
  cause?: Deed,
): Promise<SignedIn> {
  const now = deps.clock.now();
  const workspaces = await people.workspacesOf(trx, instanceId, person.id);
  const id = newId();
  const session = {
    id,
    instance_id: instanceId,
    person_id: person.id,
    created_at: now,
    expires_at: daysAfter(now, deps.settings.SESSION_DAYS),
  };
  // Without its own active workspace, the session follows the person's default workspace.
  await credentials.insertSession(trx, { ...session, active_workspace_id: null });
  const asked = { caller: { kind: 'user', id: person.id, instanceId, via: 'session', credentialId: id } as const, call };
  const deeds: Deed[] = [...(cause ? [cause] : []), { action: 'session.created', target: { kind: 'session', id } }];
  await record(trx, ...deeds.map((deed) => audited(asked, deed, now)));
  const principal = await credentials.principalOfSession(trx, instanceId, id, now);
  return {
    token: deps.sessionTokens.issue(session),
    expiresAt: session.expires_at,
    person,
    workspace: workspaces.find((workspace) => workspace.id === principal?.workspace_id),
  };
}
