import { Documented, newDataDir, Person, removeDataDir, System } from '@sheaf/testing';

// A separate system, which accepts few submissions and trusts the proxy in front of it.

let dataDir: string;
let system: System;
let anyone: Person;
let form: string;

beforeAll(async () => {
  dataDir = await newDataDir();
  system = await System.start(dataDir, {
    TRUSTED_PROXIES: 'loopback',
    SUBMIT_PER_ADDRESS_PER_MINUTE: '2',
    SUBMIT_PER_FORM_PER_MINUTE: '100',
  });
  anyone = new Person(system.origin, undefined, new Documented(system.origin));
  const owner = anyone.with(system.credentials.api_key);
  form = ((await owner.post('/api/v1/forms', { title: 'Survey' })).body as { id: string }).id;
  await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await owner.post(`/api/v1/forms/${form}/publish`);
});
afterAll(async () => {
  await system.stop();
  await removeDataDir(dataDir);
});

const submit = (address: string, more: Record<string, string> = {}) =>
  anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, { 'x-forwarded-for': address, ...more });

it('answers an address that submits too often with 429 and Retry-After, but repeats the response to an idempotent retry', async () => {
  const first = await submit('9.9.9.9', { 'idempotency-key': 'once' });
  expect(first.status).toBe(201);
  expect(await submit('9.9.9.9')).toMatchObject({ status: 201 });

  const refused = await submit('9.9.9.9');
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'too_many_requests' } } });
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect(await submit('9.9.9.9', { 'idempotency-key': 'once' })).toMatchObject({ status: 201, body: first.body });
  expect(await submit('8.8.8.8')).toMatchObject({ status: 201 });
});
