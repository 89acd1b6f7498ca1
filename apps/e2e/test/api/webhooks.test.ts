import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { anyone, asMember, asOwner, asServiceAccount, credentials } from '../../support/people';
import { attemptAt, change, statesOf, webhook } from '../../support/webhooks';

const error = (status: number, code: string, message: unknown = expect.any(String)) => ({ status, body: { error: { code, message } } });

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

describe('a webhook created in the application', () => {
  it('receives the event like a platform’s subscription, and is listed beside it with its source', async () => {
    const form = await given.publishedForm();
    const subscribed = await given.subscription(form, `${subscriber.url}/platform`);
    const made = await webhook(form, `${subscriber.url}/heard`);

    const submission = await given.submission(form);
    const [received] = await subscriber.waitFor(1, attemptAt('/heard', submission));

    expect(received?.headers).toMatchObject({ 'x-webhook-id': made.id, 'x-webhook-event': 'submission.created' });
    const listed = {
      status: 200,
      body: {
        data: [
          { ...made, source: 'application', active: true },
          { id: subscribed, source: 'zapier', active: true },
        ],
        total: 2,
        limit: 2,
        offset: 0,
      },
    };
    expect(await (await asMember('editor')).get(`/app/v1/forms/${form}/webhooks`)).toMatchObject(listed);
    expect(await (await asMember('viewer')).get(`/app/v1/forms/${form}/webhooks`)).toMatchObject({
      status: 200,
      body: {
        data: [
          { id: made.id, url: subscriber.url },
          { id: subscribed, url: subscriber.url },
        ],
      },
    });
  });

  it('receives nothing while it is deactivated, and what it missed can be sent once it is active again', async () => {
    const form = await given.publishedForm();
    const made = await webhook(form, `${subscriber.url}/switched`);
    const witness = await webhook(form, `${subscriber.url}/witness`);

    expect(await change(form, made, { active: false })).toMatchObject({
      status: 200,
      body: { ...made, active: false, deactivated: { reason: 'switched_off' } },
    });
    const unheard = await given.submission(form);
    await subscriber.waitFor(1, attemptAt('/witness', unheard));
    expect(await change(form, made, { active: true })).toMatchObject({ status: 200, body: { ...made, skipped: { count: 1 } } });
    const heard = await given.submission(form);
    await subscriber.waitFor(1, attemptAt('/switched', heard));

    expect(subscriber.received.filter(attemptAt('/switched', unheard))).toEqual([]);
    await eventually(async () => expect(await statesOf(form, made)).toEqual(['succeeded', 'skipped']));
    await eventually(async () => expect(await statesOf(form, witness)).toEqual(['succeeded', 'succeeded']));

    const [from, to] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const skipped = { from, to, state: 'skipped', subscription_id: made.id };
    expect(await asOwner.post(`/app/v1/forms/${form}/deliveries/redeliver`, skipped)).toMatchObject({ body: { redelivered: 1 } });
    await subscriber.waitFor(1, attemptAt('/switched', unheard));
  });

  it('receives its pending deliveries at its new address', async () => {
    const form = await given.publishedForm();
    subscriber.answer(({ path }) => (path === '/before' ? 503 : 200));
    const made = await webhook(form, `${subscriber.url}/before`);
    const submission = await given.submission(form);
    const [first] = await subscriber.waitFor(1, attemptAt('/before', submission));

    expect(await change(form, made, { target_url: `${subscriber.url}/after` })).toMatchObject({
      status: 200,
      body: { ...made, url: `${subscriber.url}/after` },
    });

    const [second] = await subscriber.waitFor(1, attemptAt('/after', submission));
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await eventually(async () => expect(await statesOf(form, made)).toEqual(['succeeded']));
    subscriber.answer(200);
  });

  it('loses its pending deliveries when it is deactivated', async () => {
    const form = await given.publishedForm();
    subscriber.answer(({ path }) => (path === '/failing' ? 503 : 200));
    const made = await webhook(form, `${subscriber.url}/failing`);
    await subscriber.waitFor(1, attemptAt('/failing', await given.submission(form)));

    await change(form, made, { active: false });

    await eventually(async () => expect(await statesOf(form, made)).toEqual(['cancelled']));
    subscriber.answer(200);
  });

  it('receives another event after the change', async () => {
    const form = await given.publishedForm();
    const made = await webhook(form, `${subscriber.url}/other`);
    await change(form, made, { event: 'submission.deleted' });

    const submission = await given.submission(form);
    await asOwner.delete(`/api/v1/forms/${form}/submissions/${submission}`);

    const [received] = await subscriber.waitFor(1, attemptAt('/other', submission));
    expect(received?.headers['x-webhook-event']).toBe('submission.deleted');
    await eventually(async () => expect(await statesOf(form, made)).toEqual(['succeeded']));
  });

  it('hears of corrections, restorations and verdicts about spam in their order with the events of the contract', async () => {
    const form = await given.publishedForm();
    const more = ['submission.restored', 'submission.corrected', 'submission.spam_changed'];
    const made = { event: 'submission.created', target_url: `${subscriber.url}/more` };
    const { event, ...target } = made;
    expect(
      await asOwner.post(`/app/v1/forms/${form}/webhooks`, { ...target, events: [event, 'submission.deleted', ...more] }),
    ).toMatchObject({
      status: 201,
    });
    const submission = await given.submission(form);
    const place = `/app/v1/forms/${form}/submissions/${submission}`;
    const { body } = (await asOwner.get(place)) as { body: { data: Record<string, unknown>; revision: number } };
    const key = Object.keys(body.data)[0] ?? '';
    await asOwner.patch(place, { data: { ...body.data, [key]: 'Grace' }, revision: body.revision });
    await asOwner.delete(`/api/v1/forms/${form}/submissions/${submission}`);
    await asOwner.post(`${place}/restore`);
    await asOwner.put(`${place}/spam`, { spam: true });

    const received = (await subscriber.waitFor(5, ({ path }) => path === '/more')).map(
      (post) => JSON.parse(post.body) as { event: string; occurred_at: string },
    );
    const inOrder = received.toSorted((a, b) => a.occurred_at.localeCompare(b.occurred_at));
    expect(inOrder).toMatchObject([
      { event: 'submission.created' },
      { event: 'submission.corrected', submission_id: submission, changed: [key], revision: 1 },
      { event: 'submission.deleted' },
      { event: 'submission.restored', submission_id: submission, status: 'new' },
      { event: 'submission.spam_changed', submission_id: submission, spam: true },
    ]);
    expect(JSON.stringify(inOrder[1])).not.toContain('Grace');
    expect(
      await asOwner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: target.target_url, event: more[0], source: 'zapier' }),
    ).toMatchObject(error(400, 'bad_request'));
  });

  it('exists once for an event and an address', async () => {
    const form = await given.publishedForm();
    const made = await webhook(form, `${subscriber.url}/once`);
    const again = { event: 'submission.created', target_url: made.url };
    const conflict = error(409, 'conflict', 'target_url: a webhook for this event and address already exists');
    expect(await asOwner.post(`/app/v1/forms/${form}/webhooks`, again)).toMatchObject(conflict);
    expect(await change(form, await webhook(form, made.url, 'submission.deleted'), { event: 'submission.created' })).toMatchObject(
      conflict,
    );
  });

  it('is deleted in the application, not through v1', async () => {
    const form = await given.publishedForm();
    const { id } = await webhook(form, `${subscriber.url}/removed`);
    expect(await asOwner.delete(`/api/v1/hooks/${id}`)).toMatchObject(error(400, 'bad_request'));
    expect(await asOwner.delete(`/app/v1/forms/${form}/webhooks/${id}`)).toMatchObject({ status: 204 });
    expect(await asOwner.get(`/app/v1/forms/${form}/webhooks`)).toMatchObject({ body: { data: [], total: 0 } });
    expect(await asOwner.delete(`/app/v1/forms/${form}/webhooks/${id}`)).toMatchObject(error(404, 'not_found'));
  });

  it.each([
    [{ event: 'submission.created' }, 'target_url: is required'],
    [
      { event: 'submission.lost', target_url: 'https://x.example' },
      'event: must be one of submission.created, submission.status_changed, submission.deleted, submission.updated, submission.restored, submission.corrected, submission.spam_changed',
    ],
    [{ event: 'submission.created', target_url: 'nonsense' }, 'target_url: must be a URL'],
    [
      { event: 'submission.created', target_url: `https://x.example/${'x'.repeat(2_048)}` },
      'target_url: must have between 1 and 2048 characters',
    ],
  ])('cannot be %j', async (body, message) => {
    expect(await asOwner.post(`/app/v1/forms/${await given.publishedForm()}/webhooks`, body)).toMatchObject(
      error(400, 'bad_request', message),
    );
  });

  it.each([
    [{ active: null }, 'active: must be true or false'],
    [{ target_url: null }, 'target_url: must be a string'],
    [{ active: 'no' }, 'active: must be true or false'],
  ])('cannot be changed with %j', async (patch, message) => {
    const form = await given.publishedForm();
    expect(await change(form, await webhook(form, `${subscriber.url}/unchanged`), patch)).toMatchObject(error(400, 'bad_request', message));
  });
});

describe('a subscription of a platform', () => {
  it('can only be deactivated, reactivated and deleted in the application', async () => {
    const form = await given.publishedForm();
    const id = await given.subscription(form, `${subscriber.url}/bound`);
    const path = `/app/v1/forms/${form}/webhooks/${id}`;
    const robot = await asServiceAccount('hooks:manage');

    expect(await robot.patch(path, { active: false })).toMatchObject({ status: 200, body: { id, active: false, source: 'zapier' } });
    expect(await robot.patch(path, { event: 'submission.deleted' })).toMatchObject(
      error(400, 'bad_request', expect.stringMatching(/^event: /)),
    );
    expect(await robot.patch(path, { target_url: subscriber.url })).toMatchObject(
      error(400, 'bad_request', expect.stringMatching(/^target_url: /)),
    );
    expect(await robot.patch(path, { active: true })).toMatchObject({ status: 200, body: { id, active: true } });
    expect(await robot.delete(path)).toMatchObject({ status: 204 });
    expect(await asOwner.delete(`/api/v1/hooks/${id}`)).toMatchObject(error(404, 'not_found'));
  });
});

it('a webhook to any address of this system is rejected, and one to another port is accepted', async () => {
  const form = await given.publishedForm();
  const { port } = new URL(credentials.base_url);
  const make = (target_url: string) => asOwner.post(`/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url });
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    expect(await make(`http://${host}:${port}/public/v1/forms/${form}/submissions`)).toMatchObject(
      error(400, 'bad_request', 'target_url: must not be an address of this deployment'),
    );
  }
  expect(await make(`${subscriber.url}/other-port`)).toMatchObject({ status: 201 });
});

describe('a delivery', () => {
  it('has the header Sheaf-Hop, and the public API rejects requests with it', async () => {
    const form = await given.publishedForm();
    await webhook(form, `${subscriber.url}/hop`);
    const submission = await given.submission(form);
    const [received] = await subscriber.waitFor(1, attemptAt('/hop', submission));
    expect(received?.headers).toMatchObject({ 'sheaf-hop': '1' });

    const submit = (headers: Record<string, string>) =>
      anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, headers);
    expect(await submit({ 'Sheaf-Hop': '1' })).toMatchObject(error(403, 'forbidden', expect.stringMatching(/^Sheaf-Hop: /)));
    expect(await anyone.post('/public/v1/payments/stripe', {}, { 'Sheaf-Hop': '1' })).toMatchObject(error(403, 'forbidden'));
    expect(await submit({})).toMatchObject({ status: 201 });
  });
});
