import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** The cost of new hashes. Each hash has its own, so that a later release may choose another one. */
const cost = { log2N: 15, r: 8, p: 1 };
type Cost = typeof cost;
const maxmem = 2 ** 26;
const keyBytes = 32;

const keyOf = (code: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(code, salt, keyBytes, { N: 2 ** log2N, r, p, maxmem }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    }),
  );

/**
 * The hash of a code that a form's respondents share. Passwords of accounts have argon2, whose native library only `workspaces` loads; a code
 * opens one form, and its tries are limited.
 */
export async function hashCode(code: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await keyOf(code, salt, cost);
  return ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

const form = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/** Whether this is the code of the hash. */
export async function isCode(code: string, hash: string): Promise<boolean> {
  const [, log2N, r, p, salt = '', key = ''] = form.exec(hash) ?? [];
  const stored = Buffer.from(key, 'base64url');
  if (stored.length !== keyBytes) return false;
  const given = await keyOf(code, Buffer.from(salt, 'base64url'), { log2N: Number(log2N), r: Number(r), p: Number(p) });
  return timingSafeEqual(stored, given);
}
