import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { startTokenSecret } from './start-tokens.queries';

/** Says when somebody was given a form. A JWT, so nothing is kept of those who look at a form and go. */
export interface StartTokens {
  issue: (formId: string) => Promise<string>;
  /** How many milliseconds ago it was issued; undefined for one that is none of this form or says nothing any more. */
  ageOf: (formId: string, token: string) => Promise<number | undefined>;
}

const Claims = z.object({ at: z.number() });

export function startTokens({ db, clock }: { db: Database; clock: Clock }): StartTokens {
  let known: string | undefined;
  // Not read at the start: a process comes up without its database, and waits for it.
  const secret = async () => (known ??= await startTokenSecret(db));

  return {
    // In milliseconds, which a JWT's own `iat` does not have.
    issue: async (formId) =>
      jwt.sign({ at: clock.now().getTime() }, await secret(), { algorithm: 'HS256', audience: formId, noTimestamp: true }),

    ageOf: async (formId, token) => {
      const key = await secret();
      try {
        const { at } = Claims.parse(jwt.verify(token, key, { algorithms: ['HS256'], audience: formId }));
        const age = clock.now().getTime() - at;
        // Below zero when the clocks of two processes differ.
        return age >= 0 ? age : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
