import { as, ask, bodyOf, clock, from, useApplication } from '../../test/application';

useApplication();

describe('the rate limit', () => {
  it('of an address counts every request before reading it, until the minute ends', async () => {
    const client = from('9.9.9.9');
    const first = await ask('GET', '/public/v1/forms/x', client);
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"address";q=5;w=60', ratelimit: '"address";r=4;t=60' });
    for (let nth = 2; nth <= 5; nth++) await ask('GET', '/nonsense', client);

    const refused = await ask('POST', '/public/v1/forms/x', client, 'no JSON');
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60', ratelimit: '"address";r=0;t=60', 'access-control-allow-origin': '*' },
    });
    expect(bodyOf(refused)).toEqual({
      error: { code: 'too_many_requests', message: 'Too many requests from this address. Please try again later.' },
    });
    expect(await ask('GET', '/public/v1/forms/x', from('8.8.8.8'))).toMatchObject({ status: 200 });
    clock.advance(60_000);
    expect(await ask('GET', '/public/v1/forms/x', client)).toMatchObject({ status: 200 });
  });

  it('of an IPv6 address applies to its whole /64 network', async () => {
    for (let nth = 1; nth <= 5; nth++) await ask('GET', '/public/v1/forms/x', from(`2606:4700:1:2::${nth}`));
    expect(await ask('GET', '/public/v1/forms/x', from('2606:4700:1:2:ffff::1'))).toMatchObject({ status: 429 });
    expect(await ask('GET', '/public/v1/forms/x', from('2606:4700:1:3::1'))).toMatchObject({ status: 200 });
  });

  it('of an address ignores the port', async () => {
    for (const address of ['9.9.9.8', '9.9.9.8:1', '9.9.9.8:65535', '9.9.9.8:80', '9.9.9.8'])
      await ask('GET', '/public/v1/forms/x', from(address));
    expect(await ask('GET', '/public/v1/forms/x', from('9.9.9.8:2'))).toMatchObject({ status: 429 });
    for (const address of [
      '[2606:4700:9:9::1]:1',
      '[2606:4700:9:9::1]',
      '2606:4700:9:9::1',
      '[2606:4700:9:9::2]:3',
      '[2606:4700:9:9::1]:4',
    ])
      await ask('GET', '/public/v1/forms/x', from(address));
    expect(await ask('GET', '/public/v1/forms/x', from('[2606:4700:9:9::3]:5'))).toMatchObject({ status: 429 });
  });

  it('of an address does not apply to private addresses, which many clients may share', async () => {
    for (let nth = 1; nth <= 20; nth++) {
      const { status, headers } = await ask('GET', '/public/v1/forms/x', from('10.1.2.3'));
      expect({ status, limit: headers.ratelimit }).toEqual({ status: 200, limit: undefined });
    }
  });

  it('of a credential counts requests from all addresses, before the body is read', async () => {
    const path = '/api/v1/large';
    const replies = [
      await ask('GET', path, as('k')),
      await ask('GET', path, { ...as('k'), ...from('9.9.9.9') }),
      await ask('GET', '/api/v1/small', as('k')),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies[1]?.headers.ratelimit).toBe('"address";r=4;t=60, "credential";r=1;t=60');
    const refused = await ask('POST', path, as('k'), 'no JSON');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(await ask('GET', '/api/v1/small', as('another'))).toMatchObject({ status: 200 });
  });
});
