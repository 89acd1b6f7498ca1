import { gzipSync } from 'node:zlib';
import { propertyRuns } from '@sheaf/testing';
import * as given from '../../support/given';
import { operations, unknownId } from '../../support/operations';
import { asOwner, asOwnerSignedIn } from '../../support/people';
import { sendBytes, raw, type RawReply } from '../../support/raw';

const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });
const badRequest = (message: string) => ({ status: 400, body: { error: { code: 'bad_request', message } } });

const owner = { authorization: `Bearer ${asOwner.credential ?? ''}` };
const json = { ...owner, 'content-type': 'application/json' };
const post = (body: string | Buffer, headers: Record<string, string> = {}): Promise<RawReply> =>
  raw({ method: 'POST', path: '/api/v1/forms', headers: { ...json, ...headers }, body });

let form: string;
beforeAll(async () => {
  form = await given.publishedForm();
});

describe('an identifier in a path', () => {
  const hostile: [string, string][] = [
    ['NUL', '%00'],
    ['a lone surrogate', '%ED%A0%80'],
    ['bytes that are not UTF-8', '%FF%FE'],
    ['an incomplete percent-encoding', '%E0%A4%A'],
    ['a bare percent sign', '%'],
    ['3,000 characters', 'x'.repeat(3_000)],
    ['an SQL injection', "'%20or%201=1--"],
    ['another SQL injection', '%27%3B%20drop%20table%20form%3B--'],
    ['wildcards', '%25_'],
    ['a path traversal', '..%2F..%2Fetc%2Fpasswd'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['a huge number', '9223372036854775808'],
    ['an id in capitals', unknownId.toUpperCase().replace('7', 'F')],
    ['an unknown id', unknownId],
  ];
  const withIds = operations.filter(({ path }) => path.includes('{'));

  // Each operation gets a fifth of them, at night all: the code that reads identifiers is the same for many operations.
  const { numRuns: each } = propertyRuns(hostile.length);
  const operationsFor = (id: string) => {
    const place = hostile.findIndex(([, other]) => other === id);
    return withIds.filter((_, index) => (index + place) % hostile.length < each);
  };

  it.each(hostile)('that is %s is not found by any operation', async (_, id) => {
    const session = { authorization: `Bearer ${(await asOwnerSignedIn()).credential ?? ''}` };
    for (const { name, method, path, parameters, body, takesFile } of operationsFor(id)) {
      // Operations that cannot be undone want it to be said.
      const said = parameters.flatMap(({ name: parameter, schema }) =>
        typeof schema.const === 'string' ? [`${parameter}=${schema.const}`] : [],
      );
      const bodies = { headers: { ...session, 'content-type': 'application/json' }, body: '{}' };
      const reply = await raw({
        method,
        path: `${path.replace(/\{\w+\}/g, () => id)}${said.length > 0 ? `?${said.join('&')}` : ''}`,
        ...(body ? bodies : { headers: session }),
      });
      // Operations with a body may reject {} first, uploads the missing file, and preferences a key that none can have; the contract lists no
      // 404 for workspace members.
      const rejectedFirst = (body !== undefined || takesFile || path.endsWith('/{key}')) && reply.status === 400;
      const forbidden = name === 'GET /api/v1/workspaces/{id}/members' && reply.status === 403;
      const expected = rejectedFirst ? error(400, 'bad_request') : forbidden ? error(403, 'forbidden') : error(404, 'not_found');
      expect({ name, ...reply }).toMatchObject({ name, ...expected });
    }
  });
});

describe('a body', () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000);

  it.each<[string, string | Buffer, string]>([
    ['has 10,000 levels', `{"title": ${deep}}`, 'The body is nested too deeply. The limit is 64 levels.'],
    ['has 10,000 levels in an unknown field', `{"other": ${deep}}`, 'The body is nested too deeply. The limit is 64 levels.'],
    ['has a key twice', '{"title": "a", "title": "b"}', 'The body contains the key title twice in one object.'],
    ['has the key __proto__', '{"title": "a", "__proto__": {"title": "b"}}', 'The body must not contain the key __proto__.'],
    ['is not UTF-8', Buffer.from([...Buffer.from('{"title": "'), 0xff, ...Buffer.from('"}')]), 'The body is not valid UTF-8.'],
    ['has a lone surrogate', '{"title": "\\ud800"}', 'title: must be well-formed Unicode without NUL'],
    ['is only a number', '1', 'The body must be a JSON object.'],
    ['is null', 'null', 'The body must be a JSON object.'],
    ['ends too early', '{"title": "a"', 'The body is not valid JSON.'],
    ['has a number beyond the range of a double', '{"other": 1e400}', 'other: is out of range: 1e400'],
    ['is NaN', '{"title": NaN}', 'The body is not valid JSON.'],
  ])('that %s is rejected', async (_, body, message) => {
    expect(await post(body)).toMatchObject(badRequest(message));
  });

  it('may contain the key constructor, which is ignored like any unknown field', async () => {
    expect(await post('{"title": "Plain", "constructor": {"prototype": {"title": "x"}}}')).toMatchObject({
      status: 201,
      body: { title: 'Plain' },
    });
  });

  it.each(['1e300', '9007199254740992', '2147483648', '0.5', '-1', '"1"'])('with the invalid number %s is rejected', async (number) => {
    const reply = await raw({ method: 'PATCH', path: `/api/v1/forms/${form}`, headers: json, body: `{"max_submissions": ${number}}` });
    expect(reply).toMatchObject(badRequest('max_submissions: must be a whole number between 0 and 2147483647'));
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', ';'])(
    'of the type %s is rejected',
    async (type) => {
      expect(await post('{"title": "a"}', { 'content-type': type })).toMatchObject(badRequest('Content-Type: must be application/json'));
    },
  );

  it.each(['utf-16', 'latin1', 'iso-8859-1'])('of the charset %s is rejected, and told why', async (charset) => {
    expect(await post('{"title": "a"}', { 'content-type': `application/json; charset=${charset}` })).toMatchObject(
      badRequest('Content-Type: the charset must be utf-8, as it is without one'),
    );
  });

  it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'])(
    'of the type %s is accepted',
    async (type) => {
      expect(await post('{"title": "a"}', { 'content-type': type })).toMatchObject({ status: 201 });
    },
  );

  it('may be compressed, and its limit applies after decompression', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    expect(await post(gzipSync('{"title": "Small"}'), gzip)).toMatchObject({ status: 201, body: { title: 'Small' } });
    expect(await post(gzipSync(`{"title": "${'x'.repeat(50_000_000)}"}`), gzip)).toMatchObject(error(413, 'payload_too_large'));
    expect(await post('not compressed at all', gzip)).toMatchObject(error(400, 'bad_request'));
    expect(await post('{"title": "a"}', { 'content-encoding': 'rot13' })).toMatchObject(error(400, 'bad_request'));
  });

  it('may be chunked, and is limited in the same way', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(await post('{"title": "In chunks"}', chunked)).toMatchObject({ status: 201, body: { title: 'In chunks' } });
    expect(await post(`{"title": "${'x'.repeat(1_100_000)}"}`, chunked)).toMatchObject(error(413, 'payload_too_large'));
  });

  it('with broken framing is rejected and does no harm', async () => {
    const head = `POST /api/v1/forms HTTP/1.1\r\nHost: x\r\nAuthorization: ${owner.authorization}\r\nContent-Type: application/json\r\n`;
    expect(await sendBytes(`${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`)).toContain('{"error":{"code":"bad_request"');
    expect(await sendBytes(`${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`)).toContain('{"error":{"code":"bad_request"');
    expect(await asOwner.get('/api/v1/auth/me')).toMatchObject({ status: 200 });
  });
});

describe('answers', () => {
  const submit = (data: string) =>
    raw({
      method: 'POST',
      path: `/public/v1/forms/${form}/submissions`,
      headers: { 'content-type': 'application/json' },
      body: `{"data": ${data}}`,
    });

  it.each(['constructor', 'toString', 'hasOwnProperty', '', "' or 1=1 --", 'x'.repeat(3_000)])(
    'with the key %j are rejected as an unknown field',
    async (key) => {
      expect(await submit(JSON.stringify({ name: 'Ada', [key]: 'x' }))).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', details: [{ key: key.slice(0, 64), message: 'is not a field of this form' }] } },
      });
    },
  );

  it('with the key __proto__ are rejected, not dropped', async () => {
    expect(await submit('{"name": "Ada", "__proto__": {"stars": 5}}')).toMatchObject(
      badRequest('The body must not contain the key __proto__.'),
    );
    expect(await submit('{"__proto__": {"name": "Ada"}}')).toMatchObject(error(400, 'bad_request'));
  });

  it.each([
    ['NUL', '"a\\u0000b"'],
    ['a lone surrogate', '"\\udc00"'],
    ['an object', '{"a": 1}'],
  ])('that are %s are rejected with the key of the field', async (_, answer) => {
    expect(await submit(`{"name": ${answer}}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', details: [{ key: 'name' }] } },
    });
  });

  it('with a number out of range are rejected, not dropped', async () => {
    expect(await submit('{"name": "Ada", "stars": 1e400}')).toMatchObject(badRequest('data.stars: is out of range: 1e400'));
  });

  it('that would be rounded are rejected, with the key of the field', async () => {
    expect(await submit('{"name": "Ada", "stars": 9007199254740993}')).toMatchObject(
      badRequest(
        'data.stars: cannot be stored exactly: 9007199254740993 would become 9007199254740992; send a string, or at most 15 digits',
      ),
    );
    expect(await submit('{"name": "Ada", "stars": 4.00000000000000001}')).toMatchObject({ status: 400 });
    expect(await submit('{"name": "Ada", "stars": 4.000000000000000000}')).toMatchObject({ status: 201 });
  });

  it('that look like SQL, markup or a spreadsheet formula are stored unchanged', async () => {
    const name = `'; drop table submission; -- $1 :name ? <b>=1+1</b> \\ "%_`;
    const id = await given.submission(form, { name });
    expect(await asOwner.get(`/api/v1/forms/${form}/submissions/${id}`)).toMatchObject({ status: 200, body: { data: { name } } });
  });
});

describe('a query', () => {
  it.each([
    ['limit=1e400', 'limit: must be between 1 and 100'],
    ['limit=9223372036854775808', 'limit: must be between 1 and 100'],
    ['limit=0x10', 'limit: must be between 1 and 100'],
    ['limit=', 'limit: must be between 1 and 100'],
    ['limit=1&limit=2', 'limit: must be between 1 and 100'],
    ['offset=9007199254740992', 'offset: must be at most 9007199254740991'],
    ['offset=9223372036854775808', 'offset: must be at most 9007199254740991'],
    ['status=__proto__', 'status: must be one of active, archived, disabled, trashed'],
    ['q=%00', 'q: must be well-formed Unicode without NUL'],
    [`q=${'x'.repeat(3_000)}`, 'q: must have at most 200 characters'],
  ])('%.40s is rejected', async (query, message) => {
    expect(await asOwner.get(`/api/v1/forms?${query}`)).toMatchObject(badRequest(message));
  });

  it.each(['offset=999999999999999', 'q=%FF', 'q=%', '__proto__=1', 'limit[]=5', 'constructor=x', `other=${'x'.repeat(3_000)}`])(
    '%.40s is harmless',
    async (query) => {
      expect(await asOwner.get(`/api/v1/forms?${query}`)).toMatchObject({ status: 200 });
    },
  );

  it('treats the special characters of LIKE and SQL literally', async () => {
    const title = `100%_\\'; drop table form -- ${unknownId}`;
    await asOwner.post('/api/v1/forms', { title });
    const titles = async (q: string) =>
      ((await asOwner.get(`/api/v1/forms?limit=100&q=${encodeURIComponent(q)}`)).body as { data: { title: string }[] }).data.map(
        (found) => found.title,
      );

    for (const q of ['100%_', '%_\\', "\\'; DROP table"]) expect(await titles(q)).toContain(title);
    for (const q of ['100_%', '1%0', '_00', '\\\\']) expect(await titles(q)).not.toContain(title);
  });
});
