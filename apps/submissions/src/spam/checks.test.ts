import { createHash } from 'node:crypto';
import { anyOf, honeypot, isTooFast, noProof, tooManyLinks, type Suspect } from './checks';

const suspect = (overrides: Partial<Suspect>): Suspect => ({
  formId: 'f',
  answers: {},
  address: undefined,
  honeypot: undefined,
  started: undefined,
  openMs: undefined,
  wantsProof: false,
  proof: undefined,
  idempotencyKey: undefined,
  confirmed: false,
  ...overrides,
});

it.each([
  [undefined, undefined],
  ['', undefined],
  ['http://buy.example', 'honeypot'],
])('judges a honeypot that contains %j as %j', (entered, reason) => {
  expect(honeypot(suspect({ honeypot: entered }))).toBe(reason);
});

describe('a submission sent too fast', () => {
  const check = isTooFast(2_000);

  it.each([
    [1_999, true],
    [2_000, false],
    [undefined, false],
  ])('after %j ms needs a confirmation: %j', (openMs, isNeeded) => {
    expect(check(suspect({ openMs }))).toBe(isNeeded);
    expect(check(suspect({ openMs, confirmed: true }))).toBe(false);
  });
});

describe('a submission to a form that wants a proof of work', () => {
  const check = noProof(12, (formId, token) => Promise.resolve(formId === 'f' && token === 'genuine'));
  /** The first number with at least this many leading zero bits, and fewer than `below`. */
  const solve = (of: string, bits: number, below = 256) => {
    for (let nonce = 0; ; nonce++) {
      const bytes = [...createHash('sha256').update(`${of}:${nonce}`).digest()];
      const zeros = bytes
        .map((byte) => byte.toString(2).padStart(8, '0'))
        .join('')
        .indexOf('1');
      if (zeros >= bits && zeros < below) return String(nonce);
    }
  };
  const proven = { wantsProof: true, started: 'genuine', idempotencyKey: 'key-1', proof: solve('genuine:key-1', 12) };

  it.each<[string, Partial<Suspect>]>([
    ['has one', {}],
    ['has none, if the form wants none', { wantsProof: false, proof: undefined }],
  ])('passes if it %s', async (_, changes) => {
    expect(await check(suspect({ ...proven, ...changes }))).toBeUndefined();
  });

  it.each<[string, Partial<Suspect>]>([
    ['has none', { proof: undefined }],
    ['has one with a bit too few', { proof: solve('genuine:key-1', 11, 12) }],
    ['has one that is not a number', { proof: 'genuine' }],
    ['has one for another key', { idempotencyKey: 'key-2' }],
    ['has no key', { idempotencyKey: undefined }],
    ['has no start token', { started: undefined }],
    ['has a forged start token', { started: 'forged', proof: solve('forged:key-1', 12) }],
    ['has the start token of another form', { formId: 'g' }],
  ])('fails if it %s', async (_, changes) => {
    expect(await check(suspect({ ...proven, ...changes }))).toBe('no_proof');
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
