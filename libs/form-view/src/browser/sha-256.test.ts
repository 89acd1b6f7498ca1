import { createHash } from 'node:crypto';
import { findNonce, sha256 } from './sha-256';

it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 300])('hashes a text of %d characters as SHA-256 does', (length) => {
  const text = 'äbc'.repeat(length).slice(0, length);
  expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

it('finds a number whose hash begins with enough zero bits', () => {
  const challenge = `${'s'.repeat(80)}:0199-ab12`;
  const hash = createHash('sha256')
    .update(`${challenge}:${findNonce(challenge, 12)}`)
    .digest();
  expect(hash.readUInt32BE() >>> 20).toBe(0);
});
