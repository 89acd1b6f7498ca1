import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { startTokenSecret } from './start-tokens.queries';

/** Records when a form was opened. A JWT, so that nothing is stored for people who only look at a form. */
export interface StartTokens {
  issue: (formId: string) => Promise<string>;
  /** The token's age in milliseconds; undefined if it belongs to another form or is no longer valid. */
  ageOf: (formId: string, token: string) => Promise<number | undefined>;
  /** Whether the token was issued for this form, however long ago, and whatever the clock of the process that issued it. */
  isGenuine: (formId: string, token: string) => Promise<boolean>;
}

const Claims = z.object({ at: z.number() });

export function startTokens({ db, clock }: { db: Database; clock: Clock }): StartTokens {
  let known: KeyObject | undefined;
  // Not read at startup: a process starts without its database and waits for it. As a key object, because the library would try to read a
  // text as a private key each time, which takes longer than everything else here.
  const secret = async () => (known ??= createSecretKey(await startTokenSecret(db), 'utf8'));

  const issuedAt = async (formId: string, token: string): Promise<number | undefined> => {
    const key = await secret();
    try {
      return Claims.parse(jwt.verify(token, key, { algorithms: ['HS256'], audience: formId })).at;
    } catch {
      return undefined;
    }
  };

  return {
    // In milliseconds; a JWT's own `iat` has only seconds.
    issue: async (formId) =>
      jwt.sign({ at: clock.now().getTime() }, await secret(), { algorithm: 'HS256', audience: formId, noTimestamp: true }),

    ageOf: async (formId, token) => {
      const at = await issuedAt(formId, token);
      const age = at === undefined ? undefined : clock.now().getTime() - at;
      // Negative if the clocks of two processes differ.
      return age !== undefined && age >= 0 ? age : undefined;
    },

    isGenuine: async (formId, token) => (await issuedAt(formId, token)) !== undefined,
  };
}
