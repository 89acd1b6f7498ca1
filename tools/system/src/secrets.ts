import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readJson, writeJson } from '@sheaf/data-dir';

const PrivateJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
});
type PrivateJwk = z.output<typeof PrivateJwk>;

const Secrets = z.object({
  /** For the superuser of our own PostgreSQL. */
  postgres_password: z.string(),
  /** Password of each database role, keyed by `<service>` and `<service>_owner`. */
  role_passwords: z.record(z.string(), z.string()),
  nats: z.object({ user: z.string(), password: z.string() }),
  /** ES256 keys of the apps that sign caller tokens; the key id is the issuer. */
  caller_keys: z.object({ gateway: PrivateJwk, delivery: PrivateJwk }),
  session_secret: z.string(),
  /** The secret from which the signing keys of deliveries are derived. */
  webhook_signing_secret: z.string(),
  pages_secret: z.string(),
});

export type Secrets = z.output<typeof Secrets>;
export type CallerKeys = Secrets['caller_keys'];

/** Loads the secrets of this system: generated at its first start, and extended when a new version needs more. */
export async function loadSecrets(path: string, roles: readonly string[]): Promise<Secrets> {
  const stored = await readJson(path, Secrets.partial());
  const generated: Secrets = {
    postgres_password: password(),
    role_passwords: {},
    nats: { user: 'sheaf', password: password() },
    caller_keys: { gateway: signingKey('gateway'), delivery: signingKey('delivery') },
    session_secret: password(),
    webhook_signing_secret: password(),
    pages_secret: password(),
  };
  const passwords = Object.fromEntries(roles.map((role) => [role, password()]));
  const secrets = { ...generated, ...stored, role_passwords: { ...passwords, ...stored?.role_passwords } };
  // Stored before first use: if PostgreSQL had a password that is not on disk, we would be locked out.
  if (!isDeepStrictEqual(secrets, stored)) await writeJson(path, secrets);
  return secrets;
}

/** The public halves of the keys, as a JWK set. */
export const publicKeys = (keys: CallerKeys) => ({
  keys: [keys.gateway, keys.delivery].map(({ kty, crv, x, y, kid, alg, use }) => ({ kty, crv, x, y, kid, alg, use })),
});

/** 256 random bits in characters that need no quoting anywhere. */
const password = () => randomBytes(32).toString('base64url');

function signingKey(issuer: string): PrivateJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return PrivateJwk.parse({ ...privateKey.export({ format: 'jwk' }), kid: issuer, alg: 'ES256', use: 'sig' });
}
