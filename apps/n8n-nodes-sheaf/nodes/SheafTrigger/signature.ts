import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';

export interface SignedRequest {
  /** The body as received: JSON that was parsed and serialized again may have different bytes. */
  body: Buffer;
  headers: Record<string, string | string[] | undefined>;
}

/** How far the time of an attempt may be from ours, in seconds. Older requests may be replays. */
const toleranceSeconds = 300;

/** Whether the request was sent recently and has a valid signature (Standard Webhooks, Ed25519) by one of the keys. */
export function isGenuine({ body, headers }: SignedRequest, keys: readonly JsonWebKey[], now: number): boolean {
  const id = single(headers['webhook-id']);
  const timestamp = single(headers['webhook-timestamp']);
  if (id === '' || !/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) return false;

  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const signatures = single(headers['webhook-signature'])
    .split(' ')
    .filter((entry) => entry.startsWith('v1a,'))
    .map((entry) => Buffer.from(entry.slice('v1a,'.length), 'base64'));
  // During a rotation, requests have two signatures. Further ones are not Sheaf's, and checking each costs time.
  return signatures.slice(0, 4).some((signature) => keys.some((key) => isSignature(signature, signed, key)));
}

function isSignature(signature: Buffer, signed: Buffer, key: JsonWebKey): boolean {
  try {
    return verify(null, signed, createPublicKey({ key, format: 'jwk' }), signature);
  } catch {
    // A key of another kind, which a later version of Sheaf may publish as well.
    return false;
  }
}

const single = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');
