import { audited, record } from '@sheaf/events';
import { isId, Problem, type User } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import * as credentials from '../credentials/credentials.queries';
import type { Deps } from '../deps';
import { accessChanged } from '../people/access-changed';
import type { SessionRow } from '../rows';
import { sessionTimes } from './session-times';

/** The caller's valid sessions, those used last before the others. */
export const listSessions = (
  deps: Deps,
  caller: User,
  page: { limit: number; offset: number },
): Promise<{ rows: SessionRow[]; total: number }> =>
  credentials.sessionsOf(deps.db, { instanceId: caller.instanceId, personId: caller.id, ...sessionTimes(deps) }, page);

/** Ends one of the caller's sessions, immediately in every process. */
export async function endOwnSession(deps: Deps, asked: Asked<User>, { id }: { id: string }): Promise<void> {
  const { caller } = asked;
  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    const session = { id, instanceId: caller.instanceId, personId: caller.id };
    if (!isId(id) || !(await credentials.endSessionOf(trx, session, sessionTimes(deps)))) throw Problem.notFound('session');
    await record(
      trx,
      accessChanged(caller.instanceId, { credentialIds: [id] }, now),
      audited(asked, { action: 'session.ended', target: { kind: 'session', id } }, now),
    );
  });
}

/** Ends all of the caller's sessions but the one that they use, immediately in every process. */
export async function endOtherSessions(deps: Deps, asked: Asked<User>): Promise<void> {
  const { caller } = asked;
  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    const others = { instanceId: caller.instanceId, personId: caller.id, exceptId: caller.credentialId };
    const credentialIds = await credentials.endOtherSessions(trx, others, now);
    if (credentialIds.length === 0) return;
    const target = { kind: 'user', id: caller.id } as const;
    await record(
      trx,
      accessChanged(caller.instanceId, { credentialIds }, now),
      audited(asked, { action: 'sessions.ended', target, details: { count: credentialIds.length } }, now),
    );
  });
}
