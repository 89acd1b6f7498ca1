import type { Excerpt } from '@sheaf/egress';
import type { DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { callAs, eventually, refused } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import { eraseNoted } from '../src/erasing/erase-noted';
import { noteErasures } from '../src/erasing/note-erasures';
import { attemptsOf } from '../src/log/deliveries.queries';
import { maintainLog } from '../src/log/maintain-log';
import { plan } from '../src/planning/plan';
import type { Listener } from '../src/planning/remembered-listeners';
import { serviceSettings, startService, type Service } from './support/service';

const secondLookMs = serviceSettings.ERASING_SECOND_LOOK_MS;
let service: Service;
/** The moments from which the stream was looked through, and the events for which it was asked whether they are erased. */
let looks: Date[];
let inStream: DomainEvent[];

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  [looks, inStream] = [[], []];
  await service.reset();
  await service.db('erased').delete();
  // Ids have the time of the machine.
  service.clock.advance(Date.now() - service.clock.now().getTime());
});
afterAll(() => service.stop());

const deps = (overrides: object = {}) => ({
  ...service.deps,
  eraseFromStream: (since: Date, isErased: (event: DomainEvent) => boolean) => {
    looks.push(since);
    const before = inStream.length;
    inStream = inStream.filter((event) => !isErased(event));
    return Promise.resolve(before - inStream.length);
  },
  ...overrides,
});
const answers = '{"name":"Zoë"}';
/** The event of a submission, with the body that `submissions` sends. */
const created = (formId: string, submissionId = newId(), text = answers) =>
  service.event(formId, {
    subject: submissionId,
    // The id has the time of the machine, as in the service that makes it.
    occurredAt: new Date(),
    body: `{"event":"submission.created","form_id":"${formId}","data":${text},"submission":{"id":"${submissionId}","form_id":"${formId}"}}`,
  });
const erased = (of: DomainEvent, erasureId = newId()) =>
  service.event(of.formId ?? '', {
    type: 'submission.erased',
    subject: of.subject,
    body: JSON.stringify({
      erasure_id: erasureId,
      form_id: of.formId,
      submission_id: of.subject,
      announced_at: of.occurredAt.toISOString(),
    }),
  });
const formErased = (formId: string, erasureId = newId()) =>
  service.event(formId, {
    type: 'form.erased',
    subject: formId,
    body: JSON.stringify({ erasure_id: erasureId, form_id: formId, workspace_id: newId() }),
  });
const erase = async (...events: DomainEvent[]) => {
  await noteErasures(service.deps, events);
  await eraseNoted(deps());
};
const bodies = async (formId: string): Promise<string[]> =>
  (await service.db<{ form_id: string; body: string }>('event').where({ form_id: formId }).orderBy('id').select('body')).map(
    ({ body }) => body,
  );
const confirmations = async (erasureId: string): Promise<object[]> =>
  (
    await service.db<{ subject: string; type: string; body: string }>('outbox').where({ subject: erasureId, type: 'erasure.confirmed' })
  ).map(({ body }) => JSON.parse(body) as object);

const waitingForLocks = (): Promise<object[]> =>
  rowsOf(service.db, `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

/** The answers of subscribers to the events of a form, oldest first. */
const responses = async (formId: string): Promise<(string | null)[]> =>
  (
    await service
      .db<{ response: Excerpt | null }>('attempt')
      .join('delivery', 'delivery.id', 'attempt.delivery_id')
      .where({ form_id: formId })
      .orderBy(['delivery.id', 'number'])
      .select('response')
  ).map(({ response }: { response: Excerpt | null }) => response?.text ?? null);

/** Makes an event wait for a developer who listens to its form. */
async function heard({ id, formId = '', subject }: DomainEvent): Promise<() => Promise<object[]>> {
  const listener = newId();
  const until = new Date(service.clock.now().getTime() + 60_000);
  await service.db('listener').insert({ id: listener, instance_id: newId(), form_id: formId, holder: 'user', events: [], until });
  const waiting = { event_id: id, form_id: formId, submission_id: subject, type: 'submission.created', occurred_at: until, body: answers };
  await service.db('heard').insert({ listener_id: listener, ...waiting });
  return () => service.db('heard').where({ listener_id: listener });
}

it('answers that wait for a developer who listens are erased, with the submission or with the form', async () => {
  const [one, other, ofForm] = [created(newId()), created(newId()), created(newId())];
  const waiting = [await heard(one), await heard(other), await heard(ofForm)];
  await erase(erased(one), formErased(ofForm.formId ?? ''));
  expect(await Promise.all(waiting.map(async (rows) => (await rows()).length))).toEqual([0, 1, 0]);
});

async function delivered(text?: string): Promise<{ subscription: Listener; event: DomainEvent; id: string }> {
  const subscription = service.subscription();
  const event = created(subscription.form_id, undefined, text);
  await service.planAsQuick([event]);
  await service.run();
  const [delivery] = await service.deliveries(subscription);
  return { subscription, event, id: delivery?.id ?? '' };
}

/** Two events that a subscriber refused in one batch, and the attempts of each as they are read. */
async function deliveredTogether() {
  const subscription = service.subscription({ options: { batch: { max_events: 2, max_seconds: 5 } } });
  const events = [created(subscription.form_id), created(subscription.form_id)] as const;
  service.subscriber.answer({ status: 500, body: 'cannot take Zoë' });
  await plan(service.deps, [...events]);
  await service.run();
  const read = async () => {
    const deliveries = await service.deliveries(subscription);
    return Promise.all(deliveries.map(({ id }) => attemptsOf(service.db, service.clock, id, 60_000)));
  };
  return { subscription, events, read };
}

/** The attempt of a delivery of which what the subscriber said arrives only once something is erased. */
async function answeredAfter(erasureOf: (event: DomainEvent) => DomainEvent): Promise<object[]> {
  const subscription = service.subscription();
  const event = created(subscription.form_id);
  let answer: (excerpt: Excerpt) => void = () => undefined;
  const response = new Promise<Excerpt>((resolve) => (answer = resolve));
  const attempts = new Attempts({ ...service.deps, egress: { post: () => Promise.resolve({ status: 500, durationMs: 1, response }) } });
  await service.planAsQuick([event]);
  await attempts.runDue();
  await erase(erasureOf(event));
  answer({ text: 'cannot take Zoë', isCut: false });
  await attempts.idle();
  return service.attemptsTo(subscription);
}

describe('an erased submission', () => {
  it('loses its answers in the log, and keeps its deliveries and attempts', async () => {
    const { subscription, event, id } = await delivered();
    const other = created(subscription.form_id);
    await service.planAsQuick([other]);
    await erase(erased(event));

    expect(await bodies(subscription.form_id)).toEqual(['', other.body]);
    const shown = await service.client.getDelivery(callAs(service.member('owner')), { form_id: subscription.form_id, id });
    expect(shown).toMatchObject({ state: 'succeeded', attempt_count: 1, attempts: [{ status: 200 }], body: Buffer.from('') });
  });

  it('loses what subscribers answered to each of its events, and others keep theirs', async () => {
    service.subscriber.answer(({ body }) => ({ status: 500, body: `cannot take ${body}` }));
    const { subscription, event } = await delivered();
    const changed = service.event(event.formId ?? '', { subject: event.subject, type: 'submission.status_changed' });
    const listener = service.subscription({ form_id: event.formId ?? '', event: changed.type });
    await service.planAsQuick([changed, created(subscription.form_id)]);
    await service.run();
    const told = () => responses(subscription.form_id);
    expect(await told()).toEqual([expect.stringContaining('Zoë'), expect.stringContaining('cannot'), expect.stringContaining('Zoë')]);

    await erase(erased(event));
    expect((await told()).filter((text) => text !== null)).toEqual([expect.stringContaining('Zoë')]);
    expect(await service.attemptsTo(listener)).toMatchObject([{ status: 500, error: 'status', response: null }]);
  });

  it('loses what a subscriber answered that accepted it', async () => {
    service.subscriber.answer(({ body }) => ({ status: 200, body: `took ${body}` }));
    const { subscription, event } = await delivered();
    expect(await responses(subscription.form_id)).toEqual([expect.stringContaining('Zoë')]);
    await erase(erased(event));
    expect(await responses(subscription.form_id)).toEqual([null]);
  });

  it('loses what such a subscriber answered also if a process of the version before erased it', async () => {
    service.subscriber.answer({ status: 200, body: 'took Zoë' });
    const { subscription, event } = await delivered();
    await erase(erased(event));
    await service
      .db('attempt')
      .whereIn(
        'delivery_id',
        (await service.deliveries(subscription)).map(({ id }) => id),
      )
      .update({ response: '{"text":"Zoë"}' });
    await service.db('erased').where({ target_id: event.subject }).update({ step: 'done', noted_at: service.clock.now() });
    await maintainLog(service.deps);
    expect(await responses(subscription.form_id)).toEqual([null]);
  });

  it('loses what a subscriber answered to its batch, whichever of its deliveries keeps that', async () => {
    const { subscription, events, read } = await deliveredTogether();
    const told = { response: { text: 'cannot take Zoë' }, headers: { 'webhook-id': expect.any(String) as string } };
    expect(await read()).toMatchObject([[told], [told]]);
    expect(await responses(subscription.form_id)).toEqual(['cannot take Zoë', null]);

    await erase(erased(events[1]));
    expect(await read()).toMatchObject([[{ response: null }], [{ response: null, headers: told.headers }]]);
  });

  it('loses what a subscriber answered to its batch also if a process of the version before erased it', async () => {
    const { subscription, events } = await deliveredTogether();
    await erase(erased(events[1]));
    await service.db('attempt').whereRaw('told_by = delivery_id').update({ response: '{"text":"Zoë"}' });
    await service.db('erased').where({ target_id: events[1].subject }).update({ step: 'done', noted_at: service.clock.now() });
    await maintainLog(service.deps);
    expect(await responses(subscription.form_id)).toEqual([null, null]);
  });

  it('is not named by an answer that arrives afterwards', async () => {
    expect(await answeredAfter(erased)).toMatchObject([{ status: 500, response: null }]);
  });

  it('is not named by an answer that is being recorded', async () => {
    const subscription = service.subscription();
    const event = created(subscription.form_id);
    service.subscriber.answer('hang');
    await service.planAsQuick([event]);
    const attempts = new Attempts(service.deps);
    await attempts.runDue();
    const [delivery] = await service.deliveries(subscription);
    const outcome = { number: 1, lease: service.clock.now(), state: 'succeeded', agoMs: 0, status: 200 };
    const news = { [delivery?.id ?? '']: { ...outcome, response: { text: 'cannot take Zoë', isCut: false } } };
    let erasing: Promise<void> = Promise.resolve();
    await service.db.transaction(async (trx) => {
      await trx.raw('select settle_attempts(cast(? as jsonb), now())', [JSON.stringify(news)]);
      erasing = erase(erased(event));
      await eventually(async () => expect(await waitingForLocks()).not.toEqual([]));
    });
    await erasing;
    expect(await service.attemptsTo(subscription)).toMatchObject([{ status: 200, response: null }]);
    service.subscriber.hangUp();
    await attempts.idle();
  });

  it('is not named by what subscribers answered to a change of several, because that is not kept', async () => {
    const subscription = service.subscription({ event: 'submission.status_changed' });
    const { form_id: formId } = subscription;
    service.subscriber.answer({ status: 500, body: 'cannot take Zoë' });
    await service.planAsQuick([service.event(formId, { subject: formId, type: 'submission.status_changed' })]);
    await service.run();
    expect(await service.attemptsTo(subscription)).toMatchObject([{ status: 500, error: 'status', response: null }]);
  });

  it('is not sent any more, and shown as cancelled because of it', async () => {
    const subscription = service.subscription();
    const event = created(subscription.form_id);
    await service.planAsQuick([event]);
    await erase(erased(event));

    expect(await service.run()).toBe(0);
    expect(await service.deliveries(subscription)).toMatchObject([{ state: 'cancelled', reason: 'erased' }]);
    expect(service.subscriber.received).toEqual([]);
  });

  it('that was skipped while its webhook was off cannot be sent afterwards, and is shown as cancelled because of it', async () => {
    const subscription = service.subscription({ active: false });
    const event = created(subscription.form_id);
    await service.planAsQuick([event]);
    expect(await service.deliveries(subscription)).toMatchObject([{ state: 'skipped' }]);
    await erase(erased(event));
    expect(await service.deliveries(subscription)).toMatchObject([{ state: 'cancelled', reason: 'erased' }]);
  });

  it('cannot be sent again, alone or in a range', async () => {
    const { subscription, event, id } = await delivered();
    await erase(erased(event));
    const of = { form_id: subscription.form_id };
    await expect(service.client.redeliver(callAs(service.member('owner')), { ...of, id })).rejects.toEqual(refused('bad_request'));
    const range = { ...of, from: service.later(-3_600_000).toISOString(), to: service.later(3_600_000).toISOString() };
    expect(await service.client.redeliverMany(callAs(service.member('owner')), { ...range, state: 'succeeded' })).toMatchObject({
      redelivered: 0,
    });
  });

  it('whose event comes later is planned without its answers, and sent to nobody', async () => {
    const subscription = service.subscription();
    const event = { ...created(subscription.form_id), occurredAt: service.later(-6_000) };
    await erase(erased(event));
    await service.planAsQuick([event]);
    expect(await bodies(subscription.form_id)).toEqual(['']);
    expect(await service.deliveries(subscription)).toEqual([]);
  });

  it('is found by its id as its source writes it, not by one among the answers of another', async () => {
    const { event } = await delivered();
    const quoted = JSON.stringify({ name: `"submission":{"id":"${event.subject}"` });
    const quoting = created(event.formId ?? '', undefined, quoted);
    await service.planAsQuick([quoting]);
    await erase(erased(event));
    expect(await bodies(event.formId ?? '')).toEqual(['', quoting.body]);
  });

  it('is found also if the clock was set between its event and its id', async () => {
    const { event } = await delivered();
    await erase(erased({ ...event, occurredAt: new Date(event.occurredAt.getTime() - 50 * 60_000) }));
    expect(await bodies(event.formId ?? '')).toEqual(['']);
  });

  it('is looked for in the stream twice, since a moment before it was announced, and then confirmed once', async () => {
    const { event } = await delivered();
    const [erasureId, bystander] = [newId(), created(event.formId ?? '')];
    inStream = [event, bystander];
    await erase(erased(event, erasureId), erased(event, erasureId));
    expect(inStream).toEqual([bystander]);
    expect(looks).toEqual([new Date(event.occurredAt.getTime() - 60_000)]);
    expect(await confirmations(erasureId)).toEqual([]);

    inStream.push(event);
    await eraseNoted(deps());
    expect(looks).toHaveLength(1);
    service.clock.advance(secondLookMs);
    await eraseNoted(deps());
    await eraseNoted(deps());
    expect(inStream).toEqual([bystander]);
    expect(looks).toHaveLength(2);
    expect(await confirmations(erasureId)).toEqual([{ erasure_id: erasureId, service: 'delivery', counts: { events: 1 } }]);
  });

  it('among several is confirmed when all of them are done', async () => {
    const [first, second] = [await delivered(), await delivered()];
    const erasureId = newId();
    await erase(erased(first.event, erasureId));
    await noteErasures(service.deps, [erased(second.event, erasureId)]);
    service.clock.advance(secondLookMs);
    await eraseNoted(deps());
    expect(await confirmations(erasureId)).toEqual([]);
    service.clock.advance(secondLookMs);
    await eraseNoted(deps());
    expect(await confirmations(erasureId)).toEqual([{ erasure_id: erasureId, service: 'delivery', counts: { events: 2 } }]);
  });

  it('that was never announced is in no event, and is confirmed without a look at the stream', async () => {
    const erasureId = newId();
    const event = erased(created(newId()), erasureId);
    const { announced_at: _, ...rest } = JSON.parse(event.body) as Record<string, unknown>;
    await erase({ ...event, body: JSON.stringify(rest) });
    service.clock.advance(secondLookMs);
    await eraseNoted(deps());
    expect(looks).toEqual([]);
    expect(await confirmations(erasureId)).toHaveLength(1);
  });

  it('is tried again a little later if the broker does not answer', async () => {
    const { event } = await delivered();
    inStream = [event];
    await noteErasures(service.deps, [erased(event)]);
    const down = deps({ eraseFromStream: () => Promise.reject(new Error('no broker')) });
    await expect(eraseNoted(down)).rejects.toThrow('no broker');
    await eraseNoted(deps());
    expect(inStream).toHaveLength(1);
    service.clock.advance(10_000);
    await eraseNoted(deps());
    expect(inStream).toEqual([]);
  });

  it('is taken over from a process that died while it erased', async () => {
    const { event } = await delivered();
    await noteErasures(service.deps, [erased(event)]);
    await service.db('erased').update({ due_at: service.later(5 * 60_000) });
    await eraseNoted(deps());
    expect(await bodies(event.formId ?? '')).toEqual([event.body]);
    service.clock.advance(5 * 60_000);
    await eraseNoted(deps());
    expect(await bodies(event.formId ?? '')).toEqual(['']);
  });

  it('is forgotten with the log', async () => {
    const { event } = await delivered();
    await erase(erased(event));
    service.clock.advance(secondLookMs);
    await eraseNoted(deps());
    await maintainLog(service.deps);
    expect(await service.db('erased')).toHaveLength(1);
    await service.db('erased').update({ noted_at: service.later(-32 * 86_400_000) });
    await maintainLog(service.deps);
    expect(await service.db('erased')).toEqual([]);
  });

  it('in an unreadable event is skipped, and others are noted', async () => {
    const good = created(newId());
    await noteErasures(service.deps, [
      { ...erased(good), body: 'nonsense' },
      { ...erased(good), body: '{}' },
      { ...formErased(newId()), body: '{"form_id":"x"}' },
      erased(good),
    ]);
    expect(await service.db('erased')).toMatchObject([{ target_id: good.subject }]);
  });
});

describe('an erased form', () => {
  it('loses the answers of all its events, whenever they were planned, and others keep theirs', async () => {
    const { subscription, event } = await delivered();
    const { event: bystander } = await delivered();
    const old = { ...created(subscription.form_id), id: newId().replace(/^.{8}-.{4}/, idTime(Date.now() - 20 * 86_400_000)) };
    await service.planAsQuick([old]);
    const erasureId = newId();
    inStream = [event, bystander];
    await erase(formErased(subscription.form_id, erasureId));
    expect(await bodies(subscription.form_id)).toEqual(['', '']);
    expect(await bodies(bystander.formId ?? '')).toEqual([bystander.body]);
    expect(inStream).toEqual([bystander]);
    expect(await service.run()).toBe(0);

    service.clock.advance(secondLookMs);
    await eraseNoted(deps());
    expect(await confirmations(erasureId)).toEqual([{ erasure_id: erasureId, service: 'delivery', counts: { events: 2 } }]);
  });

  it('loses what subscribers answered to all its events, and others keep theirs', async () => {
    service.subscriber.answer({ status: 500, body: 'cannot take Zoë' });
    const [{ subscription }, { event: bystander }] = [await delivered(), await delivered()];
    const changed = service.event(subscription.form_id, { type: 'submission.status_changed' });
    service.subscription({ form_id: subscription.form_id, event: changed.type });
    await service.planAsQuick([changed]);
    await service.run();
    expect(await responses(subscription.form_id)).toEqual(['cannot take Zoë', 'cannot take Zoë']);
    await erase(formErased(subscription.form_id));
    expect(await responses(subscription.form_id)).toEqual([null, null]);
    expect(await responses(bystander.formId ?? '')).toEqual(['cannot take Zoë']);
  });

  it('is not named by an answer that arrives afterwards', async () => {
    expect(await answeredAfter(({ formId = '' }) => formErased(formId))).toMatchObject([{ status: 500, response: null }]);
  });

  it('whose process died goes on where it was', async () => {
    const { subscription, event } = await delivered();
    await noteErasures(service.deps, [formErased(subscription.form_id)]);
    const stopping = new AbortController();
    const { db } = service.deps;
    let steps = 0;
    const dying = new Proxy(db, {
      get: (target, name) =>
        name === 'transaction' && ++steps > 100 ? () => Promise.reject(new Error('died')) : (Reflect.get(target, name) as unknown),
    });
    await expect(eraseNoted({ ...deps(), db: dying }, stopping.signal)).rejects.toThrow('died');
    expect(await bodies(subscription.form_id)).toEqual([event.body]);
    service.clock.advance(5 * 60_000);
    await eraseNoted(deps());
    expect(await bodies(subscription.form_id)).toEqual(['']);
  });
});

const idTime = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
};
