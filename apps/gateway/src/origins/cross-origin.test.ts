import { as, ask, bodyOf, useApplication } from '../../test/application';

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

  it('may send the headers that monitoring adds to each request, and any other', async () => {
    const { headers } = await ask('OPTIONS', '/public/v1/forms/x/submissions', {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'baggage,content-type,sentry-trace,traceparent,tracestate,x-datadog-trace-id,x-requested-with',
    });
    const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['content-type', 'traceparent', 'tracestate', 'baggage', 'sentry-trace', 'x-requested-with', '*']),
    );
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may read nothing else', async () => {
    for (const path of ['/api/v1/small', '/app/v1/plain', '/nonsense']) {
      expect((await ask('GET', path, { ...origin, ...as('o') })).headers).not.toHaveProperty('access-control-allow-origin');
      expect(await ask('OPTIONS', path, { ...origin, 'access-control-request-method': 'GET' })).toMatchObject({ status: 404 });
    }
  });
});

describe('the site whose script sends a request', () => {
  const site = (origin: string | undefined, { form = 'x', host = 'forms.example' } = {}) =>
    ask('GET', `/public/v1/forms/${form}/site`, { host, ...(origin === undefined ? {} : { origin }) });
  const allowed = { 'access-control-allow-origin': 'https://shop.example', vary: 'Origin' };

  it('is known to the service and may read the response, unless the form refuses it', async () => {
    const admitted = await site('https://shop.example');
    expect(bodyOf(admitted)).toEqual({ origin: 'https://shop.example' });
    expect(admitted.headers).toMatchObject(allowed);
    // That a form is closed is no secret.
    expect(await site('https://shop.example', { form: 'closed' })).toMatchObject({ status: 403, headers: allowed });

    const refused = await site('https://shop.example', { form: 'refusing' });
    expect(refused).toMatchObject({ status: 403, headers: { vary: 'Origin' } });
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
    expect(bodyOf(refused)).toEqual({ error: { code: 'forbidden', message: 'Origin: x' } });
  });

  it.each([
    ['a program, which sends no origin', undefined, 'forms.example'],
    ['a page of the same host', 'https://forms.example', 'forms.example'],
    ['a page of the same host behind a proxy that ends TLS', 'https://forms.example', 'FORMS.example:443'],
    ['a page of the same host and port', 'http://localhost:3000', 'localhost:3000'],
  ])('is none for %s', async (_, origin, host) => {
    const reply = await site(origin, { host });
    expect(bodyOf(reply)).toEqual({});
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': '*' });
  });

  it.each([
    ['another port', 'http://localhost:4000', 'localhost:3000', 'http://localhost:4000'],
    ['a host above', 'https://example', 'forms.example', 'https://example'],
    ['a document without an origin', 'null', 'forms.example', 'null'],
    ['text that is no origin', 'a b', 'forms.example', 'null'],
    ['a long text', 'x'.repeat(301), 'forms.example', 'null'],
    ['an empty text', '', 'forms.example', 'null'],
  ])('is another one: %s', async (_, origin, host, seen) => {
    expect(bodyOf(await site(origin, { host }))).toEqual({ origin: seen });
  });
});
