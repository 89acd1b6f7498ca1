import { accessCode, accessText, readAccess, withAccessHash, withoutAccessHash } from './access-code';

describe('the stored settings of a form with an access code', () => {
  it('are no JSON, so that an earlier release fails to read them', () => {
    expect(() => JSON.parse(withAccessHash('{"description":"x"}', 'scrypt$a$b')) as unknown).toThrow(SyntaxError);
  });

  it('are read with the hash apart', () => {
    expect(withoutAccessHash(withAccessHash('{"a":"1\\n2"}', 'scrypt$a$b'))).toEqual({ json: '{"a":"1\\n2"}', accessHash: 'scrypt$a$b' });
  });

  it('are the JSON itself for a form without a code', () => {
    expect(withAccessHash('{}', undefined)).toBe('{}');
    expect(withoutAccessHash('{}')).toEqual({ json: '{}', accessHash: undefined });
  });
});

it.each(['spring-2026', 'blue house 7', '      x'.replaceAll(' ', '!'), 'a'.repeat(100)])('takes %j as a code', (code) => {
  expect(accessCode().safeParse(code).success).toBe(true);
});

it.each(['short', 'a'.repeat(101), ' spring-2026', 'spring-2026 ', 'Frühling-2026', 'line\nbreak', 7])('refuses %j as a code', (code) => {
  expect(accessCode().safeParse(code).error?.issues[0]?.message).toMatch(/^must be /);
});

it('tells a code and a pass apart, whatever they contain', () => {
  for (const access of [{ code: 'pass:x' }, { pass: 'code:x' }]) expect(readAccess(accessText(access))).toEqual(access);
  for (const other of [undefined, '', 'token:x']) expect(readAccess(other)).toBeUndefined();
});
