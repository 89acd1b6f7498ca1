import { scryptSync } from 'node:crypto';
import { hashCode, isCode } from './code-hash';

it('knows a code again by its hash, which is another one each time and shows nothing of it', async () => {
  const [one, other] = await Promise.all([hashCode('spring-2026'), hashCode('spring-2026')]);
  expect(one).not.toBe(other);
  expect(one).not.toContain('spring');
  for (const hash of [one, other]) expect(await isCode('spring-2026', hash)).toBe(true);
  expect(await isCode('Spring-2026', one)).toBe(false);
});

it('knows a code by the cost that its hash was made with', async () => {
  const salt = Buffer.from('sixteen bytes ab');
  const key = scryptSync('spring-2026', salt, 32, { N: 2 ** 10, r: 4, p: 2 }).toString('base64url');
  const of = (cost: string) => ['scrypt', cost, salt.toString('base64url'), key].join('$');
  expect(await isCode('spring-2026', of('10$4$2'))).toBe(true);
  expect(await isCode('spring-2026', of('11$4$2'))).toBe(false);
  expect(await hashCode('spring-2026')).toMatch(/^scrypt\$15\$8\$1\$/);
});

it.each(['', 'scrypt', 'scrypt$$', 'scrypt$AAAA$AAAA', 'scrypt$15$8$1$AAAA$AAAA'])(
  'takes no code for a damaged hash, such as %j',
  async (hash) => {
    expect(await isCode('', hash)).toBe(false);
  },
);
