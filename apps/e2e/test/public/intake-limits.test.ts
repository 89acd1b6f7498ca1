import * as given from '../../support/given';
import { anyone } from '../../support/people';

/** The default of SUBMIT_PER_ADDRESS_PER_MINUTE. */
const perMinute = 60;

it('answers an address that submits too often with 429 and Retry-After, but repeats the response to an idempotent retry', async () => {
  const form = await given.publishedForm();
  const submit = (address: string, more: Record<string, string> = {}) =>
    anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, { 'x-forwarded-for': address, ...more });

  const first = await submit('9.9.9.9', { 'idempotency-key': 'once' });
  expect(first.status).toBe(201);
  const others = await Promise.all(Array.from({ length: 2 * perMinute }, () => submit('9.9.9.9')));
  const refused = others.filter(({ status }) => status !== 201);
  expect(refused).not.toEqual([]);
  for (const reply of refused) {
    expect(reply).toMatchObject({ status: 429, body: { error: { code: 'too_many_requests' } } });
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  }
  expect(await submit('9.9.9.9', { 'idempotency-key': 'once' })).toMatchObject({ status: 201, body: first.body });
  expect(await submit('8.8.8.8')).toMatchObject({ status: 201 });
});
