import { createEgress, type Outcome } from '@sheaf/egress';
import { Broker, startRelay, type DomainEvent } from '@sheaf/events';
import { newId, type User, type WorkspaceRole } from '@sheaf/kernel';
import { connectTo, problemOf, type Database } from '@sheaf/postgres';
import { connect, Deliveries, serve, type Client, type DeliveriesDefinition } from '@sheaf/rpc';
import type { Process } from '@sheaf/runtime';
import {
  aUser,
  brokerUrl,
  callAs,
  freshDatabase,
  servingSettings,
  startSubscriber,
  TestClock,
  testProcess,
  verifyTestCaller,
  type Subscriber,
  type TestProcess,
} from '@sheaf/testing';
import { Attempts } from '../../src/attempts/attempts';
import type { Deps } from '../../src/deps';
import { Seals } from '../../src/keys/seals';
import { WebhookKeys } from '../../src/keys/webhook-keys';
import { ListenedForms } from '../../src/listening/listened-forms';
import { deliveryMetrics, watchQueue } from '../../src/metrics';
import { migrations } from '../../src/migrations';
import { FormFields } from '../../src/payloads/form-fields';
import { Payloads } from '../../src/payloads/payloads';
import { TestLimit, type TestingDeps } from '../../src/payloads/test-webhook';
import { followSubscriptions } from '../../src/subscriptions/follow-subscriptions';
import { plan } from '../../src/planning/plan';
import type { Listener } from '../../src/planning/remembered-listeners';
import { doors } from '../../src/server';
import { startForms, startHooks, startSubmissions, type FakeFiles, type FakeForms, type FakeHooks } from './neighbours';

export const serviceSettings: Deps['settings'] = {
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
  ERASING_SECOND_LOOK_MS: 120_000,
};

interface DeliveryRow {
  id: string;
  state: string;
  attempts: number;
  next_attempt_at: Date | null;
}

interface Parts {
  process: TestProcess;
  databaseUrl: string;
  broker: Broker;
  clock: TestClock;
  deps: Deps;
  hooks: FakeHooks;
  forms: FakeForms;
  files: FakeFiles;
  /** The ids of versions, by submission. */
  madeAgainst: Map<string, string>;
  client: Client<DeliveriesDefinition>;
  instanceId: string;
  workspaceId: string;
}

/** Starts the delivery service with its own database, the worker's NATS, fake neighbours, and a subscriber to call. */
export async function startService(settings: Partial<Deps['settings']> = {}): Promise<Service> {
  const process = testProcess('delivery');
  const clock = new TestClock();
  const ids = { instanceId: newId(), workspaceId: newId() };
  const { db, url: databaseUrl } = await freshDatabase(migrations);
  process.onStop('database', () => db.destroy());
  const hooks = await startHooks(process);
  const forms = await startForms(process, ids);
  const submissions = await startSubmissions(process);
  const ownCall = () => callAs({ kind: 'service', id: 'delivery' });
  const fields = new FormFields({ forms: forms.client, ownCall });
  const broker = await Broker.connect(process, brokerUrl());
  const outbox = outboxOf(process, { db, broker, clock });
  const deps: Deps = {
    db,
    clock,
    outbox,
    forms: forms.client,
    payloads: new Payloads({ fields, submissions: submissions.client, ownCall }),
    hooks: hooks.client,
    // Each event is planned with those who listen by then.
    listenedForms: new ListenedForms({ db, clock }, 0),
    log: process.log,
    settings: { ...serviceSettings, ...settings },
    metrics: deliveryMetrics(process.metrics),
    egress: createEgress({ allowPrivateTargets: true, privateOrigins: [], idleMs: 60_000 }),
    webhookKeys: new WebhookKeys({
      db,
      outbox,
      clock,
      settings: { WEBHOOK_SIGNING_SECRETS: ['a secret of the tests, long enough'], WEBHOOK_KEY_OVERLAP_MS: 60_000 },
    }),
    seals: new Seals({ db, clock, settings: { WEBHOOK_SIGNING_SECRETS: ['a secret of the tests, long enough'] } }),
    ownCall,
  };
  watchQueue(process.metrics, deps);
  const client = await serveDeliveries(process, { ...deps, fields, webhooks: hooks.webhooks, tests: new TestLimit() });
  return new Service(
    {
      process,
      databaseUrl,
      broker,
      clock,
      deps,
      hooks,
      forms,
      files: submissions.files,
      madeAgainst: submissions.versionIds,
      client,
      ...ids,
    },
    await startSubscriber(),
  );
}

const outboxOf = (process: Process, { db, broker, clock }: { db: Database; broker: Broker; clock: TestClock }) =>
  startRelay(process, { db, broker, source: 'delivery', clock, settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 } });

async function serveDeliveries(process: TestProcess, deps: Deps & TestingDeps): Promise<Client<DeliveriesDefinition>> {
  const port = await serve(process, {
    protocol: Deliveries,
    doors: doors({ ...deps, wake: () => undefined }),
    verify: verifyTestCaller,
    settings: servingSettings,
    problemOf,
  });
  const connection = connect(`127.0.0.1:${port}`, Deliveries);
  process.onStop('client', () => connection.close());
  return connection.client;
}

/** The running service, with helpers for its tests. */
export class Service {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly clock: TestClock;
  readonly deps: Deps;
  readonly client: Client<DeliveriesDefinition>;
  readonly instanceId: string;
  readonly workspaceId: string;
  private readonly processes: TestProcess[] = [];

  constructor(
    private readonly parts: Parts,
    public subscriber: Subscriber,
  ) {
    ({ databaseUrl: this.databaseUrl, clock: this.clock, deps: this.deps, client: this.client } = parts);
    ({ instanceId: this.instanceId, workspaceId: this.workspaceId } = parts);
    this.db = parts.deps.db;
  }

  /** Prepares a service that several tests share: no subscriptions, nothing to send, and a new subscriber. */
  async reset(): Promise<void> {
    await this.stopProcesses();
    this.subscriber = await startSubscriber();
    this.parts.hooks.listeners.clear();
    await this.db('queue').delete();
    await this.db('turn').update({ due_at: null });
    await this.db('delivery').where({ state: 'pending' }).update({ state: 'cancelled' });
  }

  async stop(): Promise<void> {
    await this.stopProcesses();
    await this.parts.process.stop();
  }

  /** Closing the subscriber ends the POSTs that hang, and only then can their processes stop. */
  private async stopProcesses(): Promise<void> {
    await this.subscriber.close();
    await Promise.all(this.processes.splice(0).map((process) => process.stop()));
  }

  /** The stand-ins for the other services. */
  get neighbours(): Pick<Parts, 'hooks' | 'forms' | 'files' | 'madeAgainst'> {
    return this.parts;
  }

  /** The event types that each call asked `hooks` about. */
  get hooksCalls(): string[][] {
    return this.parts.hooks.calls;
  }

  metrics = (): Promise<string> => this.parts.process.metrics.metrics();

  later = (ms: number): Date => new Date(this.clock.now().getTime() + ms);

  member = (role: WorkspaceRole): User =>
    aUser({ instanceId: this.instanceId, workspaceId: this.workspaceId, roles: { [this.workspaceId]: role } });

  /** An active subscription, as `hooks` knows it. Nothing was ever sent to it. */
  subscription(changes: Partial<Listener> = {}): Listener {
    const listener = {
      id: newId(),
      instance_id: this.instanceId,
      form_id: newId(),
      event: 'submission.created',
      events: changes.events ?? [changes.event ?? 'submission.created'],
      url: `${this.subscriber.url}/hook`,
      revision: 1,
      wide: false,
      payload: 'contract' as const,
      link_origin: null,
      retry: null,
      options: null,
      active: true,
      ...changes,
    };
    this.parts.hooks.listeners.set(listener.id, listener);
    return listener;
  }

  event = (formId: string, changes: Partial<DomainEvent> = {}): DomainEvent => ({
    id: newId(),
    type: 'submission.created',
    instanceId: this.instanceId,
    subject: newId(),
    formId,
    occurredAt: this.clock.now(),
    body: `{"event":"submission.created", "form_id":"${formId}","data":{"name":"Zoë ☃"}}`,
    ...changes,
  });

  /** The event of `hooks` about a changed subscription. */
  changed = (
    { id, form_id, event, events, url, retry }: Listener,
    state: 'active' | 'inactive' | 'deleted',
    revision: number,
  ): DomainEvent =>
    this.event(form_id, {
      type: 'subscription.changed',
      subject: id,
      body: JSON.stringify({ id, form_id, event, events: events ?? undefined, url, state, revision, retry: retry ?? undefined }),
    });

  /** Plans events of the subscription's form. @returns their ids. */
  async planEvents({ form_id }: Listener, times = 1): Promise<string[]> {
    const events = Array.from({ length: times }, () => this.event(form_id));
    await plan(this.deps, events);
    return events.map(({ id }) => id);
  }

  /** Plans events for subscriptions that have answered before. @returns the number of deliveries. */
  async planAsQuick(events: readonly DomainEvent[]): Promise<number> {
    const { made } = await plan(this.deps, events);
    await this.db('turn').where({ lane: 'unproven' }).update({ lane: 'quick' });
    return made;
  }

  /** Marks subscriptions as quick, as if they had answered before. */
  async markQuick(...subscriptions: Listener[]): Promise<void> {
    const ids = subscriptions.map(({ id }) => id);
    await this.db('turn').whereIn('subscription_id', ids).update({ lane: 'quick' });
  }

  async switchOff(subscription: Listener): Promise<void> {
    this.parts.hooks.listeners.delete(subscription.id);
    await followSubscriptions(this.deps, [this.changed(subscription, 'inactive', subscription.revision + 1)]);
  }

  attemptsWith = (settings: Partial<Deps['settings']>): Attempts =>
    new Attempts({ ...this.deps, settings: { ...this.deps.settings, ...settings } });

  /** Begins due attempts and waits for them to end. @returns how many there were. */
  async run(attempts = new Attempts(this.deps)): Promise<number> {
    const { begun } = await attempts.runDue();
    await attempts.idle();
    return begun;
  }

  /** The deliveries of a subscription, oldest first. */
  deliveries = ({ id }: Pick<Listener, 'id'>): Promise<DeliveryRow[]> =>
    this.db('delivery')
      .leftJoin('queue', 'delivery_id', 'id')
      .where({ 'delivery.subscription_id': id })
      .orderBy('id')
      .select('delivery.*', 'queue.next_attempt_at', this.db.raw('coalesce(queue.attempts, delivery.attempts) as attempts'));

  attempts = (deliveryId: string): Promise<{ number: number; status: number | null; error: string | null }[]> =>
    this.db('attempt').where({ delivery_id: deliveryId }).orderBy('number').select('number', 'status', 'error');

  /** The attempts of all deliveries of a subscription. */
  attemptsTo = ({ id }: Pick<Listener, 'id'>): Promise<object[]> =>
    this.db('attempt')
      .join('delivery', 'delivery.id', 'attempt.delivery_id')
      .where({ subscription_id: id })
      .orderBy(['delivery.id', 'number'])
      .select('attempt.*');

  /** The events that the service publishes from now on. */
  async recordEvents(): Promise<readonly DomainEvent[]> {
    const events: DomainEvent[] = [];
    const { broker } = this.parts;
    broker.listen('sheaf.events.delivery.>', { onEvent: (event) => events.push(event), onGap: () => undefined });
    await broker.connection.flush();
    return events;
  }

  /** A process that stops after the test. */
  process(name = 'delivery'): TestProcess {
    const process = testProcess(name);
    this.processes.push(process);
    return process;
  }

  /** Another process of the service, with its own pool and outbox. */
  otherProcess = (): Deps => this.copy().deps;

  /**
   * A process that is killed once its POSTs have arrived, so it never gets an answer.
   * @param post called for each POST; its result is discarded.
   */
  dyingAttempts(post: (...args: Parameters<Deps['egress']['post']>) => Promise<unknown> = this.deps.egress.post): Attempts {
    const { process, deps } = this.copy();
    let end: (outcome: Outcome) => void = () => undefined;
    const ended = new Promise<Outcome>((resolve) => (end = resolve));
    const attempts = new Attempts({ ...deps, egress: { post: (...args) => post(...args).then(() => ended) } });
    // A test cannot kill itself, so the POSTs end only when the test is over.
    process.onStop('attempts', () => {
      end({ error: 'reset', durationMs: 0 });
      return attempts.idle();
    });
    return attempts;
  }

  /** Stopped with the service, after the workers that use it. */
  private copy(): { process: TestProcess; deps: Deps } {
    const process = testProcess('delivery');
    this.parts.process.onStop('another', () => process.stop());
    const db = connectTo(this.databaseUrl, 'another', 5);
    process.onStop('database', () => db.destroy());
    return { process, deps: { ...this.deps, db, outbox: outboxOf(process, { db, broker: this.parts.broker, clock: this.clock }) } };
  }
}
