import { generateKeyPairSync, sign, type JsonWebKey, type KeyObject } from 'node:crypto';

export interface SigningKey {
  private: KeyObject;
  public: JsonWebKey;
}

export function signingKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { private: privateKey, public: publicKey.export({ format: 'jwk' }) };
}

/** A request as Sheaf sends it at this time. */
export function signed(key: SigningKey, body: Buffer, now: number): { body: Buffer; headers: Record<string, string> } {
  const id = 'delivery1';
  const timestamp = String(Math.floor(now / 1000));
  const signature = sign(null, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]), key.private).toString('base64');
  return { body, headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` } };
}
