import { eventually, startSubscriber, type Received, type Subscriber } from '@sheaf/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import * as given from '../../support/given';
import { anyone, asMember, asOwner } from '../../support/people';
import { uploadedFile } from '../../support/uploads';

let subscriber: Subscriber;
beforeEach(async () => {
  subscriber = await startSubscriber();
});
afterEach(() => subscriber.close());

interface Webhook {
  id: string;
}
async function webhook(base: string, given: object = {}): Promise<Webhook> {
  const { status, body } = await asOwner.post(base, { target_url: `${subscriber.url}/hook`, event: 'submission.created', ...given });
  if (status !== 201) throw new Error(`creating a webhook answered ${status} ${JSON.stringify(body)}`);
  return body as Webhook;
}
/** The event is never sent: a webhook of the instance would hear of all other tests, and they would count its deliveries. */
const quiet = { event: 'submission.updated' };
const about = (submission: string) => (request: { body: string }) => request.body.includes(submission);
const bodyAbout = async (submission: string) =>
  JSON.parse((await subscriber.waitFor(1, about(submission)))[0]?.body ?? '') as Record<string, unknown>;

it('a webhook for several events hears of each of them', async () => {
  const form = await given.publishedForm();
  await webhook(`/app/v1/forms/${form}/webhooks`, { event: undefined, events: ['submission.status_changed', 'submission.created'] });
  const submission = await given.submission(form);
  await bodyAbout(submission);
  await asOwner.patch(`/api/v1/forms/${form}/submissions/${submission}/status`, { status: 'approved' });
  const requests = await subscriber.waitFor(2, about(submission));
  expect(requests.map(({ headers }) => headers['x-webhook-event'])).toEqual(['submission.created', 'submission.status_changed']);
});

it('a named payload has the labels that people know, and a link to each file that works without a key', async () => {
  const options = [{ value: 'r', label: 'Red' }];
  const fields = [
    { key: 'color', label: 'Favourite colour', type: 'select', options },
    { key: 'cv', label: 'Your CV', type: 'file' },
  ];
  const form = await given.publishedForm({ fields });
  await webhook(`/app/v1/forms/${form}/webhooks`, { payload: 'named' });
  const cv = await uploadedFile(form, 'cv');
  const submission = await given.submission(form, { color: 'r', cv });

  const { answers } = (await bodyAbout(submission)) as {
    answers: { color: object; cv: { files: { id: string; url: string; size: number }[] } };
  };
  expect(answers.color).toEqual({ label: 'Favourite colour', type: 'select', value: 'r', text: 'Red' });
  const [file] = answers.cv.files;
  expect(file?.id).toBe(cv);
  const response = await fetch(file?.url ?? '');
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBe(file?.size);
  expect(response.headers.get('content-security-policy')).toContain('sandbox');

  // A link ends with its submission.
  await asOwner.delete(`/api/v1/forms/${form}/submissions/${submission}`);
  await asOwner.delete(`/app/v1/forms/${form}/submissions/${submission}?forever=true`);
  expect((await fetch(file?.url ?? '')).status).toBe(404);
  expect(await anyone.get('/public/v1/files/made-up')).toMatchObject({ status: 404 });
});

it('a test sends a sample made from the fields of the form, without a submission', async () => {
  const form = await given.publishedForm();
  const { id } = await webhook(`/app/v1/forms/${form}/webhooks`);
  const { status, body } = await asOwner.post(`/app/v1/forms/${form}/webhooks/${id}/test`, {});
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { delivered: true, status: 200, error: null, request: { headers: { 'Sheaf-Test': '1' } } },
  });
  expect(JSON.parse(subscriber.received[0]?.body ?? '')).toMatchObject({ form_id: form, data: { name: 'Example', stars: 5 } });
  expect(await given.submissionsOf(form)).toEqual([]);
  expect((await asOwner.get(`/app/v1/forms/${form}/deliveries`)).body).toMatchObject({ total: 0 });
});

it("a person's own hooks are those that they created, on whichever form", async () => {
  const form = await given.publishedForm();
  const editor = await asMember('editor');
  const url = `${subscriber.url}/own`;
  const mine = (await editor.post(`/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url: url })).body as Webhook;
  await webhook(`/app/v1/forms/${form}/webhooks`);
  const { body } = await editor.get('/app/v1/hooks');
  expect(body).toEqual({ data: [{ ...mine }], next_cursor: null });
});

it.each([
  ['a workspace', async () => `/app/v1/workspaces/${await given.workspace()}/webhooks`],
  ['the instance', () => Promise.resolve('/app/v1/webhooks')],
])('the deliveries to a webhook of %s are listed in one place', async (_, baseOf) => {
  const base = await baseOf();
  const { id } = await webhook(base, quiet);
  const list = `${base}/${id}/deliveries`;
  expect(await asOwner.get(list)).toMatchObject({ status: 200, body: { data: expect.any(Array) as unknown } });
  expect((await asOwner.get(`${list}?state=lost`)).status).toBe(400);
  expect((await asOwner.get(`${base}/019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c06/deliveries`)).status).toBe(404);
  await asOwner.delete(`${base}/${id}`);
});

it.each([
  ['a form', async () => `/app/v1/forms/${await given.publishedForm()}/webhooks`],
  ['a workspace', async () => `/app/v1/workspaces/${await given.workspace()}/webhooks`],
  ['the instance', () => Promise.resolve('/app/v1/webhooks')],
])('a webhook of %s that was sent nothing does not fail', async (_, baseOf) => {
  const base = await baseOf();
  const { id } = await webhook(base, quiet);
  const { body } = await asOwner.get(`${base}/${id}`);
  expect(body).toMatchObject({ id, failing: null });
  expect(body).not.toHaveProperty('last_delivered_at');
  const list = (await asOwner.get(base)).body as { data: Webhook[] };
  expect(list.data.find((one) => one.id === id)).toEqual(body);
  await asOwner.delete(`${base}/${id}`);
});

it('a viewer learns since when a webhook fails, and when an event last arrived', async () => {
  const form = await given.publishedForm();
  const base = `/app/v1/forms/${form}/webhooks`;
  const { id } = await webhook(base);
  await bodyAbout(await given.submission(form));
  const viewer = await asMember('viewer');
  const before = await eventually(async () => {
    const { body } = await viewer.get(`${base}/${id}`);
    expect(body).toMatchObject({ failing: null, last_delivered_at: expect.any(String) as string });
    return body as { last_delivered_at: string };
  });

  subscriber.answer(500);
  const failingFrom = Date.now();
  await given.submission(form);
  await eventually(async () => {
    const { body } = await viewer.get(base);
    expect(body).toMatchObject({
      data: [{ id, active: true, failing: { since: expect.any(String) as string }, last_delivered_at: before.last_delivered_at }],
    });
    const [{ failing }] = (body as { data: [{ failing: { since: string } }] }).data;
    expect(Date.parse(failing.since)).toBeGreaterThan(failingFrom - 60_000);
  });
});

it('headers of its own arrive with each request, and are in no answer', async () => {
  const form = await given.publishedForm();
  const base = `/app/v1/forms/${form}/webhooks`;
  const value = 'Bearer 5f2b-very-secret';
  const refused = await asOwner.post(base, {
    target_url: `${subscriber.url}/hook`,
    event: 'submission.created',
    headers: [{ name: 'Host', value }],
  });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { message: 'headers.0: Host: Sheaf or the connection sets this header, so it cannot be chosen' } },
  });

  const { id } = await webhook(base, { headers: [{ name: 'Authorization', value }] });
  await bodyAbout(await given.submission(form));
  await asOwner.patch(`${base}/${id}`, { headers: [{ name: 'Authorization' }, { name: 'X-Env', value: 'test' }] });
  const submission = await given.submission(form);
  await bodyAbout(submission);
  await asOwner.post(`${base}/${id}/test`, {});
  expect(subscriber.received.map(({ headers }) => [headers.authorization, headers['x-env']])).toEqual([
    [value, undefined],
    [value, 'test'],
    [value, 'test'],
  ]);

  const deliveries = await asOwner.get(`/app/v1/forms/${form}/deliveries?submission_id=${submission}`);
  const [delivery] = (deliveries.body as { data: { id: string }[] }).data;
  const answers = await Promise.all([
    asOwner.get(base),
    asOwner.get(`${base}/${id}`),
    asOwner.get(`/app/v1/forms/${form}/deliveries/${delivery?.id}`),
    asOwner.get('/app/v1/hooks'),
  ]);
  expect(answers[1].body).toMatchObject({ headers: [{ name: 'Authorization' }, { name: 'X-Env' }] });
  expect(answers[2].body).toMatchObject({ attempts: [{ headers: { Authorization: '••••••', 'X-Env': '••••••' } }] });
  expect(JSON.stringify(answers)).not.toContain('very-secret');
});

it('a webhook with batches gets several submissions in one signed request, and the log of each names it', async () => {
  const form = await given.publishedForm();
  const base = `/app/v1/forms/${form}/webhooks`;
  const options = { signature: 'v1', batch: { max_events: 3, max_seconds: 60 } };
  const { id, secret, ...made } = (await webhook(base, options)) as Webhook & { secret: string };
  expect(made).toMatchObject({ batch: options.batch });
  const submissions = [await given.submission(form), await given.submission(form), await given.submission(form)];

  const [request] = await subscriber.waitFor(1, about(form));
  const sent = new StandardWebhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>) as {
    events: { id: string; submission: { id: string } }[];
  };
  const batchId = request?.headers['webhook-id'];
  expect(sent).toMatchObject({
    event: 'batch',
    id: batchId,
    events: submissions.map(() => ({ event: 'submission.created', form_id: form })),
  });
  expect(sent.events.map(({ submission }) => submission.id).toSorted()).toEqual(submissions.toSorted());
  for (const event of sent.events)
    await eventually(async () =>
      expect((await asOwner.get(`/app/v1/forms/${form}/deliveries/${event.id}`)).body).toMatchObject({
        state: 'succeeded',
        attempts: [{ number: 1, status: 200, batch_id: batchId, headers: { 'webhook-id': batchId } }],
      }),
    );
  expect(subscriber.received).toHaveLength(1);

  expect((await asOwner.patch(`${base}/${id}`, { batch: { max_events: 0 } })).status).toBe(400);
  // One that does not become full is sent when its time is over.
  await asOwner.patch(`${base}/${id}`, { batch: { max_seconds: 1 } });
  expect(await bodyAbout(await given.submission(form))).toMatchObject({ event: 'batch', events: [{}] });
  expect((await asOwner.patch(`${base}/${id}`, { batch: null })).body).toMatchObject({ batch: null });
  expect(await bodyAbout(await given.submission(form))).toMatchObject({ event: 'submission.created' });
});

it('a webhook with a secret of its own signs each request with it, shows it once, and gets another one', async () => {
  const form = await given.publishedForm();
  const base = `/app/v1/forms/${form}/webhooks`;
  const { id, secret } = (await webhook(base, { signature: 'v1' })) as Webhook & { secret: string };
  const isSignedWith = (one: string, { body, headers }: Received) => {
    try {
      return new StandardWebhook(one).verify(body, headers as Record<string, string>) !== undefined;
    } catch {
      return false;
    }
  };
  const next = async () => {
    const submission = await given.submission(form);
    const [request] = await subscriber.waitFor(1, about(submission));
    if (!request) throw new Error('no request');
    return request;
  };
  expect(isSignedWith(secret, await next())).toBe(true);

  expect((await asOwner.patch(`${base}/${id}`, { signature: 'v1' })).body).not.toHaveProperty('secret');
  const renewed = (await asOwner.patch(`${base}/${id}`, { new_secret: true })).body as { secret: string };
  const request = await next();
  expect([secret, renewed.secret].map((one) => isSignedWith(one, request))).toEqual([true, true]);
  expect(renewed.secret).not.toBe(secret);
  expect(await asOwner.patch(`${base}/${id}`, { new_secret: true })).toMatchObject({ status: 409 });
  const seen = JSON.stringify([await asOwner.get(base), await asOwner.get(`${base}/${id}`), await asOwner.get('/app/v1/hooks')]);
  expect(seen).toContain('previous_secret_until');
  for (const one of [secret, renewed.secret]) expect(seen).not.toContain(one.slice('whsec_'.length));
});
