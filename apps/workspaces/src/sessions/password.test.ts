import { hashPassword, isPassword } from './password';

describe('a password', () => {
  it('is stored as argon2id with the parameters that OWASP recommends', async () => {
    expect(await hashPassword('a good long password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('matches its hash, even in another Unicode form, and others do not', async () => {
    const stored = await hashPassword('un café très serré');
    expect(await isPassword('un cafe\u0301 tre\u0300s serre\u0301', stored)).toBe(true);
    expect(await isPassword('un cafe tres serre', stored)).toBe(false);
  });

  it('never matches without a stored hash', async () => {
    for (const stored of [undefined, null]) expect(await isPassword('a password that no account has', stored)).toBe(false);
  });
});
