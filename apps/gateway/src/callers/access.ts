import { authorizeOnInstance, demandScope, demandSession, Problem, type Caller, type Client } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Request, Response } from 'express';
import type { Access, Route } from '../route';
import { admissionOf } from './admission';
import type { Callers, KnownCaller } from './callers';
import type { Rates } from './rates';
import { requireSameOrigin, sessionCookie } from './session-cookie';

interface AccessContext {
  instanceId: string;
  request: Request;
  response: Response;
  /** For the gateway's own calls. */
  context: Omit<Call, 'token'>;
}

/** The second phase: identifies the caller and checks that they may use the route (401, 403). */
export function accessControl({ callers, rates }: { callers: Callers; rates: Rates }) {
  return async function identifyCaller(
    { access, onInstance }: Pick<Route, 'access' | 'onInstance'>,
    { instanceId, request, response, context }: AccessContext,
  ): Promise<KnownCaller> {
    if (access === 'anyone') return callers.respondent(instanceId);

    const cookie = access === 'bearer' ? undefined : cookieOf(request);
    const known =
      access === 'bearer'
        ? await callers.byHeader(instanceId, request.headers.authorization, context)
        : await lookUp(callers, { instanceId, request, context });
    admissionOf(response).who = known.caller.kind === 'user' && known.caller.via === 'session' ? 'session' : 'key';
    rates.byCredential(known.caller.credentialId, response);
    if (cookie !== undefined) requireSameOrigin(request);
    demandAccess({ access, onInstance }, known.caller);
    return known;
  };
}

/** The caller to whom the credential of a request belongs at this moment. @throws Problem if it is missing or not valid */
export function lookUp(callers: Callers, { instanceId, request, context }: Omit<AccessContext, 'response'>): Promise<KnownCaller<Client>> {
  const cookie = cookieOf(request);
  return cookie === undefined
    ? callers.byHeader(instanceId, request.headers.authorization, context)
    : callers.byCredential(instanceId, cookie, context);
}

/** A header takes precedence over the cookie. */
const cookieOf = (request: Request): string | undefined =>
  request.headers.authorization === undefined ? sessionCookie(request) : undefined;

/** @throws Problem if the caller may not use what has this access */
export function demandAccess({ access, onInstance }: Pick<Route, 'access' | 'onInstance'>, caller: Caller): void {
  if (access === 'anyone') return;
  if (caller.kind !== 'user' && caller.kind !== 'service_account') throw Problem.forbidden('This operation needs a key or a session.');
  checkAccess(access, caller);
  if (onInstance !== undefined && caller.kind === 'user') authorizeOnInstance(caller, onInstance);
}

/** Whether the caller may use what has this access. */
export function hasAccess(row: Pick<Route, 'access' | 'onInstance'>, caller: Caller): boolean {
  try {
    demandAccess(row, caller);
    return true;
  } catch (thrown) {
    if (thrown instanceof Problem) return false;
    throw thrown;
  }
}

function checkAccess(access: Exclude<Access, 'anyone'>, caller: Client): void {
  if (access === 'bearer') return;
  if (typeof access === 'object') return demandScope(caller, [access.scope]);
  if (caller.kind !== 'user') throw Problem.forbidden('This operation is for people, not for service accounts.');
  if (access === 'session') demandSession(caller);
}
