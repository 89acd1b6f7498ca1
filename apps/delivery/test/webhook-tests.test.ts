import { newId } from '@sheaf/kernel';
import { aServiceAccount, callAs, refused } from '@sheaf/testing';
import type { FakeTarget } from './support/neighbours';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService({ DELIVERY_TIMEOUT_MS: 2_000 });
});
afterAll(() => service.stop());
beforeEach(() => service.reset());

const field = (key: string, type: string, more: object = {}) => ({ key, label: `The ${key}`, type, required: true, ...more });

/** A webhook of a form whose latest version has these fields. */
function aWebhook(given: Partial<FakeTarget> = {}, fields: object[] = [field('name', 'short_text')]) {
  const form_id = newId();
  service.neighbours.forms.fields.set(`${form_id} latest`, fields);
  const id = newId();
  const url = `${service.subscriber.url}/hook`;
  service.neighbours.hooks.targets.set(id, { form_id, events: ['submission.created'], url, payload: 'contract', ...given });
  return { id, form_id };
}
const test = ({ id }: { id: string }, given: { event?: string; form_id?: string } = {}) =>
  service.client.testWebhook(callAs(service.member('owner')), { id, event: given.event, sample_form_id: given.form_id });
const received = () =>
  service.subscriber.received.map(({ body, headers }) => ({ headers, body: JSON.parse(body) as Record<string, unknown> }));

it('sends a sample with an answer to each field, once and at once, and says how it ended', async () => {
  const webhook = aWebhook({}, [
    field('name', 'short_text', { min_length: 20 }),
    field('age', 'integer', { max: 30 }),
    field('color', 'select', { options: [{ value: 'r', label: 'Red' }] }),
    field('photos', 'file', { multiple: true }),
    { type: 'section', key: 'part', label: 'Part' },
  ]);
  const result = await test(webhook);
  const [post] = received();
  expect(service.subscriber.received).toHaveLength(1);
  expect(post?.body).toMatchObject({
    event: 'submission.created',
    form_id: webhook.form_id,
    data: { name: 'Example.............', age: 30, color: 'r', photos: [expect.any(String)] },
    submission: { form_id: webhook.form_id, schema_version: 7 },
  });
  expect(result).toMatchObject({ delivered: true, status: 200, duration_ms: expect.any(Number) as number });
  expect(result.error).toBeUndefined();
  expect(result.request?.body).toBe(service.subscriber.received[0]?.body);
});

it('marks and signs the request, and shows its headers', async () => {
  const webhook = aWebhook();
  const result = await test(webhook);
  const headers = received()[0]?.headers as Record<string, string>;
  expect(headers).toMatchObject({ 'sheaf-test': '1', 'x-webhook-event': 'submission.created', 'x-webhook-id': webhook.id });
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers;
  const signed = { id, timestamp, body: result.request?.body ?? '' };
  expect(headers['webhook-signature']).toBe(await service.deps.webhookKeys.sign(service.instanceId, signed));
  expect(result.request?.headers).toMatchObject({ 'webhook-id': id, 'Sheaf-Test': '1' });
});

it('sends the payload that the webhook has', async () => {
  const webhook = aWebhook({ payload: 'named', link_origin: 'https://forms.example.org' }, [
    field('agrees', 'boolean'),
    field('cv', 'file'),
  ]);
  await test(webhook);
  expect(received()[0]?.body).toMatchObject({
    answers: {
      agrees: { label: 'The agrees', type: 'boolean', value: true, text: 'Yes' },
      cv: { text: 'example.pdf', files: [{ url: 'https://forms.example.org/public/v1/files/example' }] },
    },
  });
});

it('sends a batch of one to a webhook with batches', async () => {
  const webhook = aWebhook({ options: JSON.stringify({ batch: { max_events: 100, max_seconds: 5 } }) });
  await test(webhook);
  const [post] = received();
  expect(post).toMatchObject({
    headers: { 'x-webhook-event': 'batch' },
    body: {
      event: 'batch',
      id: (post?.headers as Record<string, string> | undefined)?.['webhook-id'],
      events: [{ id: expect.any(String) as string, event: 'submission.created' }],
    },
  });
});

it('stores nothing: neither a delivery nor what the answer says', async () => {
  const webhook = aWebhook();
  service.subscriber.answer(410);
  expect(await test(webhook)).toMatchObject({ delivered: false, status: 410 });
  expect(await service.db('delivery').where({ form_id: webhook.form_id })).toEqual([]);
  expect(await service.db('subscription').where({ id: webhook.id })).toEqual([]);
});

it('names the error of a subscriber that cannot be reached', async () => {
  const webhook = aWebhook({ url: 'http://127.0.0.1:1/hook' });
  const result = await test(webhook);
  expect(result).toMatchObject({ delivered: false, error: 'connection_refused', code: 'ECONNREFUSED' });
  expect(result.status).toBeUndefined();
});

it('says what the subscriber answered, and where it redirected', async () => {
  service.subscriber.answer({ status: 301, headers: { location: '/new?key=secret' }, body: 'Moved.' });
  expect(await test(aWebhook())).toMatchObject({
    delivered: false,
    status: 301,
    response: { body: 'Moved.', truncated: false, location: `${service.subscriber.url}/new` },
  });
  service.subscriber.answer({ status: 200, body: 'Thanks.' });
  expect((await test(aWebhook())).response).toMatchObject({ body: 'Thanks.', truncated: false });
});

it.each(['submission.status_changed', 'submission.deleted', 'submission.restored', 'submission.corrected', 'submission.spam_changed'])(
  'sends %s if it is asked to',
  async (event) => {
    const webhook = aWebhook({ events: ['submission.created', event] });
    await test(webhook, { event });
    expect(received()).toMatchObject([{ body: { event, form_id: webhook.form_id, submission_id: expect.any(String) as string } }]);
  },
);

it('refuses an event that is not among those of the webhook', async () => {
  await expect(test(aWebhook(), { event: 'submission.deleted' })).rejects.toEqual(
    refused('bad_request', /^event: must be one of the webhook's events: submission\.created$/),
  );
});

describe('of several forms', () => {
  const wide = (given: Partial<FakeTarget> = {}) => {
    const { id, form_id } = aWebhook();
    service.neighbours.hooks.targets.set(id, {
      events: ['submission.created'],
      url: `${service.subscriber.url}/hook`,
      payload: 'contract',
      ...given,
    });
    return { id, form_id };
  };

  it('needs to know for which form the sample is', async () => {
    const { id, form_id } = wide();
    await expect(test({ id })).rejects.toEqual(refused('bad_request', /^form_id: is required/));
    expect(await test({ id }, { form_id })).toMatchObject({ delivered: true });
  });

  it('refuses forms that the caller may not read, and those of other workspaces', async () => {
    const { id, form_id } = wide({ workspace_id: newId() });
    await expect(test({ id }, { form_id })).rejects.toEqual(refused('bad_request', /^form_id: must be a form of the webhook's workspace$/));
    const stranger = aServiceAccount({ instanceId: newId(), scopes: ['hooks:manage'] });
    await expect(service.client.testWebhook(callAs(stranger), { id: wide().id, sample_form_id: form_id })).rejects.toEqual(
      refused('not_found', /form/),
    );
  });
});

it('refuses another form than that of the webhook', async () => {
  await expect(test(aWebhook(), { form_id: newId() })).rejects.toEqual(refused('bad_request', /^form_id: must be the webhook's form$/));
});

it('is refused while an instance has five on their way, and no longer afterwards', async () => {
  const webhook = aWebhook();
  service.subscriber.answer('hang');
  const tests = Array.from({ length: 6 }, () => test(webhook).catch((error: unknown) => error));
  const results = await Promise.all(tests);
  expect(results.filter((result) => result instanceof Error)).toEqual([refused('too_many_requests', /^At most 5 samples/)]);
  service.subscriber.answer(200);
  expect(await test(webhook)).toMatchObject({ delivered: true });
});
