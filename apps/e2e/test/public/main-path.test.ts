import { SubmissionCreated, SubmissionDeleted, SubmissionStatusChanged } from '@sheaf/contracts';
import { eventually, type Person, soonMs, startSubscriber, type Subscriber } from '@sheaf/testing';
import { z } from 'zod';
import * as given from '../../support/given';
import { anyone, asOwner, asOwnerSignedIn, credentials } from '../../support/people';

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

/** The payloads of section 6.3 of the contract, without further properties. */
const payloads = z.union([SubmissionCreated.strict(), SubmissionStatusChanged.strict(), SubmissionDeleted.strict()]);

const mentions =
  (id: string) =>
  ({ body }: { body: string }) =>
    body.includes(id);

const events = ['submission.created', 'submission.status_changed', 'submission.deleted'];
const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'colour', label: 'Colour', type: 'select', options: ['red', { value: 'blue', label: 'Blue' }] },
];
const answers = { name: 'Ada "the first" 🌱', colour: 'red' };

interface Listed {
  id: string;
  data: object;
  created_at: string;
}

it('a person signs in, publishes a form and manages its submissions, and a subscriber receives the events', async () => {
  const owner = await asOwnerSignedIn();
  await expectSession(owner);
  const form = await createdForm(owner);
  await saveDraft(owner, form);
  await publish(owner, form);
  const hooks = await Promise.all(events.map((event) => given.subscription(form, `${subscriber.url}/${event}`, event)));

  const submission = await submitted(form);
  await approveAndDelete(form, submission);

  await expectDeliveries(form, submission, hooks);
});

async function expectSession(owner: Person): Promise<void> {
  expect((await owner.get('/app/v1/sessions/current')).body).toMatchObject({
    user: { id: credentials.user.id, email: credentials.user.email },
    workspace: { id: credentials.workspace_id, role: 'owner' },
  });
}

async function createdForm(owner: Person): Promise<string> {
  const created = await owner.post('/api/v1/forms', { title: ' Site visit ' });
  expect(created).toMatchObject({
    status: 201,
    body: { title: 'Site visit', status: 'active', current_version: 0, publish_mode: 'draft', favorite: false, role: 'owner' },
  });
  return (created.body as { id: string }).id;
}

async function saveDraft(owner: Person, form: string): Promise<void> {
  const { revision } = (await owner.get(`/app/v1/forms/${form}/draft`)).body as { revision: number };
  const save = () => owner.put(`/app/v1/forms/${form}/draft`, { fields, revision });
  const options = [
    { value: 'red', label: 'red' },
    { value: 'blue', label: 'Blue' },
  ];
  expect(await save()).toMatchObject({ status: 200, body: { fields: [{ key: 'name' }, { options }] } });
  expect(await save()).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
}

async function publish(owner: Person, form: string): Promise<void> {
  expect(await anyone.get(`/public/v1/forms/${form}`)).toMatchObject({ status: 404 });
  expect(await owner.post(`/api/v1/forms/${form}/publish`)).toMatchObject({ status: 200, body: { version: 1, warnings: [] } });
  expect((await owner.get(`/api/v1/forms/${form}/fields`)).body).toEqual({
    form_id: form,
    fields: [
      { key: 'name', label: 'Your name', type: 'string', required: true },
      { key: 'colour', label: 'Colour', type: 'string', required: false },
    ],
  });
}

/** Submits, and returns the submission as the owner sees it. */
async function submitted(form: string): Promise<Listed> {
  expect(await anyone.get(`/public/v1/forms/${form}`)).toMatchObject({
    status: 200,
    body: { id: form, title: 'Site visit', version: 1, open: true },
  });
  const receipt = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: answers }, { 'x-request-id': `asked-by-${form}` });
  expect(receipt).toMatchObject({ status: 201, body: { form_id: form, status: 'new' } });
  const { id, created_at } = receipt.body as { id: string; created_at: string };

  const listed = { id, form_id: form, data: answers, schema_version: 1, status: 'new', created_at };
  expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({
    status: 200,
    body: { data: [listed], total: 1, limit: 25, offset: 0 },
  });
  expect((await asOwner.get(`/api/v1/forms/${form}/submissions/${id}`)).body).toEqual(listed);
  return listed;
}

async function approveAndDelete(form: string, { id }: Listed): Promise<void> {
  expect(await asOwner.patch(`/api/v1/forms/${form}/submissions/${id}/status`, { status: 'approved' })).toMatchObject({
    status: 200,
    body: { status: 'approved' },
  });
  expect(await asOwner.delete(`/api/v1/forms/${form}/submissions/${id}`)).toMatchObject({ status: 204, body: undefined });
  expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({ body: { data: [], total: 0 } });
}

async function expectDeliveries(form: string, { id, data, created_at }: Listed, hooks: readonly string[]): Promise<void> {
  const received = await subscriber.waitFor(events.length, mentions(id));
  const bodies = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  const occurred_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
  expect(bodies).toEqual(
    expect.arrayContaining([
      {
        event: 'submission.created',
        form_id: form,
        occurred_at: created_at,
        data,
        submission: { id, form_id: form, schema_version: 1, created_at },
      },
      { event: 'submission.status_changed', form_id: form, occurred_at, submission_id: id, previous_status: 'new', new_status: 'approved' },
      { event: 'submission.deleted', form_id: form, occurred_at, submission_id: id },
    ]),
  );
  for (const body of bodies) expect(payloads.safeParse(body).error).toBeUndefined();
  for (const { path, headers } of received) {
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-webhook-event': path.slice(1) });
    expect(hooks).toContain(headers['x-webhook-id']);
    expect(headers['webhook-id']).toBeTruthy();
  }

  // The subscriber receives the POST a moment before its result is stored.
  const succeeded = { state: 'succeeded', attempt_count: 1 };
  await eventually(async () =>
    expect(await asOwner.get(`/app/v1/forms/${form}/deliveries`)).toMatchObject({
      status: 200,
      body: { total: 3, data: [succeeded, succeeded, { ...succeeded, event: 'submission.created', request_id: `asked-by-${form}` }] },
    }),
  );
}

it('an unsubscribed subscriber receives nothing more', async () => {
  const form = await given.publishedForm();
  const hook = await given.subscription(form, `${subscriber.url}/gone`);
  const delivered = await given.submission(form);
  await subscriber.waitFor(1, mentions(delivered));

  expect(await asOwner.delete(`/api/v1/hooks/${hook}`)).toMatchObject({ status: 204 });
  await given.submission(form);

  // It may hear of the submission before it, too, which is planned with those who listen by then.
  const witness = await given.subscription(form, `${subscriber.url}/witness`);
  const last = await given.submission(form);
  await subscriber.waitFor(1, (request) => request.headers['x-webhook-id'] === witness && request.body.includes(last));
  const toHook = subscriber.received.filter(({ headers }) => headers['x-webhook-id'] === hook);
  expect(toHook.filter((request) => !mentions(delivered)(request))).toEqual([]);
});

it('a trashed form rejects submissions within a second', async () => {
  const form = await given.publishedForm();
  await given.submission(form);
  expect(await asOwner.delete(`/api/v1/forms/${form}`)).toMatchObject({ status: 204 });

  const send = () => anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });
  await eventually(async () => expect((await send()).status).toBe(404), soonMs);
  const { total } = (await asOwner.get(`/api/v1/forms/${form}/submissions`)).body as { total: number };
  expect(await send()).toMatchObject({ status: 404 });
  expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({ body: { total } });
});

it('a submission sent several times with the same idempotency key is accepted once', async () => {
  const form = await given.publishedForm();
  const send = (name: string) => anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name } }, { 'idempotency-key': 'the-key' });
  const replies = await Promise.all([send('Ada'), send('Ada'), send('Ada')]);

  expect(new Set(replies.map(({ body }) => (body as { id: string }).id)).size).toBe(1);
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await send('Bob')).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({ body: { total: 1 } });
});

it('an invalid submission is rejected with an error for each answer', async () => {
  const form = await given.publishedForm();
  expect(await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { stars: 9 } })).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'bad_request',
        details: [
          { key: 'name', code: 'required', params: {}, message: 'is required' },
          { key: 'stars', code: 'too_large', params: { max: 5 }, message: 'must be at most 5' },
        ],
      },
    },
  });
});

it('a failed delivery is repeated after 4 and after 16 seconds under the same id, and not a fourth time', async () => {
  const failing = await startSubscriber();
  failing.answer(503);
  try {
    const form = await given.publishedForm();
    await given.subscription(form, failing.url);
    const id = await given.submission(form);

    const attempts = await failing.waitFor(3, mentions(id));
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

    // The delivery is settled a moment after the third answer.
    const log = `/app/v1/forms/${form}/deliveries`;
    await eventually(async () => {
      const { body } = await asOwner.get(`${log}?state=failed`);
      expect(body).toMatchObject({ total: 1, data: [{ state: 'failed', attempt_count: 3 }] });
    });
    // By the service's own clock: how late a request is seen here depends on the machine. An attempt is never early; a millisecond is for rounding.
    const { body } = await asOwner.get(`${log}/${String(attempts[0]?.headers['webhook-id'])}`);
    const [first = 0, second = 0, third = 0] = (body as { attempts: { started_at: string }[] }).attempts.map(({ started_at }) =>
      Date.parse(started_at),
    );
    expect(second - first).toBeGreaterThanOrEqual(3_999);
    expect(third - second).toBeGreaterThanOrEqual(15_999);
    expect(failing.received).toHaveLength(3);
  } finally {
    await failing.close();
  }
});
