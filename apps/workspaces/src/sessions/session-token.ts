import { isId, type Clock } from '@sheaf/kernel';
import jwt from 'jsonwebtoken';

/** A session token is a JWT with the id of a row. The row decides, so a session can be ended immediately. */
export interface SessionTokens {
  issue(session: { id: string; expires_at: Date }): string;
  /** @returns the session id; undefined for anything but a valid, unexpired token. */
  read(token: string): string | undefined;
}

const options = { algorithm: 'HS256', audience: 'sheaf-session' } as const;

/** @param secrets The first one signs, and all of them verify, so tokens stay valid during a rotation. */
export function sessionTokens(secrets: readonly [string, ...string[]], clock: Clock): SessionTokens {
  return {
    issue: ({ id, expires_at }) =>
      jwt.sign({ exp: Math.floor(expires_at.getTime() / 1_000) }, secrets[0], {
        algorithm: options.algorithm,
        audience: options.audience,
        jwtid: id,
        noTimestamp: true,
      }),

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
          // Signed with another secret, or not a session token.
        }
      }
      return undefined;
    },
  };
}
