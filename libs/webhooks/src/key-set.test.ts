import { Instance, signingKey } from '../test/instance';
import { WebhookReceiver } from './receiver';

let instance: Instance;
let receiver: WebhookReceiver;
beforeEach(() => {
  instance = new Instance();
  receiver = instance.receiver();
});

const codeOf = (keys = instance.keys): Promise<unknown> =>
  receiver.verify(instance.request({ keys })).then(
    () => 'verified',
    (error: unknown) => (error as { code?: string }).code,
  );

const unreachable = () => Promise.reject(new TypeError('fetch failed'));

describe('The key set', () => {
  it('is fetched once and cached as its Cache-Control says', async () => {
    expect([await codeOf(), await codeOf()]).toEqual(['verified', 'verified']);
    instance.advance(3_599);
    await codeOf();
    expect(instance.fetches).toBe(1);
    instance.advance(1);
    await codeOf();
    expect(instance.fetches).toBe(2);
  });

  it.each([
    ['no Cache-Control', '', 3_600],
    ['no-store', 'no-store', 60],
    ['a very short time', 'max-age=1', 60],
    ['a very long time', 'max-age=999999999', 86_400],
  ])('with %s is cached for a minute to a day', async (_, cacheControl, seconds) => {
    instance.cacheControl = cacheControl;
    await codeOf();
    instance.advance(seconds - 1);
    await codeOf();
    expect(instance.fetches).toBe(1);
    instance.advance(1);
    await codeOf();
    expect(instance.fetches).toBe(2);
  });

  it('is fetched once for requests that arrive together', async () => {
    expect(await Promise.all(Array.from({ length: 20 }, () => codeOf()))).toEqual(Array(20).fill('verified'));
    expect(instance.fetches).toBe(1);
  });

  it('is fetched again when no key matches, so a new key is accepted at once', async () => {
    await codeOf();
    instance.advance(60);
    instance.keys = [signingKey()];
    expect(await Promise.all([codeOf(), codeOf(), codeOf()])).toEqual(['verified', 'verified', 'verified']);
    expect(instance.fetches).toBe(2);
  });

  it('is fetched at most once a minute for a flood of forged requests', async () => {
    const stranger = [signingKey()];
    await codeOf();
    instance.advance(60);
    for (let second = 0; second < 120; second += 1) {
      expect(await Promise.all([codeOf(stranger), codeOf(stranger)])).toEqual(['signature_mismatch', 'signature_mismatch']);
      instance.advance(1);
    }
    expect(instance.fetches).toBe(3);
  });

  it('is fetched again after the clock was set back', async () => {
    await codeOf();
    instance.advance(-86_400);
    instance.keys = [signingKey()];
    expect(await codeOf()).toBe('verified');
  });

  it('skips keys of other kinds, and keys that are malformed', async () => {
    const { keys } = instance;
    instance.keys = [{ jwk: { kty: 'RSA' } }, { jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AA' } }, ...keys] as typeof keys;
    expect(await codeOf(keys)).toBe('verified');
  });
});

describe('A key set that cannot be fetched', () => {
  it.each([
    ['because the server is unreachable', unreachable],
    ['because the server answers 500', () => Promise.resolve(new Response('', { status: 500 }))],
    [
      'because of a redirect',
      () => Promise.resolve(new Response(null, { status: 302, headers: { location: 'https://elsewhere.example.org' } })),
    ],
    ['because it is not JSON', () => Promise.resolve(new Response('<html>'))],
    ['because it is empty', () => Promise.resolve(Response.json({ keys: [] }))],
  ])('%s is an error with a code, and is tried again before the next attempt of Sheaf', async (_, answer) => {
    instance.answer = answer;
    expect(await Promise.all([codeOf(), codeOf()])).toEqual(['keys_unavailable', 'keys_unavailable']);
    expect(await codeOf()).toBe('keys_unavailable');
    expect(instance.fetches).toBe(1);
    instance.answer = undefined;
    instance.advance(4);
    expect(await codeOf()).toBe('verified');
  });

  it('does not stop a receiver that has keys, which tries again once a minute', async () => {
    await codeOf();
    instance.answer = unreachable;
    instance.advance(3_600);
    expect([await codeOf(), await codeOf()]).toEqual(['verified', 'verified']);
    expect(instance.fetches).toBe(2);
    instance.advance(60);
    expect(await codeOf()).toBe('verified');
    expect(instance.fetches).toBe(3);
  });
});

describe('The address of the instance', () => {
  it.each(['https://forms.example.org', 'https://forms.example.org/', 'http://localhost:8080', 'http://127.0.0.1:8080'])(
    'may be %s',
    (origin) => {
      expect(() => new WebhookReceiver({ origin })).not.toThrow();
    },
  );

  it.each(['http://forms.example.org', 'forms.example.org', 'ftp://forms.example.org', ''])('must not be "%s"', (origin) => {
    expect(() => new WebhookReceiver({ origin })).toThrow('origin must be an https address');
  });
});
