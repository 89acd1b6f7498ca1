import { accessText } from '@sheaf/contracts';
import { instanceOf, Problem } from '@sheaf/kernel';
import { pageHeaders, type Call, type VerifyCaller } from '@sheaf/rpc';
import type { Request, Response } from 'express';

/** The facts about a request that the gateway established. */
export interface Asked {
  /** For calls to services on behalf of the respondent. They end in time to answer with a page, counted from the end of the request. */
  readonly call: Call;
  /** For calls that pass on a file while it arrives. */
  readonly uploadCall: Call;
  readonly instanceId: string;
  /** `scheme://host` as the respondent's browser sees it. */
  readonly origin: string;
}

export interface AskedSettings {
  verify: VerifyCaller;
  REQUEST_TIMEOUT_MS: number;
}

/** @throws Problem `unauthorized` for a request that the gateway did not pass on. */
export function readAsked(
  request: Request,
  response: Response,
  { verify, REQUEST_TIMEOUT_MS: timeoutMs, trace }: AskedSettings & { trace: string | undefined },
): Asked {
  const token = headerOf(request, pageHeaders.token);
  const caller = verify(token);
  if (caller.kind !== 'respondent') throw Problem.unauthorized(`pages are for respondents, not for a ${caller.kind}`);
  const latest = Number(headerOf(request, pageHeaders.deadline));
  const pass = headerOf(request, pageHeaders.formPass);
  const facts = {
    token,
    requestId: headerOf(request, pageHeaders.requestId),
    address: headerOf(request, pageHeaders.address),
    trace,
    access: pass === '' ? undefined : accessText({ pass }),
  };
  let arrivedAt = request.method === 'POST' ? undefined : Date.now();
  if (arrivedAt === undefined) request.once('end', () => (arrivedAt = Date.now()));
  let disconnected: AbortController | undefined;

  return {
    instanceId: instanceOf(caller),
    origin: `${headerOf(request, pageHeaders.scheme)}://${request.headers.host ?? ''}`,
    get call() {
      return { ...facts, deadline: Math.min(latest, (arrivedAt ?? Date.now()) + timeoutMs) };
    },
    get uploadCall() {
      if (!disconnected) {
        const controller = (disconnected = new AbortController());
        response.once('close', () => controller.abort());
      }
      return { ...facts, deadline: latest, signal: disconnected.signal };
    },
  };
}

export const headerOf = ({ headers }: Request, name: string): string => headers[name]?.toString() ?? '';

export const askedOf = (response: Response): Asked => response.locals.asked as Asked;
