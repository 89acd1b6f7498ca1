import { createEgress, type Outcome } from '@sheaf/egress';
import { Broker, startRelay, type DomainEvent } from '@sheaf/events';
import { newId, Problem } from '@sheaf/kernel';
import { connectTo, problemOf, type Database } from '@sheaf/postgres';
import { clientsWith, connect, Deliveries, Forms, Hooks, open, serve, type Client, type DeliveriesDefinition } from '@sheaf/rpc';
import type { Process } from '@sheaf/runtime';
import {
  brokerUrl,
  callAs,
  freshDatabase,
  servingSettings,
  startNeighbour,
  startSubscriber,
  TestClock,
  testProcess,
  verifyTestCaller,
  type Subscriber,
} from '@sheaf/testing';
import { Attempts } from '../../src/attempts/attempt';
import type { Deps } from '../../src/deps';
import { followSubscriptions } from '../../src/planning/follow-subscriptions';
import { deliveryMetrics, watchQueue } from '../../src/metrics';
import { migrations } from '../../src/migrations';
import { plan } from '../../src/planning/plan';
import type { Listener } from '../../src/planning/remembered-listeners';
import { doors } from '../../src/server';
import { WebhookKeys } from '../../src/keys/webhook-keys';

export interface Service {
  db: Database;
  databaseUrl: string;
  clock: TestClock;
  deps: Deps;
  subscriber: Subscriber;
  client: Client<DeliveriesDefinition>;
  instanceId: string;
  workspaceId: string;
  /** This service's metrics, as scraped. */
  metrics(): Promise<string>;
  /** A subscription that `hooks` knows. It has answered before unless `given` says otherwise. */
  subscription(given?: Partial<Listener>): Listener;
  /** Plans events of the form. @returns their ids. */
  happen(subscription: Listener, times?: number): Promise<string[]>;
  switchOff(subscription: Listener): Promise<void>;
  /** Marks subscriptions as quick. */
  prove(...subscriptions: Listener[]): Promise<void>;
  /** Begins due attempts and waits for them to end. @returns how many there were. */
  run(attempts?: Attempts): Promise<number>;
  /** The deliveries of a subscription, oldest first, as its log shows them. */
  deliveries(subscription: Listener): Promise<{ id: string; state: string; attempts: number; next_attempt_at: Date | null }[]>;
  attempts(deliveryId: string): Promise<{ number: number; status: number | null; error: string | null }[]>;
  /** Another process, with its own pool and outbox. It is stopped with the service. */
  another(): Deps;
  /** A process that is killed once its POSTs have arrived, so it never gets an answer. @param post what happens to them before that. */
  dying(post?: (...given: Parameters<Deps['egress']['post']>) => Promise<unknown>): Attempts;
  stop(): Promise<void>;
}

export const serviceSettings = {
  // A busy machine must not make subscribers look slow. Tests about slow subscribers set their own value.
  DELIVERY_SLOW_MS: 10_000,
  DELIVERY_TIMEOUT_MS: 15_000,
  DELIVERY_CONCURRENCY: 40,
  DELIVERY_PER_SUBSCRIPTION: 3,
  DELIVERY_LOG_DAYS: 30,
  DELIVERY_BACKLOG: 100_000,
  DELIVERY_PER_INSTANCE_PER_MINUTE: 0,
  SUBSCRIPTION_FAILING_DAYS: 5,
  RETRY_DELAYS_MS: [4_000, 16_000],
};

/** The delivery service on its own servers, with a subscriber to call. */
export async function startService(settings: Partial<Deps['settings']> = {}): Promise<Service> {
  const own = testProcess('delivery');
  const clock = new TestClock();
  const [instanceId, workspaceId] = [newId(), newId()];
  const listening = new Map<string, Listener>();

  const hooks = await startNeighbour(Hooks, {
    listListeners: open(['service'], ({ topics }) =>
      Promise.resolve({
        listeners: [...listening.values()].filter(({ form_id, event }) =>
          topics.some((topic) => topic.form_id === form_id && topic.event === event),
        ),
      }),
    ),
  });
  own.onStop('hooks', hooks.stop);
  const forms = await startNeighbour(Forms, {
    getFormAccess: open(clientsWith('hooks:manage'), ({ form_id }, { caller }) =>
      caller.instanceId === instanceId
        ? Promise.resolve({ form_id, workspace_id: workspaceId, creator_kind: 'user', creator_id: newId(), grants: {}, status: 'active' })
        : Promise.reject(Problem.notFound('form')),
    ),
  });
  own.onStop('forms', forms.stop);

  const { db, url } = await freshDatabase(migrations);
  own.onStop('database', () => db.destroy());
  const broker = await Broker.connect(own, brokerUrl());
  const outboxOn = (process: Process, database: Database) =>
    startRelay(process, {
      db: database,
      broker,
      source: 'delivery',
      clock,
      settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 },
    });
  const outbox = outboxOn(own, db);
  const deps: Deps = {
    db,
    clock,
    outbox,
    hooks: hooks.client,
    forms: forms.client,
    log: own.log,
    settings: { ...serviceSettings, ...settings },
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
  watchQueue(own.metrics, deps);
  const port = await serve(own, {
    protocol: Deliveries,
    doors: doors({ ...deps, wake: () => undefined }),
    verify: verifyTestCaller,
    settings: servingSettings,
    problemOf,
  });
  const connection = connect(`127.0.0.1:${port}`, Deliveries);
  own.onStop('client', () => connection.close());
  const subscriber = await startSubscriber();
  own.onStop('subscriber', () => subscriber.close());

  const subscription: Service['subscription'] = (given = {}) => {
    const made = {
      id: newId(),
      instance_id: instanceId,
      form_id: newId(),
      event: 'submission.created',
      url: `${subscriber.url}/hook`,
      revision: 1,
      ...given,
    };
    listening.set(made.id, made);
    return made;
  };
  const event = (formId: string): DomainEvent => ({
    id: newId(),
    type: 'submission.created',
    instanceId,
    subject: newId(),
    formId,
    occurredAt: clock.now(),
    body: `{"event":"submission.created","form_id":"${formId}"}`,
  });

  const aProcess = () => {
    const process = testProcess('delivery');
    own.onStop('another', () => process.stop());
    const pool = connectTo(url, 'another', 5);
    process.onStop('database', () => pool.destroy());
    return { process, deps: { ...deps, db: pool, outbox: outboxOn(process, pool) } };
  };

  return {
    db,
    databaseUrl: url,
    clock,
    deps,
    subscriber,
    client: connection.client,
    instanceId,
    workspaceId,
    subscription,
    metrics: () => own.metrics.metrics(),
    async happen({ form_id }, times = 1) {
      const events = Array.from({ length: times }, () => event(form_id));
      await plan(deps, events);
      return events.map(({ id }) => id);
    },
    async switchOff({ id, form_id, event: name, url: target, revision }) {
      listening.delete(id);
      const body = JSON.stringify({ id, form_id, event: name, url: target, state: 'inactive', revision: revision + 1 });
      await followSubscriptions(deps, [
        { id: newId(), type: 'subscription.changed', instanceId, subject: id, formId: form_id, occurredAt: clock.now(), body },
      ]);
    },
    async prove(...subscriptions) {
      await db('turn')
        .whereIn(
          'subscription_id',
          subscriptions.map(({ id }) => id),
        )
        .update({ lane: 'quick' });
    },
    async run(attempts = new Attempts(deps)) {
      const { begun } = await attempts.runDue();
      await attempts.idle();
      return begun;
    },
    deliveries: ({ id }) =>
      db('delivery')
        .leftJoin('queue', 'delivery_id', 'id')
        .where({ 'delivery.subscription_id': id })
        .orderBy('id')
        .select('id', 'state', 'next_attempt_at', db.raw('coalesce(queue.attempts, delivery.attempts) as attempts')),
    attempts: (id) => db('attempt').where({ delivery_id: id }).orderBy('number').select('number', 'status', 'error'),
    another: () => aProcess().deps,
    dying(post = deps.egress.post) {
      const { process, deps: its } = aProcess();
      let end: (outcome: Outcome) => void = () => undefined;
      const over = new Promise<Outcome>((resolve) => (end = resolve));
      const attempts = new Attempts({ ...its, egress: { post: (...given) => post(...given).then(() => over) } });
      // A test cannot kill itself, so the POSTs end only when the test is over.
      process.onStop('attempts', () => {
        end({ error: 'reset', durationMs: 0 });
        return attempts.idle();
      });
      return attempts;
    },
    stop: () => own.stop(),
  };
}
