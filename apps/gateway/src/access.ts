import { demandScope, Problem, type Client } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Request, Response } from 'express';
import type { Callers, Known } from './callers';
import type { Rates } from './rates';
import type { Access } from './route';
import { demandOwnOrigin, sessionCookie } from './session-cookie';

interface Asking {
  instanceId: string;
  request: Request;
  response: Response;
  /** For what the gateway itself asks. */
  own: Omit<Call, 'token'>;
}

/** The second phase: who is calling, and whether they may take the route (401, 403). */
export function gate({ callers, rates }: { callers: Callers; rates: Rates }) {
  return async function whoTakes(access: Access, { instanceId, request, response, own }: Asking): Promise<Known> {
    if (access === 'anyone') return callers.respondent(instanceId);

    const { authorization } = request.headers;
    const cookie = authorization === undefined ? sessionCookie(request) : undefined;
    const known = cookie === undefined ? await callers.byHeader(instanceId, authorization, own) : await callers.byCredential(instanceId, cookie, own);
    rates.byCredential(known.caller.credentialId, response);
    if (cookie !== undefined) demandOwnOrigin(request);
    checkAccess(access, known.caller);
    return known;
  };
}

function checkAccess(access: Exclude<Access, 'anyone'>, caller: Client): void {
  if (typeof access === 'object') return demandScope(caller, [access.scope]);
  if (caller.kind !== 'user') throw Problem.forbidden('This operation is for people, not for service accounts.');
  if (access === 'session' && caller.via !== 'session') throw Problem.forbidden('This operation is for people who are signed in, not for keys.');
}
