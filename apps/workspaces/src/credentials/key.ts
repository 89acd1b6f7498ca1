import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The keys that clients hold: `shf_u_` for a person's, `shf_s_` for a service account's, then 32 random bytes and a CRC-32 in base 62.
 * The prefix lets secret scanners find a leaked key, the checksum lets anyone see offline that one was mistyped.
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

/** Whether a text can be a key of ours at all; anything else is refused without asking the database. */
export function isKey(text: string): boolean {
  return shape.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumLength)));
}

/** What may be shown of a key, to tell several apart. */
export const shownPrefix = (key: string): string => key.slice(0, prefixes.user.length + 6);

/** What is stored of a key or of any other random token. It has 256 bits of its own, so a slow hash would add nothing. */
export const fingerprint = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const checksumOf = (body: string): string => base62(BigInt(crc32(body)), checksumLength);

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text;
  return text;
}
