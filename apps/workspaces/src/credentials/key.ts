import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * API keys consist of a prefix (`shf_u_` for people, `shf_s_` for service accounts), 32 random bytes and a CRC-32, both in base 62.
 * The prefix lets secret scanners find leaked keys; the checksum reveals a mistyped key without a request.
 */
export type KeyKind = 'user' | 'service_account';

const prefixes: Record<KeyKind, string> = { user: 'shf_u_', service_account: 'shf_s_' };
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 43;
const checksumLength = 6;
const shape = new RegExp(`^shf_[us]_[0-9A-Za-z]{${secretLength + checksumLength}}$`);

export function newKey(kind: KeyKind): string {
  const body = prefixes[kind] + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
  return body + checksumOf(body);
}

/** Whether the text has the form of an API key; anything else is rejected without querying the database. */
export function isKey(text: string): boolean {
  return shape.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumLength)));
}

/** The part of a key that may be shown, to tell keys apart. */
export const shownPrefix = (key: string): string => key.slice(0, prefixes.user.length + 6);

/** The stored form of a key or another random token. The token has 256 random bits, so a slow hash would add nothing. */
export const fingerprint = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const checksumOf = (body: string): string => base62(BigInt(crc32(body)), checksumLength);

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text;
  return text;
}
