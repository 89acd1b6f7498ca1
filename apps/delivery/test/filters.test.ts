import type { WebhookOptions } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import { explain } from '../src/log/explain';
import type { Listener } from '../src/planning/remembered-listeners';
import { plan } from '../src/planning/plan';
import { followSubscriptions } from '../src/subscriptions/follow-subscriptions';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.reset());

const created = 'submission.created';
const statusChanged = 'submission.status_changed';
const germans: WebhookOptions = { filter: { answers: [{ key: 'country', equals: 'DE' }] } };
const owner = () => callAs(service.member('owner'));

const submitted = ({ form_id }: Listener, data: object) => {
  const submission = { id: newId(), form_id, schema_version: 1, created_at: service.clock.now().toISOString() };
  return service.event(form_id, {
    subject: submission.id,
    body: JSON.stringify({ event: created, form_id, data, submission }),
  });
};
const approved = ({ form_id }: Listener, new_status: string, submissions = [newId()]) =>
  service.event(form_id, {
    type: statusChanged,
    subject: form_id,
    body: JSON.stringify({ event: statusChanged, form_id, submission_ids: submissions, new_status }),
  });
/** Changes the options in `hooks` and here. */
async function changed(listener: Listener, options: WebhookOptions | null): Promise<Listener> {
  const after = service.subscription({ ...listener, options, revision: listener.revision + 1 });
  const event = service.changed(after, 'inactive', after.revision);
  const told = {
    ...(JSON.parse(event.body) as object),
    options: options === null ? '' : JSON.stringify(options),
    state_with_options: 'active',
  };
  await followSubscriptions(service.deps, [{ ...event, body: JSON.stringify(options === null ? { ...told, state: 'active' } : told) }]);
  return after;
}
async function runAll(): Promise<void> {
  for (let looks = 0; looks < 3; looks++) while ((await service.run()) > 0);
}
const received = () =>
  service.subscriber.received.map(({ body }) => JSON.parse(body) as { data?: { country?: string }; new_status?: string });
const log = async ({ id }: Listener) =>
  (await service.db('delivery').where({ subscription_id: id }).orderBy('id').select<object[]>('state', 'reason', 'attempts')).map(
    (row) => ({
      ...row,
    }),
  );
const withheld = async ({ form_id, id }: Listener) =>
  (await service.client.getWebhookHealth(owner(), { form_id, id })).webhooks[0]?.withheld;

it('a webhook hears of the answers that its filter lets through, and of no others, which are counted and not logged', async () => {
  const listener = service.subscription({ options: germans });
  const all = service.subscription({ form_id: listener.form_id, url: `${service.subscriber.url}/all` });
  const [german, french] = [submitted(listener, { country: 'DE' }), submitted(listener, { country: 'FR' })];
  await plan(service.deps, [german, french, submitted(listener, {})]);
  await runAll();
  expect(await log(listener)).toEqual([{ state: 'succeeded', reason: null, attempts: 1 }]);
  expect(await log(all)).toHaveLength(3);
  expect(await withheld(listener)).toEqual({ count: 2, last_at: service.clock.now().toISOString() });
  expect(await withheld(all)).toBeUndefined();
  // The broker brings them again.
  await plan(service.deps, [german, french]);
  await runAll();
  expect(await log(listener)).toHaveLength(1);
  expect(await withheld(listener)).toMatchObject({ count: 2 });
});

it.each(['submission.restored', 'submission.corrected', 'submission.spam_changed'] as const)(
  'a filter on the status decides about %s by the status of the submission then',
  async (type) => {
    const listener = service.subscription({ event: type, options: { filter: { statuses: ['approved'] } } });
    const { form_id } = listener;
    const happened = (status: string) =>
      service.event(form_id, { type, body: JSON.stringify({ event: type, form_id, submission_id: newId(), status }) });
    await plan(service.deps, [happened('approved'), happened('new')]);
    await runAll();
    expect(service.subscriber.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([{ event: type, status: 'approved' }]);
    expect(await withheld(listener)).toMatchObject({ count: 1 });
  },
);

it('a filter on the status lets through the changes to it, also of several submissions at once', async () => {
  const listener = service.subscription({ event: statusChanged, options: { filter: { statuses: ['approved'] } } });
  await plan(service.deps, [approved(listener, 'rejected'), approved(listener, 'approved', [newId(), newId()])]);
  await runAll();
  expect(received()).toMatchObject([{ new_status: 'approved' }]);
  expect(await withheld(listener)).toMatchObject({ count: 1 });
});

it('says which part of the filter kept an event back, and stores no answers that nobody is sent', async () => {
  const listener = service.subscription({ options: germans });
  const event = { ...submitted(listener, { country: 'FR', name: 'Ada Lovelace' }), occurredAt: new Date() };
  await plan(service.deps, [event]);
  const announced = { formId: listener.form_id, at: event.occurredAt };
  for (const told of [{ id: event.id }, { id: event.subject, announced }]) {
    const { events, deliveries } = await explain(service.deps, told);
    expect(events).toMatchObject([{ id: event.id, withheld: [{ id: listener.id, part: 'answers.country' }] }]);
    expect(deliveries).toEqual([]);
  }
  expect(JSON.stringify(await service.db('event').where({ id: event.id }))).not.toContain('Ada');
});

it('the filter of a webhook that is switched off decides what is kept for it', async () => {
  const listener = service.subscription({ options: germans, active: false });
  await plan(service.deps, [submitted(listener, { country: 'DE' }), submitted(listener, { country: 'FR' })]);
  expect(await log(listener)).toEqual([{ state: 'skipped', reason: null, attempts: 0 }]);
});

describe('a change of the filter', () => {
  it('cancels what waits and no longer passes, before anything of it is sent', async () => {
    const listener = service.subscription({ options: germans });
    service.subscriber.answer(500);
    await plan(service.deps, [submitted(listener, { country: 'DE' })]);
    await service.run();
    await plan(service.deps, [submitted(listener, { country: 'DE' })]);
    service.subscriber.answer(200);
    const narrowed = await changed(listener, { filter: { answers: [{ key: 'country', equals: 'AT' }] } });
    await plan(service.deps, [submitted(narrowed, { country: 'AT' })]);
    service.clock.advance(4_000);
    await runAll();

    expect(received().map(({ data }) => data?.country)).toEqual(['DE', 'AT']);
    expect(await log(listener)).toEqual([
      { state: 'cancelled', reason: 'filtered', attempts: 1 },
      { state: 'cancelled', reason: 'filtered', attempts: 0 },
      { state: 'succeeded', reason: null, attempts: 1 },
    ]);
    expect(await service.db('queue')).toEqual([]);
    const [first, second] = await service.deliveries(listener);
    expect(await service.attempts(first?.id ?? '')).toEqual([{ number: 1, status: 500, error: 'status' }]);
    expect(await service.attempts(second?.id ?? '')).toEqual([]);
  });

  it('keeps what was planned by the listeners of before from a first attempt that begins at once', async () => {
    const listener = service.subscription({ options: germans });
    await plan(service.deps, [submitted(listener, { country: 'DE' })]);
    await runAll();
    await service.markQuick(listener);
    await service.db('turn').where({ subscription_id: listener.id }).update({ due_at: null });
    await changed(listener, { filter: { answers: [{ key: 'country', equals: 'AT' }] } });
    // As `hooks` answered just before the change.
    service.neighbours.hooks.listeners.set(listener.id, listener);
    const attempts = new Attempts(service.deps);
    await plan(service.deps, [submitted(listener, { country: 'DE' })], attempts);
    await attempts.idle();
    await runAll();
    expect(received()).toHaveLength(1);
    expect((await log(listener)).at(-1)).toEqual({ state: 'cancelled', reason: 'filtered', attempts: 0 });
  });

  it('that removes it lets all through from then on', async () => {
    const listener = service.subscription({ options: germans });
    await plan(service.deps, [submitted(listener, { country: 'FR' })]);
    await changed(listener, null);
    await plan(service.deps, [submitted(listener, { country: 'IT' })]);
    await runAll();
    expect(received().map(({ data }) => data?.country)).toEqual(['IT']);
  });
});

it('an event that an earlier version recorded without looking at the filter is sent again only if it passes', async () => {
  const listener = service.subscription({ active: false });
  await plan(service.deps, [submitted(listener, { country: 'DE' }), submitted(listener, { country: 'FR' })]);
  await changed({ ...listener, active: true }, germans);
  const { form_id } = listener;
  const [, french] = await service.deliveries(listener);
  await expect(service.client.redeliver(owner(), { form_id, id: french?.id ?? '' })).rejects.toEqual(
    refused('bad_request', 'The filter of the webhook keeps this event from it: filter.answers.country does not match.'),
  );
  const period = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
  await service.client.redeliverMany(owner(), { form_id, ...period, state: 'skipped' });
  await runAll();
  expect(received().map(({ data }) => data?.country)).toEqual(['DE']);
  expect(await log(listener)).toEqual([
    { state: 'succeeded', reason: null, attempts: 1 },
    { state: 'cancelled', reason: 'filtered', attempts: 0 },
  ]);
});

it('a process that dies between planning and sending leaves the decision to the next one', async () => {
  const listener = service.subscription({ options: germans });
  await plan(service.deps, [submitted(listener, { country: 'DE' }), submitted(listener, { country: 'FR' })]);
  await service.dyingAttempts(() => Promise.resolve()).runDue();
  service.clock.advance(60_000);
  await runAll();
  expect(received().map(({ data }) => data?.country)).toEqual(['DE']);
  expect(await log(listener)).toEqual([{ state: 'succeeded', reason: null, attempts: 2 }]);
});

it('a question that is removed has no answer: a condition that needs one lets nothing through', async () => {
  const listener = service.subscription({ options: germans });
  const others = service.subscription({
    form_id: listener.form_id,
    options: { filter: { answers: [{ key: 'country', not_equals: 'DE' }] } },
  });
  await plan(service.deps, [submitted(listener, { name: 'Ada' })]);
  await runAll();
  expect(await log(listener)).toEqual([]);
  expect(await log(others)).toHaveLength(1);
});

it('a filter on answers that were erased meanwhile sends nothing', async () => {
  const listener = service.subscription({ options: germans });
  await plan(service.deps, [submitted(listener, { country: 'DE' })]);
  await service.db('event').update({ body: '' });
  await runAll();
  expect(received()).toEqual([]);
  expect(await log(listener)).toEqual([{ state: 'cancelled', reason: 'filtered', attempts: 0 }]);
});

it('a part of a filter that only a later version knows switches the webhook off to this one', async () => {
  const listener = service.subscription({ options: { filter: { assignees: ['ada'] } } as unknown as WebhookOptions });
  await plan(service.deps, [submitted(listener, { country: 'DE' })]);
  await runAll();
  expect(received()).toEqual([]);
  expect(await log(listener)).toEqual([{ state: 'skipped', reason: null, attempts: 0 }]);
});
