import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { asMember, asOwner, asServiceAccount } from '../../support/people';

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

interface Delivery {
  id: string;
  state: string;
  attempt_count: number;
}

const deliveriesOf = async (form: string) => ((await asOwner.get(`/app/v1/forms/${form}/deliveries`)).body as { data: Delivery[] }).data;

/** Creates a form with a delivery that has succeeded. */
async function delivered(path: string) {
  const form = await given.publishedForm();
  const subscription = await given.subscription(form, `${subscriber.url}${path}`);
  await given.submission(form);
  const id = await eventually(async () => {
    const [first] = await deliveriesOf(form);
    expect(first).toMatchObject({ state: 'succeeded' });
    return first?.id ?? '';
  });
  return { form, subscription, id };
}

const received = (id: string) => subscriber.received.filter(({ headers }) => headers['webhook-id'] === id);

describe('a finished delivery', () => {
  it('is sent again with the same bytes under the same id', async () => {
    const { form, id } = await delivered('/again');
    const answer = await asOwner.post(`/app/v1/forms/${form}/deliveries/${id}/redeliver`);
    expect(answer).toMatchObject({
      status: 202,
      body: { id, attempts: expect.arrayContaining([expect.objectContaining({ number: 1, status: 200 })]) as unknown },
    });

    await eventually(() => expect(received(id)).toHaveLength(2));
    expect(new Set(received(id).map(({ body }) => body)).size).toBe(1);
    await eventually(async () => expect(await deliveriesOf(form)).toMatchObject([{ state: 'succeeded', attempt_count: 2 }]));
  });

  it('is counted first with dry_run, which sends nothing', async () => {
    const { form, id } = await delivered('/counted');
    const path = `/app/v1/forms/${form}/deliveries/redeliver`;
    const body = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
    const counted = (matching: number) => ({ status: 202, body: { redelivered: 0, matching } });
    expect(await asOwner.post(path, { ...body, dry_run: true })).toMatchObject(counted(1));
    expect(await asOwner.post(path, { ...body, state: 'failed', dry_run: true })).toMatchObject(counted(0));
    expect(await asOwner.post(path, { ...body, dry_run: 'yes' })).toMatchObject({ status: 400 });
    expect(await deliveriesOf(form)).toMatchObject([{ id, state: 'succeeded', attempt_count: 1 }]);
    expect(await (await asMember('viewer')).post(path, { ...body, dry_run: true })).toMatchObject({ status: 403 });
    expect((await asOwner.post(path, { ...body, dry_run: false })).body).toEqual({ redelivered: 1 });
  });

  it('can be sent again by editors and by service accounts with hooks:manage, but not by viewers', async () => {
    const { form } = await delivered('/by-others');
    const path = `/app/v1/forms/${form}/deliveries/redeliver`;
    const body = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00+01:00' };
    expect(await (await asMember('editor')).post(path, body)).toMatchObject({ status: 202, body: { redelivered: 0 } });
    expect(await (await asServiceAccount('hooks:manage')).post(path, body)).toMatchObject({ status: 202 });
    expect(await (await asServiceAccount('forms:write')).post(path, body)).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_scope' } },
    });
    expect(await (await asMember('viewer')).post(path, body)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  });
});

describe('a period', () => {
  it('has all of its deliveries sent again', async () => {
    const { form, id } = await delivered('/time');
    const now = Date.now();
    const body = { from: new Date(now - 3_600_000).toISOString(), to: new Date(now + 3_600_000).toISOString(), state: 'succeeded' };
    expect(await asOwner.post(`/app/v1/forms/${form}/deliveries/redeliver`, body)).toMatchObject({ status: 202, body: { redelivered: 1 } });
    await eventually(() => expect(received(id)).toHaveLength(2));
  });

  it.each([
    [{}, 'from: is required'],
    [
      { from: '2026-01-01', to: '2026-01-02T00:00:00Z' },
      'from: must be an RFC 3339 date-time with an offset, such as 2026-05-31T14:30:00Z',
    ],
    [{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to: must be after from'],
    [{ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:01Z' }, 'to: must be at most 31 days after from'],
    [
      { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', state: 'pending' },
      'state: must be one of succeeded, failed, cancelled, skipped',
    ],
  ])('cannot be %j, and the error names the fault', async (body, message) => {
    const form = await given.publishedForm();
    expect(await asOwner.post(`/app/v1/forms/${form}/deliveries/redeliver`, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', message } },
    });
  });
});

describe('a subscriber that answered 410', () => {
  it('receives deliveries again after it has subscribed again', async () => {
    const form = await given.publishedForm();
    const url = `${subscriber.url}/gone`;
    const subscription = await given.subscription(form, url);
    subscriber.answer(410);
    await given.submission(form);
    await eventually(async () => expect(await deliveriesOf(form)).toMatchObject([{ state: 'failed', attempt_count: 1 }]));
    const [failed] = await deliveriesOf(form);
    expect(await asOwner.post(`/app/v1/forms/${form}/deliveries/${failed?.id ?? ''}/redeliver`)).toMatchObject({
      status: 400,
      body: { error: { message: 'The subscription of this delivery is not active.' } },
    });

    subscriber.answer(200);
    // Until hooks has processed the 410, subscribing again returns the active subscription.
    await eventually(async () => {
      expect(await given.subscription(form, url)).toBe(subscription);
      await given.submission(form);
      expect((await deliveriesOf(form)).filter(({ state }) => state === 'succeeded')).not.toEqual([]);
    });
    expect(await asOwner.post(`/app/v1/forms/${form}/deliveries/${failed?.id ?? ''}/redeliver`)).toMatchObject({ status: 202 });
  });
});
