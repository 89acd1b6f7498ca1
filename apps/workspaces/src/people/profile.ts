import type { ProfileUpdateRequest } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { isId, Problem, type User } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import { accessChanged } from './access-changed';
import * as credentials from '../credentials/credentials.queries';
import type { Deps } from '../deps';
import * as invitations from '../members/invitations.queries';
import { hashPassword, isPassword, refuseCommonPassword } from '../sessions/password';
import * as links from '../sessions/sign-in-links.queries';
import * as people from './people.queries';
import type { PersonRow } from '../rows';
import { forgetPlaces, rememberPlace, withinAttempts } from '../sessions/sign-in-throttle';

export interface Profile {
  person: PersonRow;
  /** The default workspace in the caller's instance. */
  defaultWorkspaceId: string | undefined;
}

/** Absent fields stay unchanged; a null picture removes the picture. */
export type ProfilePatch = z.output<typeof ProfileUpdateRequest>;

const profileFields = ['name', 'avatar_url', 'default_workspace_id'] as const;

export async function getProfile({ db }: Deps, caller: User): Promise<Profile> {
  const [person, defaultWorkspaceId] = await Promise.all([
    people.personById(db, caller.instanceId, caller.id),
    people.defaultWorkspaceOf(db, caller.instanceId, caller.id),
  ]);
  if (!person) throw Problem.unauthorized('person not found');
  return { person, defaultWorkspaceId };
}

/**
 * Changes the caller's profile. A new password requires the current one, if there is one, and ends all of their other sessions, immediately in
 * every process, and their invitations and sign-in link; API keys stay valid, because they do not depend on the password.
 * @param device the secret of the caller's browser, which stays known
 * @throws Problem `too_many_requests`, as for signing in: otherwise, an open session could be used to guess the password.
 */
export async function updateProfile(deps: Deps, asked: Asked<User>, patch: ProfilePatch, device?: string): Promise<Profile> {
  const { caller, call } = asked;
  const password = patch.password === undefined ? undefined : await newPassword(deps, caller, patch, call.address);

  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    const person = await people.lockPerson(trx, caller.instanceId, caller.id);
    if (!person) throw Problem.unauthorized('person not found');
    if (password && password.before !== person.password_hash) throw wrongPassword();

    const changes = {
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.avatar_url === undefined ? {} : { avatar_url: patch.avatar_url ?? '' }),
      ...(password === undefined ? {} : { password_hash: password.after }),
    };
    if (Object.keys(changes).length > 0) await people.updatePerson(trx, caller.instanceId, caller.id, changes);
    if (password) {
      const { instanceId } = caller;
      await endOldAccess(trx, caller, now);
      await forgetPlaces(trx, { instanceId, email: person.email });
      await rememberPlace(deps, trx, { instanceId, email: person.email, address: call.address, device });
    }
    if (patch.default_workspace_id !== undefined) {
      const member = { workspaceId: patch.default_workspace_id, instanceId: caller.instanceId, personId: caller.id };
      if (!isId(member.workspaceId) || !(await people.setDefaultWorkspace(trx, member))) {
        throw Problem.badRequest('default_workspace_id: must be a workspace that you are a member of');
      }
    }
    if (password || patch.default_workspace_id !== undefined)
      await record(trx, accessChanged(caller.instanceId, { principalIds: [caller.id] }, now));

    const target = { kind: 'user', id: caller.id } as const;
    const changed = profileFields.filter((field) => patch[field] !== undefined);
    if (password) await record(trx, audited(asked, { action: 'password.changed', target }, now));
    if (changed.length > 0) await record(trx, audited(asked, { action: 'profile.updated', target, details: { changed } }, now));
  });
  return getProfile(deps, caller);
}

async function endOldAccess(trx: Transaction, { instanceId, id, credentialId }: User, now: Date): Promise<void> {
  await credentials.endOtherSessions(trx, { instanceId, personId: id, exceptId: credentialId }, now);
  await links.deleteLinkOf(trx, instanceId, id);
  await invitations.deleteInvitations(trx, instanceId, id);
  await invitations.deletePromisedForms(trx, instanceId, id);
}

// Not 401, because the session is still valid.
const wrongPassword = () => Problem.badRequest('current_password: is not your password');

/** The hashes of the current and the new password. */
async function newPassword(
  deps: Deps,
  caller: User,
  { current_password: current, password = '' }: ProfilePatch,
  address: string | undefined,
): Promise<{ before: string | null; after: string }> {
  const { person } = await getProfile(deps, caller);
  refuseCommonPassword(password, person.email);
  if (person.password_hash === null) return { before: null, after: await hashPassword(password) };
  if (current === undefined) throw Problem.badRequest('current_password: is required for a new password');
  const matches = await withinAttempts(
    deps,
    { instanceId: caller.instanceId, email: person.email, address, sessionId: caller.credentialId },
    async () => (await isPassword(current, person.password_hash)) || undefined,
  );
  if (!matches) throw wrongPassword();
  return { before: person.password_hash, after: await hashPassword(password) };
}
