import { randomBytes } from 'node:crypto';
import { audited, record } from '@sheaf/events';
import { Problem, type Operator } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import { fingerprint } from '../credentials/key';
import { daysAfter } from '../days-after';
import type { By, CommandDeps, Deps } from '../deps';
import * as invitations from '../members/invitations.queries';
import * as people from '../people/people.queries';
import { openSession, recordFailure, type Browser, type SignedIn } from './open-session';
import * as links from './sign-in-links.queries';
import { countFalseLink, rememberPlace } from './sign-in-throttle';

/**
 * Creates a link that signs a person in once, for the operator. An earlier link of the person stops working.
 * @returns the token of the link, which is stored nowhere.
 */
export async function createSignInLink(
  { db, outbox, clock }: Pick<CommandDeps, 'db' | 'outbox' | 'clock'>,
  asked: By<Operator>,
  { email }: { email: string },
): Promise<{ id: string; email: string; token: string; expiresAt: Date }> {
  const { instanceId } = asked.caller;
  const person = await people.memberByEmail(db, instanceId, email.toLowerCase());
  if (!person) throw Problem.notFound('user');

  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  const expiresAt = daysAfter(now, 1);
  await outbox.transaction(async (trx) => {
    await links.saveLink(trx, {
      token_hash: fingerprint(token),
      instance_id: instanceId,
      person_id: person.id,
      created_at: now,
      expires_at: expiresAt,
    });
    await record(trx, audited(asked, { action: 'sign_in_link.created', target: { kind: 'user', id: person.id } }, now));
  });
  return { id: person.id, email: person.email, token, expiresAt };
}

/** The address of the page that uses the link. Browsers keep a fragment to themselves, so the token is in no server's log. */
export const signInUrl = (origin: string, token: string): string => `${new URL(origin).origin}/console/sign-in#link=${token}`;

/**
 * Signs a person in with a link, which uses it up. Their invitations end, as there is nothing left to accept.
 * @throws Problem `unauthorized` for a link that was used, was replaced, or has expired.
 */
export async function signInWithLink(
  deps: Deps,
  call: Call,
  { instanceId, token, userAgent, device, origin }: { instanceId: string; token: string } & Browser,
): Promise<SignedIn> {
  const hash = fingerprint(token);
  const personId = await links.personOfLink(deps.db, instanceId, hash, deps.clock.now());
  if (personId === undefined) {
    await countFalseLink(deps, call.address);
    await recordFailure(deps, call, instanceId, undefined);
    throw Problem.unauthorized();
  }

  return deps.outbox.transaction(async (trx) => {
    const person = await people.lockPerson(trx, instanceId, personId);
    // Of two requests with the same link, one finds it gone.
    if (!person || !(await links.takeLink(trx, hash))) throw Problem.unauthorized('the link was used meanwhile');
    await invitations.deleteInvitations(trx, instanceId, person.id);
    await invitations.deletePromisedForms(trx, instanceId, person.id);
    await rememberPlace(deps, trx, { instanceId, email: person.email, address: call.address, device });
    return openSession(deps, trx, { instanceId, person, call, userAgent, origin }, { details: { signed_in_with: 'link' } });
  });
}
