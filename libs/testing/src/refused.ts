import type { ProblemCode } from '@sheaf/kernel';

/** Equals a problem with this code and, if given, this message. For `expect(…).rejects.toEqual(…)`. */
export const refused = (code: ProblemCode, message?: string | RegExp): unknown => {
  if (message === undefined) return expect.objectContaining({ code });
  return expect.objectContaining({ code, message: typeof message === 'string' ? message : (expect.stringMatching(message) as unknown) });
};
