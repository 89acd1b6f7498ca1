import { WebhookError } from './errors';
import { concatenated, headerOf, type HeaderSource } from './request';

/** The signed headers of a delivery. */
export interface SignedHeaders {
  id: string;
  /** In seconds, as it arrived. */
  timestamp: string;
  signatures: Uint8Array<ArrayBuffer>[];
}

export type VerifyKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

// Sheaf sends a signature for each key that signs: two during a rotation. Together with the bound on keys, these bounds limit the work that
// a forged request can cause.
const maxHeaderLength = 2_048;
const maxSignatures = 8;

const v1a = /^v1a,([A-Za-z0-9+/]{86}==)$/;

export function signedHeadersOf(headers: HeaderSource): SignedHeaders {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name);
    if (value === undefined || value === '') throw new WebhookError('missing_header', `The header ${name} is missing`);
    return value;
  }) as [string, string, string];

  if (!/^[\x21-\x7e]{1,256}$/.test(id)) throw new WebhookError('malformed_header', 'webhook-id must be 1 to 256 visible characters');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('malformed_header', 'webhook-timestamp must be a number of seconds');
  if (signature.length > maxHeaderLength) {
    throw new WebhookError('malformed_header', `webhook-signature must have at most ${maxHeaderLength} characters`);
  }
  const encoded = signature.split(' ').flatMap((entry) => v1a.exec(entry)?.[1] ?? []);
  return { id, timestamp, signatures: encoded.slice(0, maxSignatures).map(fromBase64) };
}

/** Whether one of the keys has made one of the signatures. */
export async function isSigned(
  body: Uint8Array,
  { id, timestamp, signatures }: SignedHeaders,
  keys: readonly VerifyKey[],
): Promise<boolean> {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = concatenated([prefix, body], prefix.length + body.length);
  for (const signature of signatures) {
    for (const key of keys) if (await crypto.subtle.verify('Ed25519', key, signature, signed)) return true;
  }
  return false;
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
