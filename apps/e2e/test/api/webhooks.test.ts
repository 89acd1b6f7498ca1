import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { asOutsider } from '../../support/outsider';
import { acceptedInvitation, anyone, asMember, asOwner, asOwnerSignedIn, asServiceAccount, credentials } from '../../support/people';

const error = (status: number, code: string, message: unknown = expect.any(String)) => ({ status, body: { error: { code, message } } });

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

interface Webhook {
  id: string;
  url: string;
  event: string;
  active: boolean;
  source: string;
}
const webhook = async (form: string, target_url: string, event = 'submission.created') => {
  const { status, body } = await asOwner.post(`/app/v1/forms/${form}/webhooks`, { event, target_url });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body as Webhook;
};
const change = (form: string, { id }: Webhook, patch: object) => asOwner.patch(`/app/v1/forms/${form}/webhooks/${id}`, patch);
const to = (path: string, about: string) => (request: { path: string; body: string }) =>
  request.path === path && request.body.includes(about);
const statesOf = async (form: string, { id }: Webhook) =>
  ((await asOwner.get(`/app/v1/forms/${form}/deliveries?subscription_id=${id}`)).body as { data: { state: string }[] }).data.map(
    ({ state }) => state,
  );

describe('a webhook that is made in the application', () => {
  it('hears of the event like everybody who subscribed, and is listed beside them with its source', async () => {
    const form = await given.publishedForm();
    const subscribed = await given.subscription(form, `${subscriber.url}/platform`);
    const made = await webhook(form, `${subscriber.url}/heard`);

    const submission = await given.submission(form);
    const [received] = await subscriber.waitFor(1, to('/heard', submission));

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

  it('hears nothing while it is switched off', async () => {
    const form = await given.publishedForm();
    const made = await webhook(form, `${subscriber.url}/switched`);
    const witness = await webhook(form, `${subscriber.url}/witness`);

    expect(await change(form, made, { active: false })).toMatchObject({ status: 200, body: { ...made, active: false } });
    const unheard = await given.submission(form);
    await subscriber.waitFor(1, to('/witness', unheard));
    expect(await change(form, made, { active: true })).toMatchObject({ status: 200, body: made });
    const heard = await given.submission(form);
    await subscriber.waitFor(1, to('/switched', heard));

    expect(subscriber.received.filter(to('/switched', unheard))).toEqual([]);
    await eventually(async () => expect(await statesOf(form, made)).toEqual(['succeeded']));
    await eventually(async () => expect(await statesOf(form, witness)).toEqual(['succeeded', 'succeeded']));
  });

  it('gets at its new address also what is still to be sent to it', async () => {
    const form = await given.publishedForm();
    subscriber.answer(({ path }) => (path === '/before' ? 503 : 200));
    const made = await webhook(form, `${subscriber.url}/before`);
    const submission = await given.submission(form);
    const [first] = await subscriber.waitFor(1, to('/before', submission));

    expect(await change(form, made, { target_url: `${subscriber.url}/after` })).toMatchObject({
      status: 200,
      body: { ...made, url: `${subscriber.url}/after` },
    });

    const [second] = await subscriber.waitFor(1, to('/after', submission));
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await eventually(async () => expect(await statesOf(form, made)).toEqual(['succeeded']));
    subscriber.answer(200);
  });

  it('that is switched off gets no more of what was still to be sent', async () => {
    const form = await given.publishedForm();
    subscriber.answer(({ path }) => (path === '/failing' ? 503 : 200));
    const made = await webhook(form, `${subscriber.url}/failing`);
    await subscriber.waitFor(1, to('/failing', await given.submission(form)));

    await change(form, made, { active: false });

    await eventually(async () => expect(await statesOf(form, made)).toEqual(['cancelled']));
    subscriber.answer(200);
  });

  it('hears of another event from then on', async () => {
    const form = await given.publishedForm();
    const made = await webhook(form, `${subscriber.url}/other`);
    await change(form, made, { event: 'submission.deleted' });

    const submission = await given.submission(form);
    await asOwner.delete(`/api/v1/forms/${form}/submissions/${submission}`);

    const [received] = await subscriber.waitFor(1, to('/other', submission));
    expect(received?.headers['x-webhook-event']).toBe('submission.deleted');
    await eventually(async () => expect(await statesOf(form, made)).toEqual(['succeeded']));
  });

  it('is there once for an event and an address', async () => {
    const form = await given.publishedForm();
    const made = await webhook(form, `${subscriber.url}/once`);
    const again = { event: 'submission.created', target_url: made.url };
    const conflict = error(409, 'conflict', 'target_url: a webhook for this event and address already exists');
    expect(await asOwner.post(`/app/v1/forms/${form}/webhooks`, again)).toMatchObject(conflict);
    expect(await change(form, await webhook(form, made.url, 'submission.deleted'), { event: 'submission.created' })).toMatchObject(
      conflict,
    );
  });

  it('is removed in the application, and not through v1', async () => {
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
      'event: must be one of submission.created, submission.status_changed, submission.deleted, submission.updated',
    ],
    [{ event: 'submission.created', target_url: 'nonsense' }, 'target_url: must be a URL'],
    [
      { event: 'submission.created', target_url: `https://x.example/${'x'.repeat(2_048)}` },
      'target_url: must have between 1 and 2048 characters',
    ],
  ])('is refused as %j', async (body, message) => {
    expect(await asOwner.post(`/app/v1/forms/${await given.publishedForm()}/webhooks`, body)).toMatchObject(
      error(400, 'bad_request', message),
    );
  });

  it.each([
    [{ active: null }, 'active: must be true or false'],
    [{ target_url: null }, 'target_url: must be a string'],
    [{ active: 'no' }, 'active: must be true or false'],
  ])('is not changed by %j', async (patch, message) => {
    const form = await given.publishedForm();
    expect(await change(form, await webhook(form, `${subscriber.url}/unchanged`), patch)).toMatchObject(error(400, 'bad_request', message));
  });
});

describe('what a platform subscribed', () => {
  it('is switched off, on and removed in the application, and changed in nothing else', async () => {
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

it('a form has as many webhooks and subscriptions as it may, and no more', async () => {
  const form = await given.publishedForm();
  const event = 'submission.updated';
  const one = (n: number) => ({ event, target_url: `${subscriber.url}/many/${n}` });
  for (let n = 0; n < 100; n += 1) await asOwner.post(`/app/v1/forms/${form}/webhooks`, one(n));

  const tooMany = error(400, 'bad_request', 'The form already has 100 webhooks and subscriptions, the maximum.');
  expect(await asOwner.post(`/app/v1/forms/${form}/webhooks`, one(100))).toMatchObject(tooMany);
  expect(await asOwner.post('/api/v1/hooks/subscribe', { ...one(101), form_id: form, source: 'make' })).toMatchObject(tooMany);
  expect(await asOwner.get(`/app/v1/forms/${form}/webhooks`)).toMatchObject({ body: { total: 100 } });
});

describe('with the access of whoever made it', () => {
  const stateOf = async (form: string, id: string) =>
    ((await asOwner.get(`/app/v1/forms/${form}/webhooks`)).body as { data: Webhook[] }).data.find((one) => one.id === id)?.active;
  const members = `/app/v1/workspaces/${credentials.workspace_id}/members`;

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['they are removed from the workspace', (userId) => asOwner.delete(`${members}/${userId}`)],
    ['they become a viewer', (userId) => asOwner.patch(`${members}/${userId}`, { role: 'viewer' })],
  ])('a webhook ends within a second when %s, with the deliveries that are pending', async (_, end) => {
    const form = await given.publishedForm();
    const { userId, person } = await acceptedInvitation('editor');
    subscriber.answer(({ path }) => (path === '/leaving' ? 503 : 200));
    const made = (
      await person.post(`/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url: `${subscriber.url}/leaving` })
    ).body as Webhook;
    const submission = await given.submission(form);
    await subscriber.waitFor(1, to('/leaving', submission));

    await end(userId);

    await eventually(async () => expect(await stateOf(form, made.id)).toBe(false));
    await eventually(async () => expect(await statesOf(form, made)).toEqual(['cancelled']));
    const later = await given.submission(form);
    await eventually(async () => {
      const { body } = await asOwner.get(`/app/v1/audit-log?target_id=${made.id}`);
      expect(body).toMatchObject({
        data: [
          { action: 'hook.deactivated', actor: { kind: 'service', id: 'hooks' }, details: { reason: 'access_ended' } },
          { action: 'webhook.created' },
        ],
      });
    });
    expect(subscriber.received.filter(to('/leaving', later))).toEqual([]);
    subscriber.answer(200);
  });

  it('a subscription ends when their grant is revoked', async () => {
    const form = await given.publishedForm();
    const guest = await asOutsider();
    const { id } = (await guest.get('/api/v1/auth/me')).body as { id: string };
    await asOwner.put(`/app/v1/forms/${form}/grants/${id}`, { role: 'viewer' });
    const subscribed = await eventually(async () => {
      const reply = await guest.post('/api/v1/hooks/subscribe', {
        form_id: form,
        target_url: `${subscriber.url}/granted`,
        event: 'submission.created',
        source: 'zapier',
      });
      expect(reply).toMatchObject({ status: 201 });
      return reply.body as Webhook;
    });
    await asOwner.delete(`/app/v1/forms/${form}/grants/${id}`);
    await eventually(async () => expect(await stateOf(form, subscribed.id)).toBe(false));
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['loses the scope', (id) => asOwner.patch(`/app/v1/service-accounts/${id}`, { scopes: ['forms:read'] })],
    ['is deleted', async (id) => (await asOwnerSignedIn()).delete(`/app/v1/service-accounts/${id}`)],
  ])('the subscription of a service account ends when it %s', async (_, end) => {
    const form = await given.publishedForm();
    const robot = await asServiceAccount('hooks:manage');
    const { id } = (
      await robot.post('/api/v1/hooks/subscribe', {
        form_id: form,
        target_url: `${subscriber.url}/robot`,
        event: 'submission.created',
        source: 'zapier',
      })
    ).body as Webhook;
    await end(robot.id);
    await eventually(async () => expect(await stateOf(form, id)).toBe(false));
  });
});

it('a webhook to this system itself is refused, under each of its names, and one to another port is not', async () => {
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
  it('says that it is one, and is refused where respondents submit', async () => {
    const form = await given.publishedForm();
    await webhook(form, `${subscriber.url}/hop`);
    const submission = await given.submission(form);
    const [received] = await subscriber.waitFor(1, to('/hop', submission));
    expect(received?.headers).toMatchObject({ 'sheaf-hop': '1' });

    const submit = (headers: Record<string, string>) =>
      anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, headers);
    expect(await submit({ 'Sheaf-Hop': '1' })).toMatchObject(error(403, 'forbidden', expect.stringMatching(/^Sheaf-Hop: /)));
    expect(await anyone.post('/public/v1/payments/stripe', {}, { 'Sheaf-Hop': '1' })).toMatchObject(error(403, 'forbidden'));
    expect(await submit({})).toMatchObject({ status: 201 });
  });
});
