import { createEgress } from '@sheaf/egress';
import { Broker, startRelay, type DomainEvent } from '@sheaf/events';
import { newId, Problem } from '@sheaf/kernel';
import { problemOf, type Database } from '@sheaf/postgres';
import {
  clientsWith,
  connect,
  Deliveries,
  Forms,
  Hooks,
  open,
  serve,
  type Client,
  type DeliveriesDefinition,
  type Doors,
  type Protocol,
} from '@sheaf/rpc';
import {
  brokerUrl,
  callAs,
  freshDatabase,
  startSubscriber,
  TestClock,
  testProcess,
  verifyTestCaller,
  type Subscriber,
  type TestProcess,
} from '@sheaf/testing';
import { Attempts } from '../../src/attempts/attempt';
import type { Deps } from '../../src/deps';
import { deliveryMetrics } from '../../src/metrics';
import { migrations } from '../../src/migrations';
import { plan as planAsUnproven } from '../../src/planning/plan';
import type { Listener } from '../../src/planning/remembered-listeners';
import { doors } from '../../src/server';
import { WebhookKeys } from '../../src/keys/webhook-keys';

export const own = testProcess('delivery');
/** Stopped after the test that started them, whether it passes or fails. */
const others: TestProcess[] = [];
export const clock = new TestClock();
export const instanceId = newId();
export const workspaceId = newId();
const serving = { BIND_HOST: '127.0.0.1', GRPC_PORT: 0, GRPC_MAX_CONNECTION_AGE_MS: 60_000 };
export const settings = {
  DELIVERY_CONCURRENCY: 20,
  DELIVERY_PER_SUBSCRIPTION: 3,
  DELIVERY_SLOW_MS: 10_000,
  DELIVERY_TIMEOUT_MS: 15_000,
  DELIVERY_LOG_DAYS: 30,
  DELIVERY_BACKLOG: 100_000,
  DELIVERY_PER_INSTANCE_PER_MINUTE: 0,
  SUBSCRIPTION_FAILING_DAYS: 5,
  RETRY_DELAYS_MS: [4_000, 16_000],
};
/** The time from the claim of an attempt until it counts as lost: the timeout plus the time to settle. */
export const leaseMs = 20_000;
/** The active subscriptions that `hooks` knows. */
export const listening = new Map<string, Listener>();
export const asked: string[][] = [];

export let db: Database;
export let broker: Broker;
export let deps: Deps;
export let client: Client<DeliveriesDefinition>;
export let subscriber: Subscriber;

/** Runs the service from before the first test of a file until after the last one. Each test has its own subscriber. */
export function onStage(): void {
  beforeAll(async () => {
    const hooks = await neighbour(Hooks, {
      listListeners: open(['service'], ({ topics }) => {
        asked.push(topics.map(({ event }) => event));
        const listeners = [...listening.values()].filter(({ form_id, event }) =>
          topics.some((topic) => topic.form_id === form_id && topic.event === event),
        );
        return Promise.resolve({ listeners });
      }),
    });
    const forms = await neighbour(Forms, {
      getFormAccess: open(clientsWith('hooks:manage'), ({ form_id }, { caller }) =>
        caller.instanceId === instanceId
          ? Promise.resolve({ form_id, workspace_id: workspaceId, creator_kind: 'user', creator_id: newId(), grants: {}, status: 'active' })
          : Promise.reject(Problem.notFound('form')),
      ),
    });

    ({ db } = await freshDatabase(migrations));
    broker = await Broker.connect(own, brokerUrl());
    const outbox = startRelay(own, {
      db,
      broker,
      source: 'delivery',
      clock,
      settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 },
    });
    deps = {
      db,
      outbox,
      clock,
      hooks,
      forms,
      settings,
      log: own.log,
      metrics: deliveryMetrics(own.metrics),
      egress: createEgress({ allowPrivateTargets: true, privateOrigins: [], idleMs: 60_000 }),
      webhookKeys: new WebhookKeys({
        db,
        outbox,
        clock,
        settings: { WEBHOOK_SIGNING_SECRETS: ['a secret of the tests, long enough'], WEBHOOK_KEY_OVERLAP_MS: 60_000 },
      }),
      ownCall: () => callAs({ kind: 'service', id: 'delivery' }),
    };
    const port = await serve(own, {
      protocol: Deliveries,
      doors: doors({ ...deps, wake: () => undefined }),
      verify: verifyTestCaller,
      settings: serving,
      problemOf,
    });
    const connection = connect(`127.0.0.1:${port}`, Deliveries);
    own.onStop('client', () => connection.close());
    client = connection.client;
  });

  beforeEach(async () => {
    subscriber = await startSubscriber();
    listening.clear();
    // A test must not send what an earlier one left behind.
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
}

export function another(name: string): TestProcess {
  const process = testProcess(name);
  others.push(process);
  return process;
}

/** A service that this one calls, with the doors that the tests need; the others are shut. */
async function neighbour<D>(protocol: Protocol<D>, wanted: Partial<Doors<D>>): Promise<Client<D>> {
  const shut = Object.keys(protocol.methods).map((name) => [
    `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    open([], () => Promise.resolve({})),
  ]);
  const process = testProcess(protocol.name);
  own.onStop(protocol.name, () => process.stop());
  const port = await serve(process, {
    protocol,
    doors: { ...Object.fromEntries(shut), ...wanted } as Doors<D>,
    verify: verifyTestCaller,
    settings: serving,
  });
  const connection = connect(`127.0.0.1:${port}`, protocol);
  process.onStop('connection', () => connection.close());
  return connection.client;
}

export function aSubscription(given: Partial<Listener> = {}): Listener {
  const listener = {
    id: newId(),
    instance_id: instanceId,
    form_id: newId(),
    event: 'submission.created',
    url: `${subscriber.url}/hook`,
    revision: 1,
    ...given,
  };
  listening.set(listener.id, listener);
  return listener;
}

export const anEvent = (formId: string, given: Partial<DomainEvent> = {}): DomainEvent => ({
  id: newId(),
  type: 'submission.created',
  instanceId,
  subject: newId(),
  formId,
  occurredAt: clock.now(),
  body: `{"event":"submission.created", "form_id":"${formId}","data":{"name":"Zoë ☃"}}`,
  ...given,
});

export const changed = (
  { id, form_id, event, url }: Listener,
  state: 'active' | 'inactive' | 'deleted',
  revision: number,
): DomainEvent => ({
  id: newId(),
  type: 'subscription.changed',
  instanceId,
  subject: id,
  formId: form_id,
  occurredAt: clock.now(),
  body: JSON.stringify({ id, form_id, event, url, state, revision }),
});

/** Plans for subscriptions that have answered before; lanes.test.ts covers the others. */
export async function plan(given: Deps, events: readonly DomainEvent[]): Promise<number> {
  const { made } = await planAsUnproven(given, events);
  await db('turn').where({ lane: 'unproven' }).update({ lane: 'quick' });
  return made;
}

/** Begins due attempts and waits for them to end. */
export async function run(attempts = new Attempts(deps)): Promise<number> {
  const { begun } = await attempts.runDue();
  await attempts.idle();
  return begun;
}

export const deliveriesTo = (subscription: { id: string }) =>
  db('delivery')
    .leftJoin('queue', 'delivery_id', 'id')
    .where({ 'delivery.subscription_id': subscription.id })
    .orderBy('id')
    .select<Record<string, unknown>[]>(
      'delivery.*',
      'queue.next_attempt_at',
      db.raw('coalesce(queue.attempts, delivery.attempts) as attempts'),
    );
export const attemptsTo = (subscription: { id: string }) =>
  db('attempt')
    .join('delivery', 'delivery.id', 'attempt.delivery_id')
    .where({ subscription_id: subscription.id })
    .orderBy(['delivery.id', 'number'])
    .select<Record<string, unknown>[]>('attempt.*');
export const later = (ms: number) => new Date(clock.now().getTime() + ms);
