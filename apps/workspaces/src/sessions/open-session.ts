import { audited, record, type Deed } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Call } from '@sheaf/rpc';
import * as credentials from '../credentials/credentials.queries';
import { daysAfter } from '../days-after';
import type { Deps } from '../deps';
import { proveOrigin } from '../instances/link-origin';
import { shownInstance, type ShownInstance } from '../instances/shown-instance';
import * as people from '../people/people.queries';
import type { PersonRow, WorkspaceRow } from '../rows';
import { sessionTimes } from './session-times';

export interface SignedIn {
  token: string;
  expiresAt: Date;
  person: PersonRow;
  workspace: WorkspaceRow | undefined;
  instance: ShownInstance;
}

/** The credentials of a sign-in. */
export interface Browser {
  userAgent: string | undefined;
  /** The secret that it keeps, by which it is known the next time. */
  device: string | undefined;
  /** The instance and the address of a sign-in. */
  origin?: string | undefined;
}

/**
 * Opens a session of a person, whose row must be locked.
 * @param by `cause` opened the session, and precedes it in the audit log; `details` are those of the session's own entry
 */
export async function openSession(
  deps: Deps,
  trx: Transaction,
  { instanceId, person, call, userAgent, origin }: { instanceId: string; person: PersonRow; call: Call } & Omit<Browser, 'device'>,
  by: { cause?: Deed; details?: Deed['details'] } = {},
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
    last_used_at: now,
    user_agent: userAgent ?? null,
    address: call.address ?? null,
  };
  // Without its own active workspace, the session follows the person's default workspace.
  await credentials.insertSession(trx, { ...session, active_workspace_id: null });
  await people.rememberFirstSignIn(trx, instanceId, person.id, now);
  const asked = { caller: { kind: 'user', id: person.id, instanceId, via: 'session', credentialId: id } as const, call };
  const deeds: Deed[] = [
    ...(by.cause ? [by.cause] : []),
    { action: 'session.created', target: { kind: 'session', id }, details: by.details },
  ];
  await record(trx, ...deeds.map((deed) => audited(asked, deed, now)));
  const instance = await shownInstance(trx, instanceId, person.id);
  if (instance.manages && origin !== undefined) await proveOrigin(trx, instanceId, origin);
  const principal = await credentials.principalOfSession(trx, instanceId, id, sessionTimes(deps));
  return {
    token: deps.sessionTokens.issue(session),
    expiresAt: session.expires_at,
    person,
    workspace: workspaces.find((workspace) => workspace.id === principal?.workspace_id),
    instance,
  };
}

/**
 * Records unknown addresses as well, so the response time does not reveal whether an account exists. The input is not recorded: people type
 * their passwords into the wrong field.
 */
export async function recordFailure(deps: Deps, call: Call, instanceId: string, person: PersonRow | undefined): Promise<void> {
  const target: Deed['target'] = person ? { kind: 'user', id: person.id } : { kind: 'instance', id: instanceId };
  const failed = audited({ caller: { kind: 'respondent', instanceId }, call }, { action: 'session.failed', target }, deps.clock.now());
  await deps.outbox.transaction((trx) => record(trx, failed));
}
