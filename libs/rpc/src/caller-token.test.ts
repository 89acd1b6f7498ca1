import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { Problem, type Caller } from '@sheaf/kernel';
import { testProcess } from '@sheaf/testing';
import jwt from 'jsonwebtoken';
import { reachedFrom, serviceNames } from './audiences';
import { callerSigner, callerTokens, callerVerifier, PrivateJwk, PublicJwks, SigningKey } from './caller-token';
import { watchTokenAge } from './token-age';

const keyOf = (kid: string) =>
  PrivateJwk.parse({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid });

const gateway = keyOf('gateway');
const delivery = keyOf('delivery');
const keys = PublicJwks.parse({ keys: [gateway, delivery] });
const verify = callerVerifier(keys)('forms');

const itself: Caller = { kind: 'service', id: 'delivery' };
const person: Caller = {
  kind: 'user',
  id: 'u',
  instanceId: 'i',
  workspaceId: 'w',
  roles: { w: 'editor' },
  via: 'api_key',
  credentialId: 'k',
};

it('brings a caller whole from the gateway to a service', () => {
  expect(verify(callerSigner(gateway)(person, 'forms'))).toEqual(person);
});

it('lets a process of ours speak for itself', () => {
  expect(verify(callerSigner(delivery)(itself, 'forms'))).toEqual(itself);
});

it.each([
  ['delivery speaks for a person', callerSigner(delivery)(person, 'forms')],
  ['delivery speaks for another process', callerSigner(delivery)({ kind: 'service', id: 'hooks' }, 'forms')],
  ["the key is nobody's", callerSigner(keyOf('gateway'))(person, 'forms')],
  ['the issuer is unknown', callerSigner(keyOf('stranger'))(person, 'forms')],
  ['it is no token at all', 'Bearer nonsense'],
  ['there is none', ''],
])('refuses a call when %s', (_, token) => {
  expect(() => verify(token)).toThrow(Problem);
  expect(() => verify(token)).toThrow('The credentials are not valid.');
});

describe('while one key replaces another', () => {
  const fresh = keyOf('gateway');
  const both = callerVerifier(PublicJwks.parse({ keys: [fresh, delivery, gateway] }))('forms');

  it('tokens of both are read, and those of nobody else', () => {
    for (const key of [fresh, gateway]) expect(both(callerSigner(key)(person, 'forms'))).toEqual(person);
    expect(both(callerSigner(delivery)(itself, 'forms'))).toEqual(itself);
    expect(() => both(callerSigner(keyOf('gateway'))(person, 'forms'))).toThrow('The credentials are not valid.');
    expect(() => both(callerSigner({ ...delivery, kid: 'gateway' })(person, 'forms'))).toThrow('The credentials are not valid.');
  });

  it('an issuer signs with its first key, and tokens of the old one are read no longer once it is out', () => {
    const keyOfSetting = (keys: PrivateJwk[]) => SigningKey.parse({ keys });
    expect(verify(callerSigner(keyOfSetting([gateway, fresh]))(person, 'forms'))).toEqual(person);
    expect(() => verify(callerSigner(keyOfSetting([fresh, gateway]))(person, 'forms'))).toThrow('The credentials are not valid.');
    expect(() => callerVerifier(PublicJwks.parse({ keys: [fresh] }))('forms')(callerSigner(gateway)(person, 'forms'))).toThrow(
      'The credentials are not valid.',
    );
    expect(SigningKey.parse(gateway)).toEqual(gateway);
    for (const keys of [[], [gateway, delivery]]) expect(SigningKey.safeParse({ keys }).success).toBe(false);
  });

  it.each([
    ['old', gateway],
    ['new', fresh],
  ])('an expired token of the %s key is still our fault', (_, key) => {
    jest.useFakeTimers({ now: Date.now() - 121_000 });
    const token = callerSigner(key)(person, 'forms');
    jest.useRealTimers();
    expect(() => both(token)).toThrow(expect.objectContaining({ code: 'unavailable' }) as Error);
  });
});

describe('a clock that is not ours', () => {
  afterEach(() => jest.useRealTimers());
  const at = (ms: number) => jest.useFakeTimers({ now: ms });
  const signedAt = (ms: number) => {
    at(ms);
    return callerSigner(gateway)(person, 'forms');
  };

  it.each([
    ['behind', -40_000],
    ['ahead', 40_000],
  ])('may be tens of seconds %s, also when the token is in use for half a minute', (_, skewMs) => {
    const now = Date.now();
    const token = signedAt(now + skewMs);
    for (const laterMs of [0, 30_000]) {
      at(now + laterMs);
      expect(callerVerifier(keys)('forms')(token)).toEqual(person);
    }
  });

  it('may not be minutes behind: that is our fault, and no reason to send people to the sign-in', () => {
    const now = Date.now();
    const token = signedAt(now - 121_000);
    at(now);
    expect(() => verify(token)).toThrow(
      expect.objectContaining({ code: 'unavailable', cause: expect.objectContaining({ message: 'jwt expired' }) as unknown }) as Error,
    );
  });

  it('is told by the ages of tokens, which are forgotten when it was set right', async () => {
    const own = testProcess('forms');
    let now = Date.now();
    const check = callerVerifier(
      keys,
      watchTokenAge(own, () => now),
    )('forms');
    const ages = async () =>
      [...(await own.metrics.metrics()).matchAll(/^sheaf_caller_token_age_seconds\{issuer="gateway",of="(\w+)"\} (-?\d+)/gm)].map(
        ([, of, seconds]) => `${of} ${seconds}`,
      );
    const [early, late] = [signedAt(now - 40_000), signedAt(now + 20_000)];
    at(now);
    check(early);
    check(late);
    expect(await ages()).toEqual([expect.stringMatching(/youngest -(19|20)/), expect.stringMatching(/oldest 40/)]);

    now += 300_001;
    expect(await ages()).toEqual([]);
    jest.useRealTimers();
    check(callerSigner(gateway)({ kind: 'respondent', instanceId: 'i' }, 'forms'));
    expect(await ages()).toEqual([expect.stringMatching(/youngest [01]/), expect.stringMatching(/oldest [01]/)]);
  });
});

it('does not keep private parts of a key that was given as public', () => {
  expect(PublicJwks.parse({ keys: [gateway] }).keys[0]).not.toHaveProperty('d');
});

it('signs a token again when half of its life is over, and before that once for each service', () => {
  let now = 0;
  const sign = jest.fn((caller: Caller, service: string) => `${caller.kind} token for ${service} at ${now}`);
  const tokenFor = callerTokens(sign, itself, () => now);

  expect(tokenFor('hooks')).toBe('service token for hooks at 0');
  now = 29_000;
  expect(tokenFor('hooks')).toBe('service token for hooks at 0');
  expect(tokenFor('forms')).toBe('service token for forms at 29000');
  now = 30_000;
  expect(tokenFor('hooks')).toBe('service token for hooks at 30000');
  expect(tokenFor('forms')).toBe('service token for forms at 29000');
  expect(sign).toHaveBeenCalledTimes(3);
});

describe('a token for one service', () => {
  const from = callerVerifier(keys);
  const takers = (token: string) =>
    serviceNames.filter((service) => {
      try {
        from(service)(token);
        return true;
      } catch (refusal) {
        expect(refusal).toMatchObject({ code: 'unauthorized', message: 'The credentials are not valid.' });
        return false;
      }
    });
  const audienceOf = (token: string) => (jwt.decode(token) as { aud: string[] }).aud;

  it.each(serviceNames)('is taken by that service and by those which it asks with the same token, and by no others: %s', (service) => {
    expect(new Set(takers(callerSigner(gateway)(person, service)))).toEqual(new Set(reachedFrom[service]));
  });

  it.each(serviceNames)('is taken by that service alone, where a process asks for itself: %s', (service) => {
    expect(takers(callerSigner(delivery)(itself, service))).toEqual([service]);
  });

  it('is refused elsewhere although it has the audience of the version before, which has to find that', () => {
    const token = callerSigner(gateway)(person, 'hooks');
    expect(audienceOf(token)).toEqual(['hooks', 'forms', 'sheaf']);
    expect(() => from('submissions')(token)).toThrow('The credentials are not valid.');
  });

  it('is not asked of the version before: its tokens, which name no service, are taken by all', () => {
    const secret = createPrivateKey({ key: gateway, format: 'jwk' });
    const signedFor = (audience?: string | string[]) =>
      jwt.sign({ caller: person }, secret, {
        algorithm: 'ES256',
        keyid: 'gateway',
        expiresIn: 60,
        ...(audience === undefined ? {} : { audience }),
      });
    expect(takers(signedFor('sheaf'))).toEqual([...serviceNames]);
    for (const audience of [undefined, [], 'elsewhere', ['sheaf', 'elsewhere'], ['sheaf', 'sheaf']])
      expect(takers(signedFor(audience))).toEqual([]);
  });
});
