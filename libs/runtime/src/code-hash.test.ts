import { hashCode, isCode } from './code-hash';

it('knows a code again by its hash, which is another one each time and shows nothing of it', async () => {
  const [one, other] = await Promise.all([hashCode('spring-2026'), hashCode('spring-2026')]);
  expect(one).not.toBe(other);
  expect(one).not.toContain('spring');
  for (const hash of [one, other]) expect(await isCode('spring-2026', hash)).toBe(true);
  expect(await isCode('Spring-2026', one)).toBe(false);
});

it.each(['', 'scrypt', 'scrypt$$', 'scrypt$AAAA$AAAA'])('takes no code for a damaged hash, such as %j', async (hash) => {
  expect(await isCode('', hash)).toBe(false);
});
