import { newId } from '@sheaf/kernel';
import { callAs, eventually } from '@sheaf/testing';
import type { Listener } from '../src/planning/remembered-listeners';
import { plan } from '../src/planning/plan';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.reset();
  service.neighbours.forms.isDown = false;
});

const origin = 'https://forms.example.org';
const field = (key: string, type: string, more: object = {}) => ({ key, label: `The ${key}`, type, required: false, ...more });
const options = [
  { value: 'r', label: 'Red' },
  { value: 'g', label: 'Green' },
];
const fields = [
  { type: 'page', key: 'first', label: 'First page' },
  field('name', 'short_text'),
  field('color', 'select', { options }),
  field('colors', 'multi_select', { options }),
  field('home', 'country'),
  field('agrees', 'boolean'),
  field('constructor', 'number'),
  field('looks', 'matrix', {
    rows: [
      { value: '10', label: 'Front' },
      { value: '2', label: 'Back' },
    ],
    columns: options,
    multiple: true,
  }),
  field('cv', 'file'),
  field('signed', 'signature'),
  field('unanswered', 'short_text'),
];

/** A subscription whose payload is named, and an event of its form under version 3. */
function aNamed(data: object, changes: Partial<Listener> = {}) {
  const subscription = service.subscription({ payload: 'named', link_origin: origin, ...changes });
  const { form_id } = subscription;
  service.neighbours.forms.fields.set(`${form_id} 3`, fields);
  const submission = { id: newId(), form_id, schema_version: 3, created_at: service.clock.now().toISOString() };
  const body = { event: 'submission.created', form_id, data, submission };
  return { subscription, body, event: service.event(form_id, { body: JSON.stringify(body) }) };
}
const bodies = () => service.subscriber.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

it('sends the labels of fields and options, and the text that people read, beside the body of the contract', async () => {
  const data = {
    colors: ['g', 'r'],
    name: 'Ada',
    color: 'r',
    home: 'DE',
    agrees: false,
    constructor: 7,
    looks: { '2': ['g', 'r'], '10': ['r'] },
  };
  const { body, event } = aNamed(data);
  await plan(service.deps, [event]);
  await service.run();
  const answers = {
    name: { label: 'The name', type: 'short_text', value: 'Ada', text: 'Ada' },
    color: { label: 'The color', type: 'select', value: 'r', text: 'Red' },
    colors: { label: 'The colors', type: 'multi_select', value: ['g', 'r'], text: 'Green, Red' },
    home: { label: 'The home', type: 'country', value: 'DE', text: 'Germany' },
    agrees: { label: 'The agrees', type: 'boolean', value: false, text: 'No' },
    constructor: { label: 'The constructor', type: 'number', value: 7, text: '7' },
    looks: { label: 'The looks', type: 'matrix', value: data.looks, text: 'Front: Red; Back: Green, Red' },
  };
  expect(bodies()).toEqual([{ ...body, answers }]);
  expect(Object.keys(bodies()[0]?.answers as object)).toEqual(['name', 'color', 'colors', 'home', 'agrees', 'constructor', 'looks']);
});

it('describes files, with links that expire a day after the event', async () => {
  const id = newId();
  service.neighbours.files.set(id, { name: 'cv.pdf', content_type: 'application/pdf', size: 1_234 });
  const { event } = aNamed({ cv: id });
  await plan(service.deps, [event]);
  await service.run();
  const until = new Date(service.clock.now().getTime() + 86_400_000).toISOString();
  const url = `${origin}/public/v1/files/${id}-until-${until}`;
  const files = [{ id, name: 'cv.pdf', type: 'application/pdf', size: 1_234, url, url_expires_at: until }];
  expect(bodies()).toMatchObject([{ answers: { cv: { value: id, text: 'cv.pdf', files } } }]);
});

it.each([
  ['with the file of its picture', (id: string) => ({ kind: 'drawn', file_id: id }), 'signature.png', 1],
  ['by the name that was typed', () => ({ kind: 'typed', name: 'Ada' }), 'Ada', 0],
])('describes a signature %s', async (_, answerWith, text, count) => {
  const id = newId();
  service.neighbours.files.set(id, { name: 'signature.png', content_type: 'image/png', size: 1_234 });
  const value = answerWith(id);
  const { event } = aNamed({ signed: value });
  await plan(service.deps, [event]);
  await service.run();
  const files = Array.from({ length: count }, () => expect.objectContaining({ id, type: 'image/png' }) as object);
  expect(bodies()).toMatchObject([{ answers: { signed: { type: 'signature', value, text, files } } }]);
});

it('sends the same bytes at each attempt and after a redelivery, and the log shows them', async () => {
  const { subscription, event } = aNamed({ name: 'Ada', cv: newId() });
  service.subscriber.answer(500);
  await plan(service.deps, [event]);
  await service.run();
  service.clock.advance(4_000);
  await service.run();
  service.clock.advance(16_000);
  await service.run();
  const [delivery] = await service.deliveries(subscription);
  service.clock.advance(86_400_000);
  service.subscriber.answer(200);
  await service.client.redeliver(callAs(service.member('owner')), { form_id: subscription.form_id, id: delivery?.id ?? '' });
  await service.run();

  const sent = service.subscriber.received.map(({ body }) => body);
  expect(sent).toHaveLength(4);
  expect(new Set(sent).size).toBe(1);
  const shown = await service.client.getDelivery(callAs(service.member('owner')), {
    form_id: subscription.form_id,
    id: delivery?.id ?? '',
  });
  expect(shown.body?.toString()).toBe(sent[0]);
});

it('signs the bytes that it sends', async () => {
  const { event } = aNamed({ name: 'Ada' });
  await plan(service.deps, [event]);
  await service.run();
  const [post] = service.subscriber.received;
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': signature,
  } = (post?.headers ?? {}) as Record<string, string>;
  expect(signature).toBe(await service.deps.webhookKeys.sign(service.instanceId, { id, timestamp, body: post?.body ?? '' }));
});

it('does not count attempts for which the fields cannot be read, and delays no subscriber with the payload of the contract', async () => {
  service.neighbours.forms.isDown = true;
  const { subscription, event } = aNamed({ name: 'Ada' });
  const plain = service.subscription({ form_id: subscription.form_id });
  await plan(service.deps, [event]);
  await service.run();
  expect(await service.deliveries(plain)).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
  expect(await service.deliveries(subscription)).toMatchObject([{ state: 'pending', attempts: 0 }]);

  service.neighbours.forms.isDown = false;
  service.clock.advance(1_000);
  await service.run();
  expect(await service.deliveries(subscription)).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
});

it('reads the fields of a version once', async () => {
  const { subscription, event } = aNamed({ name: 'Ada' });
  const before = service.neighbours.forms.asked();
  await plan(service.deps, [event, { ...event, id: newId(), subject: newId() }]);
  await service.run();
  await service.run();
  await eventually(async () =>
    expect(await service.deliveries(subscription)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]),
  );
  expect(service.neighbours.forms.asked() - before).toBeLessThanOrEqual(2);
});

it('never names answers by another version with the same number: without their own they stand under their keys', async () => {
  const { subscription, body, event } = aNamed({ name: 'Ada', color: 'r' });
  const [own, other] = [newId(), newId()];
  service.neighbours.madeAgainst.set(body.submission.id, own);
  const name = `${subscription.form_id} 3`;
  service.neighbours.forms.versionIds.set(name, own);
  await plan(service.deps, [event]);
  await service.run();
  expect(bodies()).toMatchObject([{ answers: { color: { label: 'The color', text: 'Red' } } }]);

  // The forms were restored, and version 3 was published anew.
  service.neighbours.forms.versionIds.set(name, other);
  const next = { ...body, submission: { ...body.submission, id: newId() } };
  service.neighbours.madeAgainst.set(next.submission.id, newId());
  await plan(service.deps, [service.event(subscription.form_id, { body: JSON.stringify(next) })]);
  await service.run();
  expect(bodies()[1]).toMatchObject({
    answers: { name: { label: 'name', type: 'unknown', value: 'Ada', text: 'Ada' }, color: { label: 'color', value: 'r', text: 'r' } },
  });
});

it('leaves events without answers as they are', async () => {
  const subscription = service.subscription({ payload: 'named', link_origin: origin, event: 'submission.deleted' });
  const body = JSON.stringify({ event: 'submission.deleted', form_id: subscription.form_id, submission_id: newId() });
  await plan(service.deps, [service.event(subscription.form_id, { type: 'submission.deleted', body })]);
  await service.run();
  expect(service.subscriber.received.map((post) => post.body)).toEqual([body]);
});

describe('a subscription to more than a form', () => {
  it('receives the events of every form, each in the log of its own form', async () => {
    const wide = service.subscription({ wide: true });
    const forms = [newId(), newId()];
    await plan(
      service.deps,
      forms.map((form) => service.event(form)),
    );
    await service.run();
    await service.run();
    for (const form_id of forms) {
      const { deliveries } = await service.client.listDeliveries(callAs(service.member('owner')), { form_id, limit: 10, offset: 0 });
      expect(deliveries).toMatchObject([{ subscription_id: wide.id, form_id, state: 'succeeded', url: new URL(wide.url).origin }]);
    }
  });

  it('is sent deliveries of a form again by the editors of that form', async () => {
    const wide = service.subscription({ wide: true });
    const [form_id, other] = [newId(), newId()];
    await plan(service.deps, [service.event(form_id), service.event(other)]);
    await service.run();
    await service.run();
    // The ids of deliveries have the real time.
    const [from, to] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];
    const again = await service.client.redeliverMany(callAs(service.member('editor')), { form_id, from, to });
    expect(again).toEqual({ redelivered: 1 });
    await service.run();
    const { deliveries } = await service.client.listDeliveries(callAs(service.member('owner')), { form_id, limit: 10, offset: 0 });
    expect(deliveries).toMatchObject([{ subscription_id: wide.id, attempt_count: 2, state: 'succeeded' }]);
  });
});
