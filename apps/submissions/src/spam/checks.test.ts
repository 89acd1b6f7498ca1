import { anyOf, honeypot, tooFast, tooManyLinks, type Suspect } from './checks';

const suspect = (overrides: Partial<Suspect>): Suspect => ({
  formId: 'f',
  answers: {},
  address: undefined,
  trap: undefined,
  started: undefined,
  ...overrides,
});

it.each([
  [undefined, undefined],
  ['', undefined],
  ['http://buy.example', 'honeypot'],
])('judges a honeypot that contains %j as %j', (trap, reason) => {
  expect(honeypot(suspect({ trap }))).toBe(reason);
});

describe('a submission sent too fast', () => {
  const check = tooFast(2_000, (_, token) => Promise.resolve({ soon: 1_999, later: 2_000 }[token]));

  it.each([
    ['soon', 'too_fast'],
    ['later', undefined],
    ['forged', undefined],
    [undefined, undefined],
  ])('with the token %j is judged as %j', async (started, reason) => {
    expect(await check(suspect({ started }))).toBe(reason);
  });
});

describe('too many links', () => {
  const check = tooManyLinks(2);

  it.each([
    ['the permitted number', { a: 'see http://a.example and www.b.example' }, undefined],
    ['one too many, in all answers together', { a: 'see http://a.example and www.b.example', b: 'or HTTPS://c.example' }, 'too_many_links'],
    ['too many without spaces between them', { a: 'http://a.example,http://b.example,http://c.example' }, 'too_many_links'],
    ['several answers that are single links', { a: 'https://a.example', b: 'https://b.example', c: 'https://c.example' }, undefined],
    ['answers that are not text', { a: 5, b: true, c: ['http://a.example'] }, undefined],
  ])('%s', (_, answers, reason) => {
    expect(check(suspect({ answers }))).toBe(reason);
  });
});

it('returns the first reason and runs no further checks', async () => {
  const asked: string[] = [];
  const check = (name: string, reason: string | undefined) => () => {
    asked.push(name);
    return reason;
  };
  expect(await anyOf([check('a', undefined), check('b', 'honeypot'), check('c', 'too_fast')])(suspect({}))).toBe('honeypot');
  expect(asked).toEqual(['a', 'b']);
});
