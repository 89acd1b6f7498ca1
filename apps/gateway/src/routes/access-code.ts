import { accessCode, accessHeader, accessText, described } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Request } from 'express';
import type { z } from 'zod';

/** The headers of routes that are about a form. */
export const accessHeaders = {
  [accessHeader]: described(
    accessCode().optional(),
    'The access code of the form, if it has one. Without it, or with a wrong one, the response is 403.',
    'spring-2026',
  ),
} satisfies Record<string, z.ZodType>;

/** The call with the code that the request has. @throws Problem `bad_request` for what cannot be a code */
export function withAccess(call: Call, { headers }: Pick<Request, 'headers'>): Call {
  const header = headers[accessHeader.toLowerCase()];
  if (header === undefined) return call;
  const parsed = accessCode().safeParse(header);
  if (!parsed.success) throw Problem.badRequest(`${accessHeader}: ${parsed.error.issues[0]?.message ?? ''}`);
  return { ...call, access: accessText({ code: parsed.data }) };
}
