import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };
const keyBytes = 32;

const keyOf = (code: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(code, salt, keyBytes, cost, (error, key) => {
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
  return `scrypt$${salt.toString('base64url')}$${(await keyOf(code, salt)).toString('base64url')}`;
}

/** Whether this is the code of the hash. */
export async function isCode(code: string, hash: string): Promise<boolean> {
  const [, salt = '', key = ''] = hash.split('$');
  const stored = Buffer.from(key, 'base64url');
  const given = await keyOf(code, Buffer.from(salt, 'base64url'));
  return stored.length === given.length && timingSafeEqual(stored, given);
}
