import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually, startSubscriber, type Person } from '@sheaf/testing';
import * as given from '../../support/given';
import { asOutsider } from '../../support/outsider';
import { anyone, asMember, asOwner, asServiceAccount } from '../../support/people';
import { raw } from '../../support/raw';
import { upload, uploadedFile } from '../../support/uploads';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text' },
  { key: 'cv', label: 'Your CV', type: 'file', accept: ['application/pdf', 'text/plain'], max_bytes: 200_000 },
  { key: 'photo', label: 'A photo', type: 'file', accept: ['image/*'] },
];
const error = (status: number, code: string, message?: string) => ({
  status,
  body: { error: { code, ...(message === undefined ? {} : { message }) } },
});

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Application', fields });
});

/** All stored files of a form, including incomplete ones. */
async function storedOf(formId: string): Promise<string[]> {
  const all = await readdir(join(process.env.E2E_DATA_DIR ?? '', 'files'), { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile() && entry.parentPath.endsWith(formId)).map(({ name }) => name);
}

/** Returns the raw bytes, which a Person would decode as text. */
async function download(person: Person, id: string, formId = form): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(`${person.origin}/app/v1/forms/${formId}/files/${id}`, {
    headers: { authorization: `Bearer ${person.credential ?? ''}` },
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('a file field', () => {
  it('is saved with its accepted types and maximum size, and has the type file in v1', async () => {
    const { body } = await asOwner.get(`/app/v1/forms/${form}/draft`);
    expect(body).toMatchObject({ fields: [{}, { type: 'file', accept: ['application/pdf', 'text/plain'], max_bytes: 200_000 }, {}] });
    expect((await asOwner.get(`/api/v1/forms/${form}/fields`)).body).toMatchObject({
      fields: [{ type: 'string' }, { key: 'cv', type: 'file' }, { type: 'file' }],
    });
  });

  it.each([
    [
      'accept on a text field',
      { key: 'a', label: 'A', type: 'short_text', accept: ['image/*'] },
      'fields.0.accept: is not allowed for the type short_text',
    ],
    [
      'a file extension instead of a media type',
      { key: 'a', label: 'A', type: 'file', accept: ['.pdf'] },
      'fields.0.accept.0: must be a media type in lower case, such as image/png or image/*',
    ],
    [
      'a maximum of 0 bytes',
      { key: 'a', label: 'A', type: 'file', max_bytes: 0 },
      'fields.0.max_bytes: must be a whole number between 1 and 2147483647',
    ],
  ])('is rejected with %s', async (_, field, message) => {
    const { id } = (await asOwner.post('/api/v1/forms', {})).body as { id: string };
    expect(await asOwner.put(`/app/v1/forms/${id}/draft`, { fields: [field], revision: 0 })).toMatchObject(
      error(400, 'bad_request', message),
    );
  });
});

describe('a file', () => {
  it('belongs to its submission: subscribers receive its id, and readers of the form can download it as an attachment', async () => {
    const subscriber = await startSubscriber();
    await given.subscription(form, subscriber.url);
    const content = Buffer.from('Grüße\n'.repeat(20_000));
    const { status, body } = await upload(form, 'cv', { name: '../../Lebenslauf Ü.txt', content });
    const { file_id: id, ...about } = body as { file_id: string };
    expect({ status, about }).toEqual({
      status: 201,
      about: { name: 'Lebenslauf Ü.txt', content_type: 'text/plain', size: content.length },
    });

    const submission = await given.submission(form, { name: 'Ada', cv: id });
    expect((await asOwner.get(`/api/v1/forms/${form}/submissions/${submission}`)).body).toMatchObject({ data: { name: 'Ada', cv: id } });
    const [delivery] = await subscriber.waitFor(1, ({ body: sent }) => sent.includes(submission));
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ data: { name: 'Ada', cv: id } });
    await subscriber.close();

    for (const reader of [asOwner, await asMember('viewer'), await asServiceAccount('submissions:read')]) {
      const answer = await download(reader, id);
      expect(answer.status).toBe(200);
      expect(answer.bytes.equals(content)).toBe(true);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/plain',
        'content-length': String(content.length),
        'content-disposition': `attachment; filename="Lebenslauf ?.txt"; filename*=UTF-8''Lebenslauf%20%C3%9C.txt`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, no-store',
      });
    }
  });

  it('is closed to anyone without a role on the form, including the respondent who uploaded it', async () => {
    const id = await uploadedFile(form, 'cv');
    await given.submission(form, { cv: id });
    const path = `/app/v1/forms/${form}/files/${id}`;
    expect(await (await asOutsider()).get(path)).toMatchObject(error(403, 'forbidden'));
    expect(await anyone.get(path)).toMatchObject(error(401, 'authentication_required'));
    expect(await anyone.offTheMap.get(`/public/v1/forms/${form}/files/${id}`)).toMatchObject(error(404, 'not_found'));
  });

  it('is not found before a submission claims it, nor under another form', async () => {
    const id = await uploadedFile(form, 'cv');
    expect(await asOwner.get(`/app/v1/forms/${form}/files/${id}`)).toMatchObject(error(404, 'not_found', 'There is no such file.'));
    await given.submission(form, { cv: id });
    expect(await asOwner.get(`/app/v1/forms/${await given.publishedForm()}/files/${id}`)).toMatchObject(
      error(404, 'not_found', 'There is no such file.'),
    );
    expect(await asOwner.get(`/app/v1/forms/${form}/files/nonsense`)).toMatchObject(error(404, 'not_found', 'There is no such file.'));
  });

  it('belongs to the first submission that claims it', async () => {
    const id = await uploadedFile(form, 'cv');
    await given.submission(form, { cv: id });
    expect(await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { cv: id } })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'bad_request',
          details: [{ key: 'cv', message: 'must be the file_id of a file that was uploaded for this field and is not in use' }],
        },
      },
    });
  });
});

describe('an upload', () => {
  it.each([
    [
      'of a type that the field does not accept',
      'photo',
      { name: 'photo.png', type: 'image/png', content: 'no picture' },
      error(400, 'bad_request', 'file: must be image/*, but is text/plain'),
    ],
    ['without content', 'cv', { content: '' }, error(400, 'bad_request', 'file: must not be empty')],
    [
      'that is too large',
      'cv',
      { content: Buffer.alloc(200_001, 'a') },
      error(413, 'payload_too_large', 'file: must have at most 200000 bytes'),
    ],
    [
      'that is far too large',
      'cv',
      { content: Buffer.alloc(20_000_000, 'a') },
      error(413, 'payload_too_large', 'file: must have at most 200000 bytes'),
    ],
    [
      'that is larger than any file may be',
      'photo',
      { name: 'a.gif', type: 'image/gif', content: Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(26_214_400)]) },
      error(413, 'payload_too_large', 'file: must have at most 26214400 bytes'),
    ],
    ['for a field of another type', 'name', {}, error(400, 'bad_request', 'field: must be the key of a file field of this form')],
  ])('%s is rejected and leaves no file', async (_, field, sent, refusal) => {
    const own = await given.publishedForm({ fields });
    expect(await upload(own, field, sent)).toMatchObject(refusal);
    expect(await storedOf(own)).toEqual([]);
  });

  it('of many small files from one address is accepted', async () => {
    const own = await given.publishedForm({ fields });
    for (let n = 0; n < 60; n++) expect(await upload(own, 'cv', { content: `file ${n}` })).toMatchObject({ status: 201 });
  });

  it('requires an open form', async () => {
    const closed = await given.publishedForm({ fields });
    await asOwner.patch(`/api/v1/forms/${closed}`, { max_submissions: 0, closed_message: 'Back on Monday' });
    expect(await upload(closed, 'cv')).toMatchObject(error(403, 'forbidden', 'Back on Monday'));
    expect(await upload('no-such-form', 'cv')).toMatchObject(error(404, 'not_found'));
  });

  it('must name its field', async () => {
    const path = `/public/v1/forms/${form}/files`;
    expect(
      await raw({ method: 'POST', path, headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--\r\n' }),
    ).toMatchObject(error(400, 'bad_request', 'field: is required'));
  });

  it('must be multipart/form-data with exactly one file', async () => {
    const path = `/public/v1/forms/${form}/files?field=cv`;
    expect(await anyone.post(path, { file: 'hello' })).toMatchObject(
      error(400, 'bad_request', 'Content-Type: must be multipart/form-data with a boundary'),
    );
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(
      await raw({ method: 'POST', path, headers, body: '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nhello\r\n--x--\r\n' }),
    ).toMatchObject(error(400, 'bad_request', 'file: is required'));
    const two = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n'.repeat(2);
    expect(await raw({ method: 'POST', path, headers, body: `${two}--x--\r\n` })).toMatchObject(
      error(400, 'bad_request', 'file: must be a single file'),
    );
  });

  it('that is aborted leaves no file', async () => {
    const own = await given.publishedForm({ fields });
    const { hostname, port } = new URL(anyone.origin);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
    socket.write(
      `POST /public/v1/forms/${own}/files?field=cv HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 150000\r\n\r\n${head}`,
    );
    socket.write('a'.repeat(100_000));
    await eventually(async () => expect(await storedOf(own)).toHaveLength(1));
    socket.destroy();
    await eventually(async () => expect(await storedOf(own)).toEqual([]));
  });

  it('that arrives slowly is accepted', async () => {
    const own = await given.publishedForm({ fields });
    const { hostname, port } = new URL(anyone.origin);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
    const tail = '\r\n--x--\r\n';
    socket.write(
      `POST /public/v1/forms/${own}/files?field=cv HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${head.length + 100_000 + tail.length}\r\n\r\n${head}`,
    );
    socket.write('a'.repeat(50_000));
    await eventually(async () => expect(await storedOf(own)).toHaveLength(1));
    socket.write('a'.repeat(50_000) + tail);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 .*"size":100000\}$/s);
    socket.destroy();
  });
});
