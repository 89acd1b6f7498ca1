import { acceptedInvitation, anyone, asOwnerSignedIn, credentials, documented } from '../../support/people';
import { raw, type RawReply } from '../../support/raw';

const { origin, host } = new URL(anyone.origin);
const { email, password } = credentials.user;
const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });

/** Sends a request as a browser does, with its headers about the requesting page. */
async function ask(method: string, path: string, { body, ...headers }: Record<string, unknown> = {}): Promise<RawReply> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), type: { 'content-type': 'application/json' } };
  const reply = await raw({ method, path, headers: { host, ...sent.type, ...(headers as Record<string, string>) }, body: sent.body });
  await documented.check({
    method,
    path,
    status: reply.status,
    contentType: String(reply.headers['content-type'] ?? 'none'),
    body: reply.body,
  });
  return reply;
}
const signIn = (more: Record<string, unknown> = {}) =>
  ask('POST', '/app/v1/sessions', { body: { email, password, cookie: true }, ...more });
const cookieOf = ({ headers }: RawReply): string => /^[^;]*/.exec(headers['set-cookie']?.[0] ?? '')?.[0] ?? '';
const deviceOf = ({ headers }: RawReply): string => /^[^;]*/.exec(headers['set-cookie']?.[1] ?? '')?.[0] ?? '';
const here = { origin };

describe('signing in with a cookie', () => {
  it('gives the session to the browser but not to its scripts', async () => {
    const reply = await signIn();
    expect(reply).toMatchObject({ status: 201, body: { user: { email }, expires_at: expect.any(String) as unknown } });
    expect(reply.body).not.toHaveProperty('token');
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^sheaf_session=[\w.-]+; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^sheaf_device=[\w-]{43}; Max-Age=7776000; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict$/),
    ]);
    expect(await ask('GET', '/app/v1/sessions/current', { cookie: `theme=dark; ${cookieOf(reply)}` })).toMatchObject({
      status: 200,
      body: { user: { email } },
    });
    expect(await ask('GET', '/api/v1/auth/me', { cookie: cookieOf(reply) })).toMatchObject({ status: 200, body: { email } });
  });

  it('binds the cookie to the exact host over TLS', async () => {
    const reply = await signIn({ 'x-forwarded-proto': 'https' });
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-sheaf_session=[\w.-]+; Path=\/; Expires=[^;]+ GMT; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(
        /^__Host-sheaf_device=[\w-]{43}; Max-Age=7776000; Path=\/; Expires=[^;]+ GMT; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(await ask('GET', '/api/v1/auth/me', { cookie: cookieOf(reply), 'x-forwarded-proto': 'https' })).toMatchObject({ status: 200 });
    // A cookie without the prefix may have been set by someone else: over plain HTTP, or by another host of the same domain.
    const planted = cookieOf(reply).replace('__Host-', '');
    expect(await ask('GET', '/api/v1/auth/me', { cookie: planted, 'x-forwarded-proto': 'https' })).toMatchObject(
      error(401, 'authentication_required'),
    );
  });

  it('is refused to pages of other origins, which could sign a person in to the account of another', async () => {
    expect(await signIn({ origin: 'https://elsewhere.example' })).toMatchObject(error(403, 'forbidden'));
    expect(await signIn({ 'sec-fetch-site': 'cross-site' })).toMatchObject(error(403, 'forbidden'));
    expect(await signIn({ ...here, 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 201 });
  });

  it('gives a token and no cookie unless a cookie is requested', async () => {
    for (const cookie of [undefined, false]) {
      const reply = await ask('POST', '/app/v1/sessions', { body: { email, password, cookie } });
      expect(reply).toMatchObject({ status: 201, body: { token: expect.any(String) as unknown } });
      expect(reply.headers).not.toHaveProperty('set-cookie');
    }
  });

  it('is also possible when an invitation is accepted, and keeps the browser from being locked out', async () => {
    const owner = await asOwnerSignedIn();
    const invited = { email: `cookie-${Date.now()}@example.org`, role: 'viewer' };
    const { body } = await owner.post(`/app/v1/workspaces/${credentials.workspace_id}/members`, invited);
    const token = (body as { invitation_url: string }).invitation_url.split('/').at(-1) ?? '';
    const reply = await ask('POST', `/app/v1/invitations/${token}`, {
      body: { name: 'Ada', password: 'a good long password', cookie: true },
    });
    expect(reply).toMatchObject({ status: 201, body: { user: { email: invited.email } } });
    expect(reply.body).not.toHaveProperty('token');
    expect(await ask('GET', '/api/v1/auth/me', { cookie: cookieOf(reply) })).toMatchObject({ status: 200, body: { name: 'Ada' } });

    // From now on, strangers who guess the password lock only themselves out.
    const pair = { email: invited.email, password: 'a good long password', cookie: true };
    for (let failures = 0; failures < 10; failures += 1) await signIn({ body: { ...pair, password: 'wrong' } });
    expect(await signIn({ body: pair })).toMatchObject(error(429, 'too_many_requests'));
    const again = await signIn({ body: pair, cookie: deviceOf(reply) });
    expect(again).toMatchObject({ status: 201 });
    expect(deviceOf(again)).toBe(deviceOf(reply));
  });
});

describe('a request authenticated by a cookie', () => {
  let cookie: string;
  beforeAll(async () => {
    cookie = cookieOf(await signIn());
  });

  it.each<[string, Record<string, string>]>([
    ['has no Origin header', {}],
    ['comes from another origin', { origin: 'https://elsewhere.example' }],
    ['comes from the same host with another scheme', { origin: origin.replace('http:', 'https:') }],
    ['comes from a sandboxed page', { origin: 'null' }],
    ['comes from another host of the same site', { 'sec-fetch-site': 'same-site', ...here }],
    ['comes from another site', { 'sec-fetch-site': 'cross-site' }],
  ])('cannot change anything if it %s', async (_, headers) => {
    for (const [method, path, body] of [
      ['POST', '/api/v1/forms', { title: 'x' }],
      ['DELETE', '/app/v1/sessions/current', undefined],
      ['PATCH', '/app/v1/me', { name: 'x' }],
    ] as const) {
      expect(await ask(method, path, { cookie, body, ...headers })).toMatchObject(error(403, 'forbidden'));
    }
    expect(await ask('GET', '/api/v1/auth/me', { cookie, ...headers })).toMatchObject({ status: 200 });
  });

  it.each<[string, Record<string, string>]>([
    ['its Origin header', here],
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }],
  ])('can change what its session allows if %s shows that it is from the same origin', async (_, headers) => {
    expect(await ask('POST', '/api/v1/forms', { cookie, body: { title: 'By cookie' }, ...headers })).toMatchObject({ status: 201 });
  });

  it('is authenticated by a credential in its Authorization header instead, if it has one', async () => {
    const other = await acceptedInvitation('viewer');
    const headers = { cookie, authorization: `Bearer ${other.person.credential ?? ''}` };
    expect(await ask('GET', '/api/v1/auth/me', headers)).toMatchObject({ status: 200, body: { id: other.userId } });
  });

  it('is rejected if the cookie contains no valid session', async () => {
    expect(await ask('GET', '/api/v1/auth/me', { cookie: 'sheaf_session=nonsense' })).toMatchObject(error(401, 'unauthorized'));
    expect(await ask('GET', '/api/v1/auth/me', { cookie: 'theme=dark' })).toMatchObject(error(401, 'authentication_required'));
  });

  it('that signs out ends the session and clears the cookie', async () => {
    const own = cookieOf(await signIn());
    const reply = await ask('DELETE', '/app/v1/sessions/current', { cookie: own, ...here });
    expect(reply).toMatchObject({ status: 204 });
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^sheaf_session=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax$/),
    ]);
    expect(await ask('GET', '/api/v1/auth/me', { cookie: own })).toMatchObject(error(401, 'unauthorized'));
  });
});
