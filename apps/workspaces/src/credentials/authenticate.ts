import { isId, Problem } from '@sheaf/kernel';
import * as credentials from './credentials.queries';
import type { Deps } from '../deps';
import { fingerprint, isKey } from './key';
import { sessionTimes } from '../sessions/session-times';
import type { PrincipalRow } from '../rows';

// The precision of `last_used_at`: writing it at every use would cost one write per request.
const lastUsedPrecisionMs = 60_000;
/** The same for sessions, which people tell apart by it, and which end after days without use. */
const sessionPrecisionMs = 5 * 60_000;

/**
 * Finds the principal of a credential, an API key or a session token, in this instance.
 * @throws Problem `unauthorized` for any invalid credential.
 */
export async function authenticate(
  deps: Deps,
  { instanceId, credential }: { instanceId: string; credential: string },
): Promise<PrincipalRow> {
  if (!isId(instanceId)) throw Problem.unauthorized('unknown instance');
  const principal = credential.startsWith('shf_')
    ? await byKey(deps, instanceId, credential)
    : await bySession(deps, instanceId, credential);
  // A person without a membership cannot authenticate; otherwise, the forms that were shared with them would stay open to them. Those who run the
  // instance can, because nobody who runs only a workspace may shut them out of it.
  if (!principal || (principal.person_id !== null && principal.roles === null && principal.instance_role === null))
    throw Problem.unauthorized();
  return principal;
}

async function byKey({ db, clock }: Deps, instanceId: string, key: string): Promise<PrincipalRow | undefined> {
  if (!isKey(key)) return undefined;
  const now = clock.now();
  const principal = await credentials.principalOfKey(db, instanceId, fingerprint(key), now);
  if (principal && now.getTime() - (principal.last_used_at?.getTime() ?? 0) > lastUsedPrecisionMs) {
    // No caller needs the result, and after a failure the next use tries again.
    void credentials.touchKey(db, principal.credential_id, now).catch(() => undefined);
  }
  return principal;
}

async function bySession(deps: Deps, instanceId: string, token: string): Promise<PrincipalRow | undefined> {
  const { db, sessionTokens } = deps;
  const id = sessionTokens.read(token);
  if (id === undefined) return undefined;
  const times = sessionTimes(deps);
  const { now } = times;
  const principal = await credentials.principalOfSession(db, instanceId, id, times);
  if (principal && now.getTime() - (principal.last_used_at?.getTime() ?? 0) > sessionPrecisionMs) {
    void credentials.touchSession(db, id, now).catch(() => undefined);
  }
  return principal;
}
