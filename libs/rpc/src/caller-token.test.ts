import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { apps, Problem, type App, type Caller } from '@sheaf/kernel';
import { testProcess } from '@sheaf/testing';
import jwt from 'jsonwebtoken';
import { reachedFrom, type CalledApp } from './audiences';
import { callerSigner, callerTokens, callerVerifier, PrivateJwk, PublicJwks, SigningKey } from './caller-token';
import { watchTokenAge } from './token-age';

const keyOf = (kid: string) =>
  PrivateJwk.parse({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid });

const gateway = keyOf('gateway');
const delivery = keyOf('delivery');
const keys = PublicJwks.parse({ keys: [gateway, delivery] });
const verify = callerVerifier(keys)('forms');

const deliveryItself: Caller = { kind: 'service', id: 'delivery' };
const person: Caller = {
  kind: 'user',
  id: 'u',
  instanceId: 'i',
  workspaceId: 'w',
  roles: { w: 'editor' },
  via: 'api_key',
  credentialId: 'k',
};

it('carries the complete caller from the gateway to a service', () => {
  expect(verify(callerSigner(gateway)(person, 'forms'))).toEqual(person);
});

it('lets a Sheaf process call in its own name', () => {
  expect(verify(callerSigner(delivery)(deliveryItself, 'forms'))).toEqual(deliveryItself);
});

it.each([
  ['delivery names a person as the caller', callerSigner(delivery)(person, 'forms')],
  ['delivery names another process as the caller', callerSigner(delivery)({ kind: 'service', id: 'hooks' }, 'forms')],
  ['the signing key is unknown', callerSigner(keyOf('gateway'))(person, 'forms')],
  ['the issuer is unknown', callerSigner(keyOf('stranger'))(person, 'forms')],
  ['the text is not a token', 'Bearer nonsense'],
  ['the token is missing', ''],
])('rejects a call when %s', (_, token) => {
  expect(() => verify(token)).toThrow(Problem);
  expect(() => verify(token)).toThrow('The credentials are not valid.');
});

describe('while one key replaces another', () => {
  const fresh = keyOf('gateway');
  const both = callerVerifier(PublicJwks.parse({ keys: [fresh, delivery, gateway] }))('forms');

  it('accepts tokens signed with either key, and rejects tokens signed with any other', () => {
    for (const key of [fresh, gateway]) expect(both(callerSigner(key)(person, 'forms'))).toEqual(person);
    expect(both(callerSigner(delivery)(deliveryItself, 'forms'))).toEqual(deliveryItself);
    expect(() => both(callerSigner(keyOf('gateway'))(person, 'forms'))).toThrow('The credentials are not valid.');
    expect(() => both(callerSigner({ ...delivery, kid: 'gateway' })(person, 'forms'))).toThrow('The credentials are not valid.');
  });

  it('an issuer signs with its first key, and tokens of a removed key are rejected', () => {
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
  ])("reports an expired token of the %s key as our failure, not the caller's", (_, key) => {
    jest.useFakeTimers({ now: Date.now() - 121_000 });
    const token = callerSigner(key)(person, 'forms');
    jest.useRealTimers();
    expect(() => both(token)).toThrow(expect.objectContaining({ code: 'unavailable' }) as Error);
  });
});

describe('the clock of an issuer', () => {
  afterEach(() => jest.useRealTimers());
  const at = (ms: number) => jest.useFakeTimers({ now: ms });
  const signedAt = (ms: number) => {
    at(ms);
    return callerSigner(gateway)(person, 'forms');
  };

  it.each([
    ['behind', -40_000],
    ['ahead', 40_000],
  ])('may be tens of seconds %s, even when a token is used for half a minute', (_, skewMs) => {
    const now = Date.now();
    const token = signedAt(now + skewMs);
    for (const laterMs of [0, 30_000]) {
      at(now + laterMs);
      expect(callerVerifier(keys)('forms')(token)).toEqual(person);
    }
  });

  it('may not be minutes behind: the call fails as unavailable, so that users are not asked to sign in again', () => {
    const now = Date.now();
    const token = signedAt(now - 121_000);
    at(now);
    expect(() => verify(token)).toThrow(
      expect.objectContaining({ code: 'unavailable', cause: expect.objectContaining({ message: 'jwt expired' }) as unknown }) as Error,
    );
  });

  it('shows in the ages of tokens, which are forgotten after it has been corrected', async () => {
    const process = testProcess('forms');
    let now = Date.now();
    const check = callerVerifier(
      keys,
      watchTokenAge(process, () => now),
    )('forms');
    const ages = async () =>
      [...(await process.metrics.metrics()).matchAll(/^sheaf_caller_token_age_seconds\{issuer="gateway",of="(\w+)"\} (-?\d+)/gm)].map(
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

it('drops the private part of a key that is configured as public', () => {
  expect(PublicJwks.parse({ keys: [gateway] }).keys[0]).not.toHaveProperty('d');
});

it('reuses one token per service for half its lifetime, then signs a new one', () => {
  let now = 0;
  const sign = jest.fn((caller: Caller, service: string) => `${caller.kind} token for ${service} at ${now}`);
  const tokenFor = callerTokens(sign, deliveryItself, () => now);

  expect(tokenFor('hooks')).toBe('service token for hooks at 0');
  now = 29_000;
  expect(tokenFor('hooks')).toBe('service token for hooks at 0');
  expect(tokenFor('forms')).toBe('service token for forms at 29000');
  now = 30_000;
  expect(tokenFor('hooks')).toBe('service token for hooks at 30000');
  expect(tokenFor('forms')).toBe('service token for forms at 29000');
  expect(sign).toHaveBeenCalledTimes(3);
});

describe('a token for one app', () => {
  const verifierFor = callerVerifier(keys);
  const called = apps.filter((app): app is CalledApp => app !== 'gateway');
  const acceptedBy = (token: string) =>
    called.filter((app) => {
      try {
        verifierFor(app)(token);
        return true;
      } catch (refusal) {
        expect(refusal).toMatchObject({ code: 'unauthorized', message: 'The credentials are not valid.' });
        return false;
      }
    });
  const audienceOf = (token: string) => (jwt.decode(token) as { aud: string[] }).aud;

  it.each(called)('is accepted only by that app and the apps it calls with the same token: %s', (app) => {
    expect(new Set(acceptedBy(callerSigner(gateway)(person, app)))).toEqual(new Set(reachedFrom(app)));
  });

  it('for pages opens only what a respondent needs: submissions and forms', () => {
    expect(new Set(acceptedBy(callerSigner(gateway)({ kind: 'respondent', instanceId: 'i' }, 'pages')))).toEqual(
      new Set<App>(['pages', 'submissions', 'forms']),
    );
  });

  it.each(called)('is accepted only by that app when a process calls in its own name: %s', (app) => {
    expect(acceptedBy(callerSigner(delivery)(deliveryItself, app))).toEqual([app]);
  });

  it('is rejected elsewhere, and so is one that names no app', () => {
    expect(audienceOf(callerSigner(gateway)(person, 'hooks'))).toEqual(['hooks', 'forms']);
    const secret = createPrivateKey({ key: gateway, format: 'jwk' });
    const signedFor = (audience?: string | string[]) =>
      jwt.sign({ caller: person }, secret, {
        algorithm: 'ES256',
        keyid: 'gateway',
        expiresIn: 60,
        ...(audience === undefined ? {} : { audience }),
      });
    for (const audience of [undefined, [], 'sheaf', ['sheaf'], ['sheaf', 'elsewhere']]) expect(acceptedBy(signedFor(audience))).toEqual([]);
  });
});
