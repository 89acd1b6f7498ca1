import { generateKeyPairSync } from 'node:crypto';
import { Problem, type Caller } from '@sheaf/kernel';
import { callerSigner, callerVerifier, PrivateJwk, PublicJwks, serviceToken } from './caller-token';

const keyOf = (kid: string) => PrivateJwk.parse({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid });

const gateway = keyOf('gateway');
const delivery = keyOf('delivery');
const verify = callerVerifier(PublicJwks.parse({ keys: [gateway, delivery] }));

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

it('refuses a token that has expired', () => {
  const token = callerSigner(gateway)(person);
  jest.useFakeTimers({ now: Date.now() + 61_000 });
  try {
    expect(() => verify(token)).toThrow('The credentials are not valid.');
  } finally {
    jest.useRealTimers();
  }
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
