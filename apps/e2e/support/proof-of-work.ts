import { createHash } from 'node:crypto';

const isProof = (challenge: string, bits: number, nonce: number): boolean =>
  createHash('sha256').update(`${challenge}:${nonce}`).digest().readUInt32BE() < 2 ** (32 - bits);

/** A number that proves the work for one challenge and not for another: with the few bits of tests, one in a thousand proves both. */
export function proofFor(challenge: string, other: string, bits: number): string {
  let nonce = 0;
  while (!isProof(challenge, bits, nonce) || isProof(other, bits, nonce)) nonce++;
  return String(nonce);
}
