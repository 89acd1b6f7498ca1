import { SubmissionCreated, SubmissionDeleted, SubmissionStatusChanged } from '@sheaf/contracts';
import { eventually, soonMs, startSubscriber, type Subscriber } from '@sheaf/testing';
import { z } from 'zod';
import * as given from '../../support/given';
import { anyone, asOwner, asOwnerSignedIn, credentials } from '../../support/people';

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

/** The payloads that subscribers are promised (contract, section 6.3), with no further properties. */
const payloads = z.union([SubmissionCreated.strict(), SubmissionStatusChanged.strict(), SubmissionDeleted.strict()]);

const about =
  (id: string) =>
  ({ body }: { body: string }) =>
    body.includes(id);
const bodies = (received: { body: string }[]) => received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

it('leads from signing in to a form whose events reach a subscriber', async () => {
  const owner = await asOwnerSignedIn();
  expect((await owner.get('/app/v1/sessions/current')).body).toMatchObject({
    user: { id: credentials.user.id, email: credentials.user.email },
    workspace: { id: credentials.workspace_id, role: 'owner' },
  });

  const created = await owner.post('/api/v1/forms', { title: ' Site visit ' });
  expect(created).toMatchObject({
    status: 201,
    body: { title: 'Site visit', status: 'active', current_version: 0, publish_mode: 'draft', favorite: false, role: 'owner' },
  });
  const { id: form } = created.body as { id: string };

  const fields = [
    { key: 'name', label: 'Your name', type: 'short_text', required: true },
    { key: 'colour', label: 'Colour', type: 'select', options: ['red', { value: 'blue', label: 'Blue' }] },
  ];
  const draft = await owner.get(`/app/v1/forms/${form}/draft`);
  const saved = await owner.put(`/app/v1/forms/${form}/draft`, { fields, revision: (draft.body as { revision: number }).revision });
  expect(saved).toMatchObject({
    status: 200,
    body: {
      fields: [
        { key: 'name' },
        {
          options: [
            { value: 'red', label: 'red' },
            { value: 'blue', label: 'Blue' },
          ],
        },
      ],
    },
  });
  expect(await owner.put(`/app/v1/forms/${form}/draft`, { fields, revision: (draft.body as { revision: number }).revision })).toMatchObject(
    {
      status: 409,
      body: { error: { code: 'conflict' } },
    },
  );
  expect(await anyone.get(`/public/v1/forms/${form}`)).toMatchObject({ status: 404 });
  expect(await owner.post(`/api/v1/forms/${form}/publish`)).toMatchObject({ status: 200, body: { version: 1, warnings: [] } });
  expect((await owner.get(`/api/v1/forms/${form}/fields`)).body).toEqual({
    form_id: form,
    fields: [
      { key: 'name', label: 'Your name', type: 'string', required: true },
      { key: 'colour', label: 'Colour', type: 'string', required: false },
    ],
  });

  const hooks = await Promise.all(
    ['submission.created', 'submission.status_changed', 'submission.deleted'].map((event) =>
      given.subscription(form, `${subscriber.url}/${event}`, event),
    ),
  );

  expect(await anyone.get(`/public/v1/forms/${form}`)).toMatchObject({
    status: 200,
    body: { id: form, title: 'Site visit', version: 1, open: true },
  });
  const receipt = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada "the first" 🌱', colour: 'red' } });
  expect(receipt).toMatchObject({ status: 201, body: { form_id: form, status: 'new' } });
  const { id, created_at } = receipt.body as { id: string; created_at: string };

  const listed = { id, form_id: form, data: { name: 'Ada "the first" 🌱', colour: 'red' }, schema_version: 1, status: 'new', created_at };
  expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({
    status: 200,
    body: { data: [listed], total: 1, limit: 25, offset: 0 },
  });
  expect((await asOwner.get(`/api/v1/forms/${form}/submissions/${id}`)).body).toEqual(listed);
  expect(await asOwner.patch(`/api/v1/forms/${form}/submissions/${id}/status`, { status: 'approved' })).toMatchObject({
    status: 200,
    body: { status: 'approved' },
  });
  expect(await asOwner.delete(`/api/v1/forms/${form}/submissions/${id}`)).toMatchObject({ status: 204, body: undefined });
  expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({ body: { data: [], total: 0 } });

  const received = await subscriber.waitFor(3, about(id));
  expect(bodies(received)).toEqual(
    expect.arrayContaining([
      { event: 'submission.created', form_id: form, data: listed.data, submission: { id, form_id: form, schema_version: 1, created_at } },
      { event: 'submission.status_changed', form_id: form, submission_id: id, previous_status: 'new', new_status: 'approved' },
      { event: 'submission.deleted', form_id: form, submission_id: id },
    ]),
  );
  for (const body of bodies(received)) expect(payloads.safeParse(body).error).toBeUndefined();
  for (const { path, headers } of received) {
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-webhook-event': path.slice(1) });
    expect(hooks).toContain(headers['x-webhook-id']);
    expect(headers['webhook-id']).toBeTruthy();
  }

  // The subscriber receives the POST a moment before its result is stored.
  const done = { state: 'succeeded', attempt_count: 1 };
  await eventually(async () =>
    expect(await asOwner.get(`/app/v1/forms/${form}/deliveries`)).toMatchObject({
      status: 200,
      body: { total: 3, data: [done, done, done] },
    }),
  );
});

it('ends for a subscriber when it unsubscribes', async () => {
  const form = await given.publishedForm();
  const hook = await given.subscription(form, `${subscriber.url}/gone`);
  const heard = await given.submission(form);
  await subscriber.waitFor(1, about(heard));

  expect(await asOwner.delete(`/api/v1/hooks/${hook}`)).toMatchObject({ status: 204 });
  const unheard = await given.submission(form);

  const witness = await given.subscription(form, `${subscriber.url}/witness`);
  const last = await given.submission(form);
  await subscriber.waitFor(1, (request) => request.headers['x-webhook-id'] === witness && request.body.includes(last));
  expect(subscriber.received.filter(({ body }) => body.includes(unheard))).toEqual([]);
});

it('stops at a form that is trashed, in under a second', async () => {
  const form = await given.publishedForm();
  await given.submission(form);
  expect(await asOwner.delete(`/api/v1/forms/${form}`)).toMatchObject({ status: 204 });

  const send = () => anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });
  await eventually(async () => expect((await send()).status).toBe(404), soonMs);
  const { total } = (await asOwner.get(`/api/v1/forms/${form}/submissions`)).body as { total: number };
  expect(await send()).toMatchObject({ status: 404 });
  expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({ body: { total } });
});

it('accepts a submission once, however often it is sent under the same key', async () => {
  const form = await given.publishedForm();
  const send = (name: string) => anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name } }, { 'idempotency-key': 'the-key' });
  const replies = await Promise.all([send('Ada'), send('Ada'), send('Ada')]);

  expect(new Set(replies.map(({ body }) => (body as { id: string }).id)).size).toBe(1);
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await send('Bob')).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({ body: { total: 1 } });
});

it('tells a respondent what is wrong with which answer', async () => {
  const form = await given.publishedForm();
  expect(await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { stars: 9 } })).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'bad_request',
        details: [
          { key: 'name', message: 'is required' },
          { key: 'stars', message: 'must be at most 5' },
        ],
      },
    },
  });
});

it('tries a subscriber that fails again after 4 and after 16 seconds, under the same id, and not a fourth time', async () => {
  const failing = await startSubscriber();
  failing.answer(503);
  try {
    const form = await given.publishedForm();
    await given.subscription(form, failing.url);
    const id = await given.submission(form);

    const attempts = await failing.waitFor(3, about(id), 30_000);
    const [first = 0, second = 0, third = 0] = attempts.map(({ at }) => at);
    // Never too early; how late depends on the machine.
    expect(second - first).toBeGreaterThanOrEqual(3_990);
    expect(third - second).toBeGreaterThanOrEqual(15_990);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

    // The delivery is settled a moment after the third answer.
    await eventually(async () => {
      const { body } = await asOwner.get(`/app/v1/forms/${form}/deliveries?state=failed`);
      expect(body).toMatchObject({ total: 1, data: [{ state: 'failed', attempt_count: 3 }] });
    });
    expect(failing.received).toHaveLength(3);
  } finally {
    await failing.close();
  }
});
