import { hash, verify } from '@node-rs/argon2';

// Argon2id with 19 MiB, two passes and one lane, as OWASP recommends (cheatsheetseries, Password Storage). The library works in threads
// of libuv's pool, beside the event loop.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), cost);

let ofNobody: Promise<string> | undefined;

/** Whether it is the password. Takes as long for a person who is not there, so that the time says nothing about who is. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const nobodys = await (ofNobody ??= hashPassword('the password of nobody'));
  const matches = await verify(stored ?? nobodys, password.normalize('NFKC'));
  return matches && typeof stored === 'string';
}
