import { createServer } from 'node:net';
import { createEgress } from '@sheaf/egress';
import { Broker, consume, record, startRelay, type DomainEvent, type Outbox } from '@sheaf/events';
import { newId, Problem, type Caller } from '@sheaf/kernel';
import { problemOf, type Database } from '@sheaf/postgres';
import { connect, Deliveries, Forms, Hooks, open, serve, type Client, type DeliveriesDefinition, type Doors, type Protocol } from '@sheaf/rpc';
import { aServiceAccount, aUser, brokerUrl, callAs, eventually, freshDatabase, startSubscriber, TestClock, testProcess, verifyTestCaller, type Subscriber, type TestProcess } from '@sheaf/testing';
import { Attempts } from '../src/attempt';
import { claimDue } from '../src/attempt.queries';
import type { Deps } from '../src/deps';
import { followSubscriptions } from '../src/follow-subscriptions';
import { deliveryMetrics } from '../src/metrics';
import { Slots } from '../src/lanes';
import { migrations } from '../src/migrations';
import { plan as planAsUnproven } from '../src/plan';
import { doors } from '../src/server';
import { WebhookKeys } from '../src/webhook-keys';
import { startWorker } from '../src/worker';

interface Listener {
  id: string;
  instance_id: string;
  form_id: string;
  event: string;
  url: string;
  revision: number;
}

const own = testProcess('delivery');
/** Stopped after the test that started them, whatever became of it. */
const others: TestProcess[] = [];
const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const serving = { BIND_HOST: '127.0.0.1', GRPC_PORT: 0, GRPC_MAX_CONNECTION_AGE_MS: 60_000 };
const settings = { DELIVERY_CONCURRENCY: 20, DELIVERY_PER_SUBSCRIPTION: 3, DELIVERY_SLOW_MS: 2_000, DELIVERY_TIMEOUT_MS: 300, DELIVERY_LOG_DAYS: 30, RETRY_DELAYS_MS: [4_000, 16_000] };
/** From the claim to the moment at which it counts as lost: the timeout and the time to settle. */
const leaseMs = 5_300;
/** What `hooks` knows: the active subscriptions. */
const listening = new Map<string, Listener>();
const asked: string[][] = [];

let db: Database;
let broker: Broker;
let outbox: Outbox;
let deps: Deps;
let client: Client<DeliveriesDefinition>;
let subscriber: Subscriber;

beforeAll(async () => {
  const hooks = await neighbour(Hooks, {
    listListeners: open(['service'], ({ topics }) => {
      asked.push(topics.map(({ event }) => event));
      const listeners = [...listening.values()].filter(({ form_id, event }) => topics.some((topic) => topic.form_id === form_id && topic.event === event));
      return Promise.resolve({ listeners });
    }),
  });
  const forms = await neighbour(Forms, {
    getFormAccess: open(['user', 'service_account'], ({ form_id }, { caller }) =>
      caller.instanceId === instanceId
        ? Promise.resolve({ form_id, workspace_id: workspaceId, creator_kind: 'user', creator_id: newId(), grants: {}, status: 'active' })
        : Promise.reject(Problem.notFound('form')),
    ),
  });

  ({ db } = await freshDatabase(migrations));
  broker = await Broker.connect(own, brokerUrl());
  outbox = startRelay(own, { db, broker, source: 'delivery', clock, settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 } });
  deps = {
    db, outbox, clock, hooks, forms, settings,
    log: own.log,
    metrics: deliveryMetrics(own.metrics),
    egress: createEgress({ allowPrivateTargets: true, privateOrigins: [] }),
    webhookKeys: new WebhookKeys({ db, outbox, clock, settings: { WEBHOOK_SIGNING_SECRETS: ['a secret of the tests, long enough'], WEBHOOK_KEY_OVERLAP_MS: 60_000 } }),
    ownCall: () => callAs({ kind: 'service', id: 'delivery' }),
  };
  const port = await serve(own, { protocol: Deliveries, doors: doors({ ...deps, wake: () => undefined }), verify: verifyTestCaller, settings: serving, problemOf });
  const connection = connect(`127.0.0.1:${port}`, Deliveries);
  own.onStop('client', () => connection.close());
  client = connection.client;
});

beforeEach(async () => {
  subscriber = await startSubscriber();
  listening.clear();
  // What an earlier test left to be sent is not for the next one to send.
  await db('queue').delete();
  await db('turn').update({ due_at: null });
  await db('delivery').where({ state: 'pending' }).update({ state: 'cancelled' });
});

afterEach(async () => {
  await subscriber.close();
  await Promise.all(others.splice(0).map((process) => process.stop()));
});

afterAll(async () => {
  await own.stop();
  await db.destroy();
});

function another(name: string): TestProcess {
  const process = testProcess(name);
  others.push(process);
  return process;
}

/** A service that this one asks, with the doors that it needs; the others are shut. */
async function neighbour<D>(protocol: Protocol<D>, wanted: Partial<Doors<D>>): Promise<Client<D>> {
  const shut = Object.keys(protocol.methods).map((name) => [`${name.charAt(0).toLowerCase()}${name.slice(1)}`, open([], () => Promise.resolve({}))]);
  const process = testProcess(protocol.name);
  own.onStop(protocol.name, () => process.stop());
  const port = await serve(process, { protocol, doors: { ...Object.fromEntries(shut), ...wanted } as Doors<D>, verify: verifyTestCaller, settings: serving });
  const connection = connect(`127.0.0.1:${port}`, protocol);
  process.onStop('connection', () => connection.close());
  return connection.client;
}

function aSubscription(given: Partial<Listener> = {}): Listener {
  const listener = { id: newId(), instance_id: instanceId, form_id: newId(), event: 'submission.created', url: `${subscriber.url}/hook`, revision: 1, ...given };
  listening.set(listener.id, listener);
  return listener;
}

const anEvent = (formId: string, given: Partial<DomainEvent> = {}): DomainEvent => ({
  id: newId(), type: 'submission.created', instanceId, subject: newId(), formId, occurredAt: clock.now(),
  body: `{"event":"submission.created", "form_id":"${formId}","data":{"name":"Zoë ☃"}}`,
  ...given,
});

const changed = ({ id, form_id, event, url }: Listener, state: 'active' | 'inactive' | 'deleted', revision: number): DomainEvent => ({
  id: newId(), type: 'subscription.changed', instanceId, subject: id, formId: form_id, occurredAt: clock.now(),
  body: JSON.stringify({ id, form_id, event, url, state, revision }),
});

/** For subscriptions that have answered before: what the others get is in lanes.test.ts. */
async function plan(given: Deps, events: readonly DomainEvent[]): Promise<number> {
  const { made } = await planAsUnproven(given, events);
  await db('turn').where({ lane: 'unproven' }).update({ lane: 'quick' });
  return made;
}

/** Begins what is due and waits for its end. */
async function run(attempts = new Attempts(deps)): Promise<number> {
  const { begun } = await attempts.runDue();
  await attempts.idle();
  return begun;
}

const deliveriesTo = (subscription: { id: string }) =>
  db('delivery').leftJoin('queue', 'delivery_id', 'id').where({ 'delivery.subscription_id': subscription.id }).orderBy('id')
    .select<Record<string, unknown>[]>('delivery.*', 'queue.next_attempt_at', db.raw('coalesce(queue.attempts, delivery.attempts) as attempts'));
const attemptsTo = (subscription: { id: string }) =>
  db('attempt').join('delivery', 'delivery.id', 'attempt.delivery_id').where({ subscription_id: subscription.id }).orderBy(['delivery.id', 'number'])
    .select<Record<string, unknown>[]>('attempt.*');
const refused = (code: string) => expect.objectContaining({ code }) as unknown;
const later = (ms: number) => new Date(clock.now().getTime() + ms);

describe('a delivery', () => {
  it('brings the exact bytes of the event, and says what it is', async () => {
    const subscription = aSubscription();
    const event = anEvent(subscription.form_id);
    await plan(deps, [event]);
    await run();

    const [delivery] = await deliveriesTo(subscription);
    expect(subscriber.received).toHaveLength(1);
    expect(subscriber.received[0]).toMatchObject({
      path: '/hook',
      body: event.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Sheaf-Webhooks/1',
        'x-webhook-event': 'submission.created',
        'x-webhook-id': subscription.id,
        'webhook-id': delivery?.id,
        'webhook-timestamp': String(clock.now().getTime() / 1_000),
      },
    });
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1, next_attempt_at: null, settled_at: clock.now() });
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ number: 1, status: 200, error: null, started_at: clock.now() }]);
  });

  it('goes to everybody who listens to that event of that form, and to nobody else', async () => {
    const one = aSubscription();
    const two = aSubscription({ form_id: one.form_id, url: `${subscriber.url}/two` });
    aSubscription({ form_id: one.form_id, event: 'submission.deleted', url: `${subscriber.url}/other-event` });
    aSubscription({ url: `${subscriber.url}/other-form` });

    await expect(plan(deps, [anEvent(one.form_id)])).resolves.toBe(2);
    await run();

    expect(subscriber.received.map(({ headers }) => headers['x-webhook-id']).sort()).toEqual([one.id, two.id].sort());
  });

  it('is attempted three times, 4 s and 16 s after the failures before, and never again', async () => {
    const subscription = aSubscription();
    subscriber.answer(500);
    await plan(deps, [anEvent(subscription.form_id)]);

    await run();
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 1, next_attempt_at: later(4_000) }]);
    clock.advance(3_999);
    await expect(run()).resolves.toBe(0);
    clock.advance(1);
    await expect(run()).resolves.toBe(1);
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 2, next_attempt_at: later(16_000) }]);
    clock.advance(15_999);
    await expect(run()).resolves.toBe(0);
    clock.advance(1);
    await expect(run()).resolves.toBe(1);
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 3, next_attempt_at: null, settled_at: clock.now() }]);
    clock.advance(24 * 60 * 60 * 1_000);
    await expect(run()).resolves.toBe(0);

    expect(subscriber.received).toHaveLength(3);
    expect(new Set(subscriber.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([1, 2, 3].map((number) => ({ number, status: 500, error: 'status' })));
  });

  it('ends with the attempt that succeeds', async () => {
    const subscription = aSubscription();
    subscriber.answer(503);
    await plan(deps, [anEvent(subscription.form_id)]);
    await run();
    subscriber.answer(204);
    clock.advance(4_000);
    await run();
    clock.advance(60_000);
    await expect(run()).resolves.toBe(0);

    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'succeeded', attempts: 2 }]);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ status: 503, error: 'status' }, { status: 204, error: null }]);
  });

  it('counts the pause from the failure, not from the beginning of the attempt', async () => {
    const subscription = aSubscription();
    subscriber.answer(() => {
      clock.advance(9_000);
      return 500;
    });
    await plan(deps, [anEvent(subscription.form_id)]);
    await run();

    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ next_attempt_at: later(4_000) }]);
  });

  it('fails by a redirect, which is not followed', async () => {
    const subscription = aSubscription();
    subscriber.answer({ status: 302, headers: { location: `${subscriber.url}/elsewhere` } });
    await plan(deps, [anEvent(subscription.form_id)]);
    await run();

    expect(subscriber.received.map(({ path }) => path)).toEqual(['/hook']);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ status: 302, error: 'status' }]);
  });

  it('fails by an answer that does not come in time, and by a connection that is refused', async () => {
    const slow = aSubscription();
    const dead = aSubscription({ url: `http://127.0.0.1:${await aClosedPort()}/` });
    subscriber.answer('hang');
    await plan(deps, [anEvent(slow.form_id), anEvent(dead.form_id)]);
    await run();

    await expect(attemptsTo(slow)).resolves.toMatchObject([{ status: null, error: 'timeout' }]);
    await expect(attemptsTo(dead)).resolves.toMatchObject([{ status: null, error: 'connection_refused' }]);
    await expect(deliveriesTo(slow)).resolves.toMatchObject([{ state: 'pending', attempts: 1 }]);
  });

  it('never goes to an address that is not public, whatever was vetted once', async () => {
    const strict = { ...deps, egress: createEgress({ allowPrivateTargets: false, privateOrigins: [], resolve: () => Promise.resolve(['127.0.0.1']) }) };
    const http = aSubscription();
    const rebound = aSubscription({ url: 'https://rebound.example.org/hook' });
    await plan(deps, [anEvent(http.form_id), anEvent(rebound.form_id)]);
    await run(new Attempts(strict));

    expect(subscriber.received).toEqual([]);
    await expect(attemptsTo(http)).resolves.toMatchObject([{ error: 'url_not_allowed' }]);
    await expect(attemptsTo(rebound)).resolves.toMatchObject([{ error: 'address_not_allowed' }]);
  });
});

describe('an event', () => {
  it('is planned once, ever, also for those who subscribe later', async () => {
    const first = aSubscription();
    const event = anEvent(first.form_id);
    await expect(plan(deps, [event, event])).resolves.toBe(1);
    aSubscription({ form_id: first.form_id });

    await expect(plan(deps, [event])).resolves.toBe(0);
    await expect(Promise.all([plan(deps, [event]), plan(deps, [event])])).resolves.toEqual([0, 0]);
    await expect(db('delivery').where({ form_id: first.form_id })).resolves.toHaveLength(1);
  });

  it('is planned once by two processes at the same moment', async () => {
    const subscription = aSubscription();
    const event = anEvent(subscription.form_id);
    const made = await Promise.all(Array.from({ length: 6 }, () => plan(deps, [event])));

    expect(made.reduce((sum, count) => sum + count, 0)).toBe(1);
    await expect(deliveriesTo(subscription)).resolves.toHaveLength(1);
  });

  it('nobody listens to is known all the same', async () => {
    const event = anEvent(newId());
    await expect(plan(deps, [event])).resolves.toBe(0);
    aSubscription({ form_id: event.formId ?? '' });
    await expect(plan(deps, [event])).resolves.toBe(0);
  });

  it('costs hooks one question for a whole batch', async () => {
    const subscription = aSubscription();
    const batch = [anEvent(subscription.form_id), anEvent(subscription.form_id), anEvent(newId(), { type: 'submission.deleted' })];
    asked.length = 0;
    await plan(deps, batch);

    expect(asked).toEqual([['submission.created', 'submission.deleted']]);
  });

  it('that cannot be read is left out, and does not hold up those behind it', async () => {
    const subscription = aSubscription();
    const { formId: _, ...withoutForm } = anEvent(subscription.form_id);
    const nonsense = [
      withoutForm, anEvent('nonsense'), anEvent(subscription.form_id, { id: 'nonsense' }), anEvent(subscription.form_id, { instanceId: '' }),
      anEvent(subscription.form_id, { body: '{"event":' }), anEvent(subscription.form_id, { body: '"\0"' }), anEvent(subscription.form_id, { type: 'form.changed' }),
    ];

    await expect(plan(deps, [...nonsense, anEvent(subscription.form_id)])).resolves.toBe(1);
  });

  it('is sent in the order in which things happened', async () => {
    const subscription = aSubscription();
    const attempts = new Attempts({ ...deps, settings: { ...settings, DELIVERY_PER_SUBSCRIPTION: 1 } });
    const events = Array.from({ length: 5 }, (_, n) => anEvent(subscription.form_id, { body: `{"n":${n}}` }));
    await plan(deps, events.slice(0, 3));
    await plan(deps, events.slice(3));
    while ((await run(attempts)) > 0);

    expect(subscriber.received.map(({ body }) => body)).toEqual(events.map(({ body }) => body));
  });
});

describe('a process that dies in the middle of an attempt', () => {
  const claim = async () => {
    const { claims } = await claimDue(db, { now: clock.now(), look: new Slots(settings).look(), leaseMs, retryDelaysMs: settings.RETRY_DELAYS_MS });
    return claims;
  };

  it('has used it up: the delivery falls due again by itself, and fails after the third', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);

    await expect(claim()).resolves.toMatchObject([{ number: 1 }]);
    clock.advance(leaseMs + 4_000 - 1);
    await expect(claim()).resolves.toEqual([]);
    clock.advance(1);
    await expect(claim()).resolves.toMatchObject([{ number: 2 }]);
    clock.advance(leaseMs + 16_000);
    await expect(claim()).resolves.toMatchObject([{ number: 3 }]);

    clock.advance(leaseMs - 1);
    await run();
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 3 }]);
    clock.advance(1);
    await expect(run()).resolves.toBe(0);
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 3, settled_at: clock.now() }]);
    clock.advance(24 * 60 * 60 * 1_000);
    await expect(run()).resolves.toBe(0);

    expect(subscriber.received).toEqual([]);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([1, 2, 3].map((number) => ({ number, error: 'interrupted', status: null })));
  });

  it('leaves what is left of the three to the others', async () => {
    const subscription = aSubscription();
    subscriber.answer(500);
    await plan(deps, [anEvent(subscription.form_id)]);
    await claim();
    clock.advance(leaseMs + 4_000);
    await run();
    clock.advance(16_000);
    await run();
    clock.advance(24 * 60 * 60 * 1_000);
    await run();

    expect(subscriber.received).toHaveLength(2);
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 3 }]);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ error: 'interrupted' }, { error: 'status' }, { error: 'status' }]);
  });

  it('cannot settle what another one has begun again', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    // The answer to the first attempt comes after it was given up and another process has begun the second.
    subscriber.answer(() => {
      clock.advance(leaseMs + 4_000);
      return 500;
    });
    const late = new Attempts({ ...deps, egress: { post: async (...given) => {
      const outcome = await deps.egress.post(...given);
      await claim();
      return outcome;
    } } });
    await run(late);

    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 2, next_attempt_at: later(leaseMs + 16_000) }]);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ number: 1, status: 500 }, { number: 2, error: 'interrupted' }]);
  });

  it('takes nothing twice when several look at once', async () => {
    const subscriptions = Array.from({ length: 4 }, () => aSubscription());
    await plan(deps, subscriptions.flatMap(({ form_id }) => [anEvent(form_id), anEvent(form_id)]));
    const processes = Array.from({ length: 5 }, () => new Attempts(deps));
    await Promise.all(processes.map((attempts) => run(attempts)));

    expect(subscriber.received).toHaveLength(8);
    expect(new Set(subscriber.received.map(({ headers }) => headers['webhook-id'])).size).toBe(8);
  });
});

describe('a subscriber that answers 410', () => {
  it('is not called again: neither this delivery nor what is pending, and hooks is told', async () => {
    const subscription = aSubscription({ revision: 7 });
    const told: DomainEvent[] = [];
    broker.listen('sheaf.events.delivery.>', { onEvent: (event) => told.push(event), onGap: () => undefined });
    await broker.connection.flush();
    subscriber.answer(410);
    await plan(deps, Array.from({ length: 3 }, () => anEvent(subscription.form_id)));
    const oneByOne = new Attempts({ ...deps, settings: { ...settings, DELIVERY_PER_SUBSCRIPTION: 1 } });
    await run(oneByOne);
    clock.advance(60_000);
    await expect(run(oneByOne)).resolves.toBe(0);

    expect(subscriber.received).toHaveLength(1);
    const states = (await deliveriesTo(subscription)).map(({ state }) => state);
    expect(states).toEqual(['failed', 'cancelled', 'cancelled']);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ status: 410 }]);
    // Nobody confirms it here, so it may come again.
    await eventually(() => expect(told.find(({ subject }) => subject === subscription.id)).toMatchObject({ type: 'subscription.gone', body: JSON.stringify({ id: subscription.id, revision: 7 }) }));
  });

  it('gets nothing new, although hooks has not heard of it yet', async () => {
    const subscription = aSubscription();
    subscriber.answer(410);
    await plan(deps, [anEvent(subscription.form_id)]);
    await run();

    await expect(plan(deps, [anEvent(subscription.form_id)])).resolves.toBe(0);
    listening.set(subscription.id, { ...subscription, revision: 3 });
    await expect(plan(deps, [anEvent(subscription.form_id)])).resolves.toBe(1);
  });

  it('says it several times at once without harm', async () => {
    const subscription = aSubscription();
    subscriber.answer(410);
    await plan(deps, Array.from({ length: 5 }, () => anEvent(subscription.form_id)));
    await run();

    const states = (await deliveriesTo(subscription)).map(({ state }) => state);
    expect(states.filter((state) => state === 'pending')).toEqual([]);
    await expect(db('outbox').where({ subject: subscription.id })).resolves.toHaveLength(1);
  });

  it('does not switch off what was subscribed anew since the call', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    const attempts = new Attempts({ ...deps, egress: { post: async () => {
      await followSubscriptions(deps, [changed(subscription, 'active', 3)]);
      return { status: 410, durationMs: 1 };
    } } });
    await run(attempts);

    await expect(db('subscription').where({ id: subscription.id }).first()).resolves.toMatchObject({ state: 'active', revision: 3 });
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'failed' }]);
    await expect(db('outbox').where({ subject: subscription.id })).resolves.toEqual([]);
  });
});

describe('news of a subscription', () => {
  it('that it was removed or switched off cancels what is pending', async () => {
    const [removed, off] = [aSubscription(), aSubscription()];
    subscriber.answer(500);
    await plan(deps, [anEvent(removed.form_id), anEvent(off.form_id), anEvent(off.form_id)]);
    await run();

    await followSubscriptions(deps, [changed(removed, 'deleted', 2), changed(off, 'inactive', 2)]);
    clock.advance(60_000);

    await expect(run()).resolves.toBe(0);
    await expect(deliveriesTo(removed)).resolves.toMatchObject([{ state: 'cancelled', next_attempt_at: null }]);
    await expect(deliveriesTo(off)).resolves.toMatchObject([{ state: 'cancelled' }, { state: 'cancelled' }]);
  });

  it('counts only if it is newer than what is known', async () => {
    const subscription = aSubscription({ revision: 5 });
    await plan(deps, [anEvent(subscription.form_id)]);
    const copy = () => db('subscription').where({ id: subscription.id }).first<object>();

    await followSubscriptions(deps, [changed(subscription, 'deleted', 4), changed(subscription, 'inactive', 5)]);
    await expect(copy()).resolves.toMatchObject({ state: 'active', revision: 5 });
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending' }]);

    await followSubscriptions(deps, [changed(subscription, 'deleted', 7), changed(subscription, 'active', 6)]);
    await expect(copy()).resolves.toMatchObject({ state: 'deleted', revision: 7 });
    // An answer of hooks that was on its way when the subscription was removed.
    await expect(plan(deps, [anEvent(subscription.form_id)])).resolves.toBe(0);
    await expect(copy()).resolves.toMatchObject({ state: 'deleted', revision: 7 });
  });

  it('comes too late for a POST that is under way: if it arrives, it has arrived', async () => {
    const [arrives, fails] = [aSubscription(), aSubscription()];
    await plan(deps, [anEvent(arrives.form_id), anEvent(fails.form_id)]);
    const attempts = new Attempts({ ...deps, egress: { post: async (_url, { headers }) => {
      const subscription = headers['X-Webhook-ID'] === arrives.id ? arrives : fails;
      await followSubscriptions(deps, [changed(subscription, 'deleted', 2)]);
      return { status: subscription === arrives ? 200 : 500, durationMs: 1 };
    } } });
    await run(attempts);

    await expect(deliveriesTo(arrives)).resolves.toMatchObject([{ state: 'succeeded' }]);
    await expect(deliveriesTo(fails)).resolves.toMatchObject([{ state: 'cancelled', next_attempt_at: null }]);
  });

  it('that cannot be read does not hold up the queue', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    const nonsense = ['', '{}', '{"id":"nonsense"}'].map((body) => ({ ...changed(subscription, 'deleted', 2), body }));
    await followSubscriptions(deps, [...nonsense, changed(subscription, 'deleted', 2)]);

    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'cancelled' }]);
  });
});

describe('slots', () => {
  it('are shared out one to each subscription before anybody gets a second one', async () => {
    const crowd = aSubscription({ url: `${subscriber.url}/crowd` });
    await plan(deps, Array.from({ length: 10 }, () => anEvent(crowd.form_id)));
    const quiet = Array.from({ length: 3 }, () => aSubscription({ url: `${subscriber.url}/quiet` }));
    await plan(deps, quiet.map(({ form_id }) => anEvent(form_id)));

    await expect(run(new Attempts({ ...deps, settings: { ...settings, DELIVERY_CONCURRENCY: 6 } }))).resolves.toBe(4);
    expect(subscriber.received.map(({ path }) => path).sort()).toEqual(['/crowd', '/quiet', '/quiet', '/quiet']);
  });

  it('of one subscription are bounded, also over several looks, and fewer once it has hung', async () => {
    const subscription = aSubscription();
    const attempts = new Attempts(deps);
    subscriber.answer('hang');
    await plan(deps, Array.from({ length: 8 }, () => anEvent(subscription.form_id)));

    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 3 });
    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 0 });
    await attempts.idle();
    await eventually(async () => expect(await db('turn').where({ subscription_id: subscription.id }).first()).toMatchObject({ lane: 'slow' }));
    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 1 });
    await attempts.idle();
  });

  it('taken by dead endpoints leave the healthy ones alone', async () => {
    const worker = another('worker');
    const hanging = await startSubscriber();
    hanging.answer('hang');
    // With it their attempts end, and only then the worker.
    another('hanging').onStop('subscriber', () => hanging.close());
    const dead = [aSubscription({ url: hanging.url }), aSubscription({ url: hanging.url })];
    const healthy = aSubscription();
    const patient = { ...deps, settings: { ...settings, DELIVERY_TIMEOUT_MS: 60_000 } };
    await plan(deps, dead.flatMap(({ form_id }) => Array.from({ length: 50 }, () => anEvent(form_id))));
    const attempts = new Attempts(patient);
    const work = startWorker(worker, attempts, clock);
    await hanging.waitFor(6);

    await plan(deps, Array.from({ length: 20 }, () => anEvent(healthy.form_id)));
    work.wake();
    // All of them, while not one of the others has come to its end.
    await subscriber.waitFor(20);
    expect(hanging.received).toHaveLength(6);
    expect(await db('attempt').whereNotNull('duration_ms').whereIn('delivery_id', db('delivery').whereIn('subscription_id', dead.map(({ id }) => id)).select('id'))).toEqual([]);
  });
});

describe('over NATS', () => {
  it('an event becomes a POST once, although it is brought again, and its source hears that it is worked off', async () => {
    const subscription = aSubscription();
    const consuming = another('delivery');
    const listenerBroker = await Broker.connect(consuming, brokerUrl());
    const worker = startWorker(consuming, new Attempts(deps), clock);
    consume(consuming, { broker: listenerBroker, durable: 'delivery', source: 'submissions', handle: async (events) => {
      if ((await plan(deps, events)) > 0) worker.wake();
    } });
    consume(consuming, { broker: listenerBroker, durable: 'delivery', source: 'hooks', handle: (events) => followSubscriptions(deps, events) });

    const sender = await aSender('submissions');
    const event = anEvent(subscription.form_id);
    await sender.send(event);
    await subscriber.waitFor(1);
    await sender.confirmed();
    await sender.send(event, { publications: 1 });
    await sender.confirmed();
    await sender.send(anEvent(subscription.form_id, { body: '{"last":true}' }));
    await subscriber.waitFor(1, ({ body }) => body === '{"last":true}');

    expect(subscriber.received).toHaveLength(2);
    await eventually(async () => expect(await deliveriesTo(subscription)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]));

    const hooks = await aSender('hooks');
    await hooks.send(changed(subscription, 'deleted', 2));
    await hooks.confirmed();
    await expect(db('subscription').where({ id: subscription.id }).first()).resolves.toMatchObject({ state: 'deleted' });
  });
});

describe('the log of deliveries', () => {
  const viewer = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'viewer' } });
  const list = (form_id: string, filter: { state?: string; subscription_id?: string; limit?: number; offset?: number } = {}, as: Caller = viewer) =>
    client.listDeliveries(callAs(as), { form_id, limit: 25, offset: 0, ...filter });
  const get = (form_id: string, id: string, as: Caller = viewer) => client.getDelivery(callAs(as), { form_id, id });

  it('lists the newest first, page by page, with the exact total', async () => {
    const subscription = aSubscription();
    const events = Array.from({ length: 5 }, () => anEvent(subscription.form_id));
    for (const event of events) await plan(deps, [event]);

    const first = await list(subscription.form_id, { limit: 2 });
    const last = await list(subscription.form_id, { limit: 2, offset: 4 });

    expect(first.total).toBe(5);
    expect(first.deliveries.map(({ event_id }) => event_id)).toEqual([events[4]?.id, events[3]?.id]);
    expect(last).toMatchObject({ total: 5, deliveries: [{ event_id: events[0]?.id }] });
    expect(first.deliveries[0]).toMatchObject({
      event: 'submission.created', form_id: subscription.form_id, subscription_id: subscription.id, url: subscription.url, state: 'pending',
      attempt_count: 0, next_attempt_at: clock.now().toISOString(), created_at: clock.now().toISOString(), attempts: [],
    });
  });

  it('filters by state and by subscription, and its totals follow every change', async () => {
    const good = aSubscription({ url: `${subscriber.url}/good` });
    const bad = aSubscription({ form_id: good.form_id, url: `${subscriber.url}/bad` });
    subscriber.answer(({ path }) => (path === '/bad' ? 500 : 200));
    await plan(deps, [anEvent(good.form_id), anEvent(good.form_id)]);
    const totals = async () => ({
      all: (await list(good.form_id)).total,
      ...Object.fromEntries(await Promise.all(['pending', 'succeeded', 'failed', 'cancelled'].map(async (state) => [state, (await list(good.form_id, { state })).total] as const))),
    });

    await expect(totals()).resolves.toEqual({ all: 4, pending: 4, succeeded: 0, failed: 0, cancelled: 0 });
    await run();
    await expect(totals()).resolves.toEqual({ all: 4, pending: 2, succeeded: 2, failed: 0, cancelled: 0 });
    await followSubscriptions(deps, [changed(bad, 'inactive', 2)]);
    await expect(totals()).resolves.toEqual({ all: 4, pending: 0, succeeded: 2, failed: 0, cancelled: 2 });

    await expect(list(good.form_id, { subscription_id: bad.id, state: 'cancelled' })).resolves.toMatchObject({ total: 2, deliveries: [{ state: 'cancelled' }, { state: 'cancelled' }] });
    await expect(list(good.form_id, { subscription_id: good.id })).resolves.toMatchObject({ total: 2 });
    await expect(list(good.form_id, { subscription_id: 'nonsense' })).resolves.toMatchObject({ total: 0, deliveries: [] });
    await expect(list(newId(), { subscription_id: bad.id })).resolves.toMatchObject({ total: 0, deliveries: [] });
  });

  it('shows one delivery with every attempt and the exact bytes', async () => {
    const subscription = aSubscription();
    const event = anEvent(subscription.form_id);
    subscriber.answer(500);
    await plan(deps, [event]);
    await run();
    const [row] = await deliveriesTo(subscription);

    const shown = await get(subscription.form_id, String(row?.id));

    expect(shown.body?.toString()).toBe(event.body);
    expect(shown).toMatchObject({ state: 'pending', attempt_count: 1, next_attempt_at: later(4_000).toISOString() });
    expect(shown.attempts).toEqual([expect.objectContaining({ number: 1, started_at: clock.now().toISOString(), status: 500, error: 'status' })]);
    expect(shown.attempts[0]?.duration_ms).toBeGreaterThanOrEqual(0);
  });

  it('says nothing of the end of an attempt that is under way', async () => {
    const subscription = aSubscription();
    const attempts = new Attempts(deps);
    subscriber.answer('hang');
    await plan(deps, [anEvent(subscription.form_id)]);
    await attempts.runDue();
    const [row] = await deliveriesTo(subscription);

    const shown = await get(subscription.form_id, String(row?.id));
    expect(shown).toMatchObject({ state: 'pending', attempt_count: 1, attempts: [{ number: 1 }] });
    expect([shown.next_attempt_at, shown.attempts[0]?.error]).toEqual([undefined, undefined]);
    await attempts.idle();
  });

  it('is for those with a role on the form', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    const [row] = await deliveriesTo(subscription);
    const id = String(row?.id);
    const outsider = aUser({ instanceId });

    await expect(list(subscription.form_id, {}, aServiceAccount({ instanceId }))).resolves.toMatchObject({ total: 1 });
    await expect(list(subscription.form_id, {}, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(get(subscription.form_id, id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(list(subscription.form_id, {}, { kind: 'respondent', instanceId })).rejects.toEqual(refused('forbidden'));
    await expect(list(subscription.form_id, {}, aServiceAccount({ instanceId: newId() }))).rejects.toEqual(refused('not_found'));
    await expect(list('nonsense')).rejects.toEqual(refused('not_found'));
  });

  it('finds no delivery that is unknown, malformed, or of another form', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    const [row] = await deliveriesTo(subscription);

    await expect(get(subscription.form_id, newId())).rejects.toEqual(refused('not_found'));
    await expect(get(subscription.form_id, 'nonsense')).rejects.toEqual(refused('not_found'));
    await expect(get(newId(), String(row?.id))).rejects.toEqual(refused('not_found'));
  });
});

it('counts attempts by how they ended', async () => {
  const metrics = await own.metrics.metrics();
  expect(metrics).toMatch(/sheaf_delivery_attempts_total\{outcome="2xx"\} [1-9]/);
  expect(metrics).toMatch(/sheaf_delivery_attempts_total\{outcome="timeout"\} [1-9]/);
  expect(metrics).toContain('sheaf_delivery_in_flight{lane="quick"} 0');
  expect(metrics).toMatch(/sheaf_delivery_first_post_seconds_count [1-9]/);
});

/** A port of this machine that nobody listens on. */
async function aClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Another service of ours, as far as its outbox. */
async function aSender(source: 'submissions' | 'hooks') {
  const process = another(source);
  const { db: there } = await freshDatabase(migrations);
  process.onStop('database', () => there.destroy());
  const sending = await Broker.connect(process, brokerUrl());
  const relayed = startRelay(process, { db: there, broker: sending, source, clock, settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 } });
  return {
    /** `publications` says how often it was sent before, so that the broker does not take it for the same message. */
    send: (event: DomainEvent, { publications } = { publications: 0 }) =>
      relayed.transaction(async (trx) => {
        await record(trx, event);
        await trx('outbox').where({ id: event.id }).update({ publications });
      }),
    confirmed: () => eventually(async () => expect(await there('outbox').select()).toEqual([])),
  };
}
