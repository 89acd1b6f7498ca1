import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, type KeyObject } from 'node:crypto';

/** A key that signs the deliveries of one instance. */
export interface WebhookKey {
  /** The RFC 7638 thumbprint of the public half, which identifies the key to anyone who has it. */
  kid: string;
  /** The 32 bytes of the public half, in base64url as in a JSON Web Key. */
  x: string;
  private: KeyObject;
}

// The header of a PKCS #8 document for Ed25519 (RFC 8410); the 32 bytes of the seed follow it.
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Derives an instance's key from the deployment's secret. No secret is stored, so a copy of the database cannot sign anything. Rejected: a
 * column of encrypted keys, which would need the same secret and could be lost as well.
 */
export function deriveKey(secret: string, instanceId: string, generation: number): WebhookKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, instanceId, `sheaf webhook key ${generation}`, 32));
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { kid: thumbprint(x), x, private: key };
}

/** RFC 7638: the SHA-256 of the required members, ordered by name. */
export const thumbprint = (x: string): string =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');

/** `v1a,…` for each key, separated by a space: the value of `webhook-signature` (https://www.standardwebhooks.com). */
export function signatures(keys: readonly WebhookKey[], { id, timestamp, body }: { id: string; timestamp: string; body: string }): string {
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  return keys.map((key) => `v1a,${sign(null, signed, key.private).toString('base64')}`).join(' ');
}
