import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { Problem, scopes, workspaceRoles, type Caller } from '@sheaf/kernel';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/**
 * The caller token: a JWT (ES256) that says who is calling, signed by the gateway once it has checked a credential, or by a process
 * of ours that acts for nobody else. The services trust it and ask nobody: it is short-lived, and the gateway forgets a caller as
 * soon as an event says that their access changed.
 */
export const lifetimeSeconds = 60;
/** How far the clocks of two of our machines may be apart. A token is used for half of its life, so it is taken when it is a little older. */
const toleratedSkewSeconds = 60;
const audience = 'sheaf';
/** The one issuer that may speak for people, service accounts and respondents. */
const gateway = 'gateway';

export const PrivateJwk = z.object({ kid: z.string(), kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), d: z.string() });
export const PublicJwks = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })).min(1),
});
export type PrivateJwk = z.output<typeof PrivateJwk>;
/** A key that signs, or several of one process, of which the first signs; the others wait for their turn in a rotation. */
export const SigningKey = z.union([
  PrivateJwk,
  z
    .object({ keys: z.tuple([PrivateJwk], PrivateJwk) })
    .refine(({ keys: [first, ...others] }) => others.every(({ kid }) => kid === first.kid), 'must be keys with one kid')
    .transform(({ keys: [first] }) => first),
]);
export type PublicJwks = z.output<typeof PublicJwks>;

const Claims = z.object({
  iat: z.number(),
  exp: z.number(),
  caller: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('user'),
      id: z.string(),
      instanceId: z.string(),
      workspaceId: z.string().optional(),
      roles: z.record(z.string(), z.enum(workspaceRoles)),
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

export type SignCaller = (caller: Caller) => string;

/** Signs tokens in the name of the key's `kid`, which is the name of the process. */
export function callerSigner(key: PrivateJwk): SignCaller {
  const secret = createPrivateKey({ key: key as JsonWebKey, format: 'jwk' });
  return (caller) => jwt.sign({ caller }, secret, { algorithm: 'ES256', keyid: key.kid, audience, expiresIn: lifetimeSeconds });
}

export type VerifyCaller = (token: string | undefined) => Caller;

/** Hears how old a token was, by our clock, when it was first seen here: less than nothing if its issuer's clock is ahead. */
export type OnTokenAge = (issuer: string, seconds: number) => void;

/**
 * Reads tokens that one of the given keys signed; an issuer has several while one replaces the other. What was verified once is remembered until it expires.
 * @throws Problem `unavailable` for one of ours that has expired, as whoever is calling can do nothing about it, and `unauthorized` for
 * everything else.
 */
export function callerVerifier(jwks: PublicJwks, onAge: OnTokenAge = () => undefined): VerifyCaller {
  const keys = new Map<string, KeyObject[]>();
  for (const key of jwks.keys) keys.set(key.kid, [...(keys.get(key.kid) ?? []), createPublicKey({ key: key as JsonWebKey, format: 'jwk' })]);
  const verified = new LRUCache<string, Caller>({ max: 10_000 });

  return (token) => {
    if (token === undefined) throw Problem.unauthorized('a call without a caller token');
    const known = verified.get(token);
    if (known) return known;

    const issuer = jwt.decode(token, { complete: true })?.header.kid ?? '';
    const { caller, iat, exp } = verifyWith(keys.get(issuer) ?? [], token);
    onAge(issuer, Date.now() / 1_000 - iat);
    const speaksForItself = caller.kind === 'service' && caller.id === issuer;
    if (!speaksForItself && (issuer !== gateway || caller.kind === 'service')) {
      throw Problem.unauthorized(`${issuer} may not speak for a ${caller.kind}`);
    }
    const leftMs = (exp + toleratedSkewSeconds) * 1_000 - Date.now();
    if (leftMs > 0) verified.set(token, caller, { ttl: leftMs });
    return caller;
  };
}

function verifyWith(keys: readonly KeyObject[], token: string): z.output<typeof Claims> {
  let reason: unknown = 'a caller token of an unknown issuer';
  for (const key of keys) {
    try {
      return Claims.parse(jwt.verify(token, key, { algorithms: ['ES256'], audience, clockTolerance: toleratedSkewSeconds }));
    } catch (error) {
      // The signature was right, so no other key has to be tried.
      if (error instanceof jwt.TokenExpiredError) throw Problem.unavailable(error);
      reason = error;
    }
  }
  throw Problem.unauthorized(reason);
}

/** Keeps one process's own token fresh: signed again when half of its life is over. */
export function serviceToken(sign: SignCaller, name: string, now: () => number = Date.now): () => string {
  let token = '';
  let renewAt = 0;
  return () => {
    if (now() >= renewAt) {
      token = sign({ kind: 'service', id: name });
      renewAt = now() + (lifetimeSeconds * 1_000) / 2;
    }
    return token;
  };
}
