import { hash, verify } from '@node-rs/argon2';
import { Problem } from '@sheaf/kernel';
import { isCommonPassword } from './common-password';

// Argon2id with 19 MiB, two passes and one lane, as OWASP recommends (Password Storage Cheat Sheet). The library runs in libuv's thread
// pool and does not block the event loop.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), cost);

/** @throws Problem `bad_request` for a password that is among the first that anybody tries. */
export function refuseCommonPassword(password: string, email: string): void {
  if (isCommonPassword(password, email))
    throw Problem.badRequest('password: is too common, and among the first that are tried; use several words that do not belong together');
}

let decoy: Promise<string> | undefined;

/** Whether the password is correct. This takes as long without a stored hash, so the time does not reveal whether an account exists. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const decoyHash = await (decoy ??= hashPassword('a password that no account has'));
  const matches = await verify(stored ?? decoyHash, password.normalize('NFKC'));
  return matches && typeof stored === 'string';
}
