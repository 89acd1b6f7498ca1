import { demandScope, Problem, type Client } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Request, Response } from 'express';
import type { Callers, KnownCaller } from './callers';
import type { Rates } from './rates';
import type { Access } from './route';
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
  return async function identifyCaller(access: Access, { instanceId, request, response, context }: AccessContext): Promise<KnownCaller> {
    if (access === 'anyone') return callers.respondent(instanceId);

    const { authorization } = request.headers;
    const cookie = authorization === undefined ? sessionCookie(request) : undefined;
    const known =
      cookie === undefined
        ? await callers.byHeader(instanceId, authorization, context)
        : await callers.byCredential(instanceId, cookie, context);
    rates.byCredential(known.caller.credentialId, response);
    if (cookie !== undefined) requireSameOrigin(request);
    checkAccess(access, known.caller);
    return known;
  };
}

function checkAccess(access: Exclude<Access, 'anyone'>, caller: Client): void {
  if (typeof access === 'object') return demandScope(caller, [access.scope]);
  if (caller.kind !== 'user') throw Problem.forbidden('This operation is for people, not for service accounts.');
  if (access === 'session' && caller.via !== 'session') throw Problem.forbidden('This operation requires a session; a key is not enough.');
}
