import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
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
const audience = 'sheaf';
/** The one issuer that may speak for people, service accounts and respondents. */
const gateway = 'gateway';

export const PrivateJwk = z.object({ kid: z.string(), kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), d: z.string() });
export const PublicJwks = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })).min(1),
});
export type PrivateJwk = z.output<typeof PrivateJwk>;
export type PublicJwks = z.output<typeof PublicJwks>;

const Claims = z.object({
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

/**
 * Reads tokens that one of the given keys signed. What was verified once is remembered until it expires.
 * @throws Problem `unauthorized` for everything else.
 */
export function callerVerifier(jwks: PublicJwks): VerifyCaller {
  const keys = new Map(jwks.keys.map((key) => [key.kid, createPublicKey({ key: key as JsonWebKey, format: 'jwk' })]));
  const verified = new LRUCache<string, Caller>({ max: 10_000 });

  return (token) => {
    if (token === undefined) throw Problem.unauthorized('a call without a caller token');
    const known = verified.get(token);
    if (known) return known;

    const issuer = jwt.decode(token, { complete: true })?.header.kid ?? '';
    const key = keys.get(issuer);
    if (!key) throw Problem.unauthorized(`a caller token of an unknown issuer`);

    const { caller, exp } = verifyWith(key, token);
    const speaksForItself = caller.kind === 'service' && caller.id === issuer;
    if (!speaksForItself && (issuer !== gateway || caller.kind === 'service')) {
      throw Problem.unauthorized(`${issuer} may not speak for a ${caller.kind}`);
    }
    const leftMs = exp * 1_000 - Date.now();
    if (leftMs > 0) verified.set(token, caller, { ttl: leftMs });
    return caller;
  };
}

function verifyWith(key: ReturnType<typeof createPublicKey>, token: string): z.output<typeof Claims> {
  try {
    return Claims.parse(jwt.verify(token, key, { algorithms: ['ES256'], audience }));
  } catch (error) {
    throw Problem.unauthorized(error);
  }
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
