import { importLimits } from '@sheaf/contracts';
import * as given from '../../support/given';
import { asOwner } from '../../support/people';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'age', label: 'Age', type: 'integer' },
];
const withFile = (content: string) => `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${content}\r\n--x--\r\n`;
const error = (status: number, code: string, message = /./) => ({
  status,
  body: { error: { code, message: expect.stringMatching(message) as string } },
});
const type = { 'content-type': 'multipart/form-data; boundary=x' };
const total = async (form: string) =>
  ((await asOwner.get(`/app/v1/forms/${form}/submissions`)).body as { data: { id: string; data: unknown }[] }).data;

it('a file is previewed, and imported once however often it is sent with a key', async () => {
  const form = await given.publishedForm({ fields });
  const path = `/app/v1/forms/${form}/imports`;
  const file = withFile('Your name;Age\r\nAda;36\r\nGrace;old\r\n');
  expect(await asOwner.post(`${path}/preview`, file, type)).toMatchObject({
    status: 200,
    body: {
      rows: 2,
      valid: 1,
      columns: [{ target: 'answers.name' }, { target: 'answers.age' }],
      faults: [{ row: 3, column: 2, key: 'age' }],
    },
  });
  expect(await asOwner.post(path, file, type)).toMatchObject(error(400, 'bad_request', /^Idempotency-Key: is required/));
  const headers = { ...type, 'idempotency-key': 'first' };
  expect(await asOwner.post(path, file, headers)).toMatchObject(error(400, 'bad_request', /^file: row 3, Age: /));
  const first = await asOwner.post(`${path}?only_valid=true&version=1`, file, headers);
  expect(first).toMatchObject({ status: 201, body: { imported: 1, left_out: 1, events: false } });
  const again = await asOwner.post(`${path}?only_valid=true&version=1`, file, headers);
  expect(again.body).toMatchObject({ id: (first.body as { id: string }).id });
  expect((await total(form)).map(({ data }) => data)).toEqual([{ name: 'Ada', age: 36 }]);
  expect(await asOwner.post(`${path}?version=2`, file, { ...type, 'idempotency-key': 'second' })).toMatchObject(error(409, 'conflict'));
});

it('a file that is too large is refused before it is read', async () => {
  const form = await given.publishedForm({ fields });
  const file = withFile(`name\r\n${'x'.repeat(importLimits.bytes)}`);
  expect(await asOwner.post(`/app/v1/forms/${form}/imports/preview`, file, type)).toMatchObject(error(413, 'payload_too_large'));
});
