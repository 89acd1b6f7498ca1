import { isId, Problem } from '@sheaf/kernel';
import * as credentials from './credentials.queries';
import type { Deps } from '../deps';
import { fingerprint, isKey } from './key';
import type { PrincipalRow } from '../rows';

// How exact `last_used_at` is. Written at every use it would be a write per request.
const lastUsedEveryMs = 60_000;

/**
 * Who a credential, key or session token, stands for on this instance.
 * @throws Problem `unauthorized`, the same for whatever is wrong with it.
 */
export async function authenticate(deps: Deps, { instanceId, credential }: { instanceId: string; credential: string }): Promise<PrincipalRow> {
  if (!isId(instanceId)) throw Problem.unauthorized('not an instance');
  const principal = credential.startsWith('shf_') ? await byKey(deps, instanceId, credential) : await bySession(deps, instanceId, credential);
  // A person without a membership does not authenticate: the forms that were shared with them would stay open to them otherwise.
  if (!principal || (principal.person_id !== null && principal.roles === null)) throw Problem.unauthorized();
  return principal;
}

async function byKey({ db, clock }: Deps, instanceId: string, key: string): Promise<PrincipalRow | undefined> {
  if (!isKey(key)) return undefined;
  const now = clock.now();
  const principal = await credentials.principalOfKey(db, instanceId, fingerprint(key), now);
  if (principal && now.getTime() - (principal.last_used_at?.getTime() ?? 0) > lastUsedEveryMs) {
    // Nobody waits for it, and the next use makes up for one that failed.
    void credentials.touchKey(db, principal.credential_id, now).catch(() => undefined);
  }
  return principal;
}

async function bySession({ db, clock, sessionTokens }: Deps, instanceId: string, token: string): Promise<PrincipalRow | undefined> {
  const id = sessionTokens.read(token);
  return id === undefined ? undefined : credentials.principalOfSession(db, instanceId, id, clock.now());
}
