import { gunzipSync, gzipSync } from 'node:zlib';
import { as, ask, bodyOf, text, useApplication } from '../../test/application';

useApplication();

describe('a large response', () => {
  const accepting = { 'accept-encoding': 'gzip, deflate, br' };

  it('is compressed for clients that accept gzip', async () => {
    const { headers, bytes } = await ask('GET', '/api/v1/large', { ...as('z'), ...accepting });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding', 'content-length': String(bytes.length) });
    expect(JSON.parse(gunzipSync(bytes).toString())).toEqual({ text });
    expect(bytes.length).toBeLessThan(text.length / 10);
  });

  it.each([
    ['for clients that do not accept gzip', 'GET', '/api/v1/large', {}],
    ['for clients that forbid gzip', 'GET', '/api/v1/large', { 'accept-encoding': 'gzip;q=0' }],
    ['for a request that changes something, because the response may contain a secret', 'POST', '/api/v1/large', accepting],
    [
      'for another site, which could guess the content from the length',
      'GET',
      '/api/v1/large',
      { ...accepting, 'sec-fetch-site': 'cross-site' },
    ],
    ['if it is small', 'GET', '/api/v1/small', accepting],
  ])('is not compressed %s', async (_, method, path, headers) => {
    const reply = await ask(method, path, { ...as(`not ${_}`), ...headers });
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.headers).not.toHaveProperty('content-encoding');
    expect(bodyOf(reply)).toEqual({ text: path === '/api/v1/large' ? text : 'short' });
  });

  it('has the same headers and no body for HEAD', async () => {
    const { status, headers, bytes } = await ask('HEAD', '/api/v1/large', as('h'));
    expect({ status, length: headers['content-length'], bytes: bytes.length }).toEqual({
      status: 200,
      length: String(JSON.stringify({ text }).length),
      bytes: 0,
    });
  });
});

describe('a compressed body', () => {
  const gzipped = (value: unknown) => gzipSync(JSON.stringify(value));
  const gzip = { 'content-encoding': 'gzip' };

  it.each([['/public/v1/forms/x'], ['/public/v1/files']])('is rejected at %s, which needs no credential', async (path) => {
    const reply = await ask('POST', path, gzip, gzipped({ name: 'Ada' }));
    expect({ status: reply.status, body: bodyOf(reply) }).toEqual({
      status: 400,
      body: {
        error: { code: 'bad_request', message: 'Content-Encoding: must be identity; this operation does not accept compressed bodies' },
      },
    });
  });

  it('is accepted from an authenticated caller, up to the limit for its decompressed size', async () => {
    expect(await ask('POST', '/api/v1/large', { ...as('g'), ...gzip }, gzipped({ name: 'Ada' }))).toMatchObject({ status: 200 });
    expect(await ask('POST', '/api/v1/large', { ...as('g'), ...gzip }, gzipped({ name: 'x'.repeat(100_000) }))).toMatchObject({
      status: 413,
    });
  });

  it('is rejected if its encoding is unknown', async () => {
    const reply = await ask('POST', '/api/v1/large', { ...as('e'), 'content-encoding': 'gzip, gzip' }, gzipped({}));
    expect(bodyOf(reply)).toMatchObject({ error: { message: 'Content-Encoding: must be gzip, deflate, br or identity' } });
  });
});
