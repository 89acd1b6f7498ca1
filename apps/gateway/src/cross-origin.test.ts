import { as, ask, useApplication } from '../test/application';

useApplication();

describe('scripts of other origins', () => {
  const origin = { origin: 'https://elsewhere.example' };

  it.each(['/public/v1/forms/x', '/.well-known/keys.json'])('may read %s and the rate limit headers', async (path) => {
    const { headers } = await ask('GET', path, origin);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may read error responses there as well', async () => {
    expect(await ask('POST', '/public/v1/forms/x', origin, 'no JSON')).toMatchObject({
      status: 400,
      headers: { 'access-control-allow-origin': '*' },
    });
  });

  it('get permission in the preflight, for any host and path', async () => {
    const preflight = {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,idempotency-key',
    };
    expect(await ask('OPTIONS', '/public/v1/forms/unknown/submissions', { ...preflight, host: 'nobody.example' })).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': expect.stringMatching(/Content-Type, Idempotency-Key/) as unknown,
        'access-control-max-age': '86400',
        'x-request-id': expect.any(String) as unknown,
      },
    });
  });

  it('may read nothing else', async () => {
    for (const path of ['/api/v1/small', '/app/v1/plain', '/nonsense']) {
      expect((await ask('GET', path, { ...origin, ...as('o') })).headers).not.toHaveProperty('access-control-allow-origin');
      expect(await ask('OPTIONS', path, { ...origin, 'access-control-request-method': 'GET' })).toMatchObject({ status: 404 });
    }
  });
});
