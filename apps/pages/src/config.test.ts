import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readConfig } from '@sheaf/runtime';
import { Config } from './config';

const secret = () => randomBytes(32).toString('base64url');
const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const env = {
  FORMS_ADDR: 'forms:50051',
  SUBMISSIONS_ADDR: 'submissions:50051',
  CALLER_KEYS: JSON.stringify({ keys: [{ kid: 'gateway', kty: 'EC', crv: 'P-256', x, y }] }),
  PAGES_SECRETS: secret(),
};

it('reads the secrets in their order: the first signs, all verify', () => {
  const [fresh, old] = [secret(), secret()];
  expect(readConfig(Config, { ...env, PAGES_SECRETS: `${fresh}, ${old}` }).PAGES_SECRETS).toEqual([fresh, old]);
});

it.each([[''], [','], ['short'], [`${secret()},short`], ['*'.repeat(50)]])(
  'refuses secrets that could be guessed, without repeating them: %s',
  (PAGES_SECRETS) => {
    const read = () => readConfig(Config, { ...env, PAGES_SECRETS });
    expect(read).toThrow(/^The configuration is not valid:\n {2}PAGES_SECRETS[^\n]*$/);
    for (const given of PAGES_SECRETS.split(',').filter((part) => part !== '')) expect(read).not.toThrow(given);
  },
);

it('sends respondents to pay at Stripe only, unless other origins are set', () => {
  const originsWith = (settings: object) => readConfig(Config, { ...env, ...settings }).PAYMENT_PAGE_ORIGINS;
  expect(originsWith({})).toEqual(['https://checkout.stripe.com']);
  expect(originsWith({ PAYMENT_PAGE_ORIGINS: 'http://127.0.0.1:9000/, https://pay.example' })).toEqual([
    'http://127.0.0.1:9000',
    'https://pay.example',
  ]);
  expect(() => originsWith({ PAYMENT_PAGE_ORIGINS: 'javascript:alert(1)' })).toThrow('PAYMENT_PAGE_ORIGINS');
});
