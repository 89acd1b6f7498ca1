import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { instanceRoles, Problem, scopes, workspaceRoles, type Caller } from '@sheaf/kernel';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { audienceOf, type CalledApp } from './audiences';
import type { TokenFor } from './call';

/**
 * The lifetime of a caller token: a JWT (ES256) that names the caller, signed by the gateway after it has checked a credential, or by a
 * process that calls in its own name. Services trust it without asking another service: it is short-lived, and the gateway forgets a caller
 * as soon as an event says that their access has changed. It names the apps that it is for, so a token stolen at one app opens only the
 * apps that this one may call.
 */
const lifetimeSeconds = 60;
/** How far apart the clocks of two machines may be. A token is used for half its lifetime, so a slightly older one is still accepted. */
const toleratedSkewSeconds = 60;
/** The only issuer that may sign tokens for people, service accounts and respondents. */
const gateway = 'gateway';

export const PrivateJwk = z.object({
  kid: z.string(),
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});
export const PublicJwks = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })).min(1),
});
export type PrivateJwk = z.output<typeof PrivateJwk>;
/** A signing key, or several keys of one process: the first one signs, and the others are for a rotation. */
export const SigningKey = z.union([
  PrivateJwk,
  z
    .object({ keys: z.tuple([PrivateJwk], PrivateJwk) })
    .refine(({ keys: [first, ...others] }) => others.every(({ kid }) => kid === first.kid), 'must be keys with one kid')
    .transform(({ keys: [first] }) => first),
]);
export type PublicJwks = z.output<typeof PublicJwks>;

const Claims = z.object({
  aud: z.array(z.string()),
  iat: z.number(),
  exp: z.number(),
  caller: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('user'),
      id: z.string(),
      instanceId: z.string(),
      workspaceId: z.string().optional(),
      roles: z.record(z.string(), z.enum(workspaceRoles)),
      // A gateway of the previous version knows none, so nobody acts on the instance through it.
      instanceRole: z.enum(instanceRoles).optional(),
      via: z.enum(['session', 'api_key']),
      credentialId: z.string(),
    }),
    z.object({
      kind: z.literal('service_account'),
      id: z.string(),
      instanceId: z.string(),
      scopes: z.array(z.enum(scopes)),
      credentialId: z.string(),
    }),
    z.object({ kind: z.literal('respondent'), instanceId: z.string() }),
    z.object({ kind: z.literal('service'), id: z.string() }),
  ]),
});

/** Issues a token for calls to an app. */
export type SignCaller = (caller: Caller, app: CalledApp) => string;

/** Signs tokens as the key's `kid`, which is the name of the process. */
export function callerSigner(key: PrivateJwk): SignCaller {
  const secret = createPrivateKey({ key: key as JsonWebKey, format: 'jwk' });
  return (caller, app) => {
    const audience = [...audienceOf(caller, app)];
    return jwt.sign({ caller }, secret, { algorithm: 'ES256', keyid: key.kid, audience, expiresIn: lifetimeSeconds });
  };
}

export type VerifyCaller = (token: string) => Caller;

/** Called with a token's age, by our clock, when it is first seen here. The age is negative if the issuer's clock is ahead. */
export type OnTokenAge = (issuer: string, seconds: number) => void;

/**
 * Verifies tokens signed with one of the given keys; an issuer has several keys during a rotation. Verified tokens are cached until they
 * expire.
 * @returns the verifier of each app. It throws Problem `unavailable` for an expired token of a known issuer, because the caller cannot
 * fix that, and `unauthorized` for every other fault.
 */
export function callerVerifier(jwks: PublicJwks, onAge: OnTokenAge = () => undefined): (app: CalledApp) => VerifyCaller {
  const keys = new Map<string, KeyObject[]>();
  for (const key of jwks.keys)
    keys.set(key.kid, [...(keys.get(key.kid) ?? []), createPublicKey({ key: key as JsonWebKey, format: 'jwk' })]);

  return (app) => {
    const verified = new LRUCache<string, Caller>({ max: 10_000 });
    return (token) => {
      const known = verified.get(token);
      if (known) return known;

      const issuer = jwt.decode(token, { complete: true })?.header.kid ?? '';
      const { caller, aud, iat, exp } = verifyWith(keys.get(issuer) ?? [], token);
      onAge(issuer, Date.now() / 1_000 - iat);
      if (!aud.includes(app)) throw Problem.unauthorized(`a caller token for ${String(aud)}`);
      const speaksForItself = caller.kind === 'service' && caller.id === issuer;
      if (!speaksForItself && (issuer !== gateway || caller.kind === 'service')) {
        throw Problem.unauthorized(`${issuer} may not speak for a ${caller.kind}`);
      }
      const leftMs = (exp + toleratedSkewSeconds) * 1_000 - Date.now();
      if (leftMs > 0) verified.set(token, caller, { ttl: leftMs });
      return caller;
    };
  };
}

function verifyWith(keys: readonly KeyObject[], token: string): z.output<typeof Claims> {
  let reason: unknown = 'a caller token from an unknown issuer';
  for (const key of keys) {
    try {
      return Claims.parse(jwt.verify(token, key, { algorithms: ['ES256'], clockTolerance: toleratedSkewSeconds }));
    } catch (error) {
      // The signature was valid, so no other key needs to be tried.
      if (error instanceof jwt.TokenExpiredError) throw Problem.unavailable(error);
      reason = error;
    }
  }
  throw Problem.unauthorized(reason);
}

/**
 * Issues the tokens of one caller, one for each called app. Each token is reused for half its lifetime, so that services can cache
 * its verification, and then replaced by a new one.
 */
export function callerTokens(sign: SignCaller, caller: Caller, now: () => number = Date.now): TokenFor {
  const issued: Partial<Record<CalledApp, { token: string; renewAt: number }>> = {};
  return (app) => {
    const at = now();
    const last = issued[app];
    if (last && at < last.renewAt) return last.token;
    const token = sign(caller, app);
    issued[app] = { token, renewAt: at + (lifetimeSeconds * 1_000) / 2 };
    return token;
  };
}
