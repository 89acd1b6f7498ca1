import { isId, type Clock } from '@sheaf/kernel';
import jwt from 'jsonwebtoken';

/** Tokens of sessions: a JWT that names a row. The row decides, so that a session can be ended at once. */
export interface SessionTokens {
  issue(session: { id: string; expires_at: Date }): string;
  /** @returns the id of the session, or undefined for anything that is not an unexpired token of ours. */
  read(token: string): string | undefined;
}

const options = { algorithm: 'HS256', audience: 'sheaf-session' } as const;

/** @param secrets the first signs, any of them verifies: so a new one takes over while the tokens of the old one are still good. */
export function sessionTokens(secrets: readonly [string, ...string[]], clock: Clock): SessionTokens {
  return {
    issue: ({ id, expires_at }) =>
      jwt.sign({ exp: Math.floor(expires_at.getTime() / 1_000) }, secrets[0], { algorithm: options.algorithm, audience: options.audience, jwtid: id, noTimestamp: true }),

    read(token) {
      for (const secret of secrets) {
        try {
          const claims = jwt.verify(token, secret, {
            algorithms: [options.algorithm],
            audience: options.audience,
            clockTimestamp: Math.floor(clock.now().getTime() / 1_000),
          });
          const id = typeof claims === 'string' ? undefined : claims.jti;
          return id !== undefined && isId(id) ? id : undefined;
        } catch {
          // Of another secret, or no token of ours.
        }
      }
      return undefined;
    },
  };
}
