import { generateKeyPairSync } from 'node:crypto';
import { Problem, type Caller } from '@sheaf/kernel';
import { testProcess } from '@sheaf/testing';
import { callerSigner, callerVerifier, PrivateJwk, PublicJwks, serviceToken, SigningKey } from './caller-token';
import { watchTokenAge } from './token-age';

const keyOf = (kid: string) => PrivateJwk.parse({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid });

const gateway = keyOf('gateway');
const delivery = keyOf('delivery');
const keys = PublicJwks.parse({ keys: [gateway, delivery] });
const verify = callerVerifier(keys);

const person: Caller = { kind: 'user', id: 'u', instanceId: 'i', workspaceId: 'w', roles: { w: 'editor' }, via: 'api_key', credentialId: 'k' };

it('brings a caller whole from the gateway to a service', () => {
  expect(verify(callerSigner(gateway)(person))).toEqual(person);
});

it('lets a process of ours speak for itself', () => {
  expect(verify(serviceToken(callerSigner(delivery), 'delivery')())).toEqual({ kind: 'service', id: 'delivery' });
});

it.each([
  ['delivery speaks for a person', callerSigner(delivery)(person)],
  ['delivery speaks for another process', callerSigner(delivery)({ kind: 'service', id: 'hooks' })],
  ['the key is nobody\'s', callerSigner(keyOf('gateway'))(person)],
  ['the issuer is unknown', callerSigner(keyOf('stranger'))(person)],
  ['it is no token at all', 'Bearer nonsense'],
  ['there is none', undefined],
])('refuses a call when %s', (_, token) => {
  expect(() => verify(token)).toThrow(Problem);
  expect(() => verify(token)).toThrow('The credentials are not valid.');
});

describe('while one key replaces another', () => {
  const fresh = keyOf('gateway');
  const both = callerVerifier(PublicJwks.parse({ keys: [fresh, delivery, gateway] }));

  it('tokens of both are read, and those of nobody else', () => {
    for (const key of [fresh, gateway]) expect(both(callerSigner(key)(person))).toEqual(person);
    expect(both(serviceToken(callerSigner(delivery), 'delivery')())).toEqual({ kind: 'service', id: 'delivery' });
    expect(() => both(callerSigner(keyOf('gateway'))(person))).toThrow('The credentials are not valid.');
    expect(() => both(callerSigner({ ...delivery, kid: 'gateway' })(person))).toThrow('The credentials are not valid.');
  });

  it('an issuer signs with its first key, and tokens of the old one are read no longer once it is out', () => {
    const keyOfSetting = (keys: PrivateJwk[]) => SigningKey.parse({ keys });
    expect(verify(callerSigner(keyOfSetting([gateway, fresh]))(person))).toEqual(person);
    expect(() => verify(callerSigner(keyOfSetting([fresh, gateway]))(person))).toThrow('The credentials are not valid.');
    expect(() => callerVerifier(PublicJwks.parse({ keys: [fresh] }))(callerSigner(gateway)(person))).toThrow('The credentials are not valid.');
    expect(SigningKey.parse(gateway)).toEqual(gateway);
    for (const keys of [[], [gateway, delivery]]) expect(SigningKey.safeParse({ keys }).success).toBe(false);
  });

  it.each([['old', gateway], ['new', fresh]])('an expired token of the %s key is still our fault', (_, key) => {
    jest.useFakeTimers({ now: Date.now() - 121_000 });
    const token = callerSigner(key)(person);
    jest.useRealTimers();
    expect(() => both(token)).toThrow(expect.objectContaining({ code: 'unavailable' }) as Error);
  });
});

describe('a clock that is not ours', () => {
  afterEach(() => jest.useRealTimers());
  const at = (ms: number) => jest.useFakeTimers({ now: ms });
  const signedAt = (ms: number) => {
    at(ms);
    return callerSigner(gateway)(person);
  };

  it.each([['behind', -40_000], ['ahead', 40_000]])('may be tens of seconds %s, also when the token is in use for half a minute', (_, skewMs) => {
    const now = Date.now();
    const token = signedAt(now + skewMs);
    for (const laterMs of [0, 30_000]) {
      at(now + laterMs);
      expect(callerVerifier(keys)(token)).toEqual(person);
    }
  });

  it('may not be minutes behind: that is our fault, and no reason to send people to the sign-in', () => {
    const now = Date.now();
    const token = signedAt(now - 121_000);
    at(now);
    expect(() => verify(token)).toThrow(expect.objectContaining({ code: 'unavailable', cause: expect.objectContaining({ message: 'jwt expired' }) as unknown }) as Error);
  });

  it('is told by the ages of tokens, which are forgotten when it was set right', async () => {
    const own = testProcess('forms');
    let now = Date.now();
    const check = callerVerifier(keys, watchTokenAge(own, () => now));
    const ages = async () => [...(await own.metrics.metrics()).matchAll(/^sheaf_caller_token_age_seconds\{issuer="gateway",of="(\w+)"\} (-?\d+)/gm)].map(([, of, seconds]) => `${of} ${seconds}`);
    const [early, late] = [signedAt(now - 40_000), signedAt(now + 20_000)];
    at(now);
    check(early);
    check(late);
    expect(await ages()).toEqual([expect.stringMatching(/youngest -(19|20)/), expect.stringMatching(/oldest 40/)]);

    now += 300_001;
    expect(await ages()).toEqual([]);
    jest.useRealTimers();
    check(callerSigner(gateway)({ kind: 'respondent', instanceId: 'i' }));
    expect(await ages()).toEqual([expect.stringMatching(/youngest [01]/), expect.stringMatching(/oldest [01]/)]);
  });
});

it('does not keep private parts of a key that was given as public', () => {
  expect(PublicJwks.parse({ keys: [gateway] }).keys[0]).not.toHaveProperty('d');
});

it('signs a process\'s own token again when half of its life is over', () => {
  let now = 0;
  const sign = jest.fn((caller: Caller) => `${caller.kind} token at ${now}`);
  const token = serviceToken(sign, 'delivery', () => now);

  expect(token()).toBe('service token at 0');
  now = 29_000;
  expect(token()).toBe('service token at 0');
  now = 30_000;
  expect(token()).toBe('service token at 30000');
});
