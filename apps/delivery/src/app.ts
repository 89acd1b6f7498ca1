import { createEgress, sendingRules } from '@sheaf/egress';
import { Broker, consume, eraseFromStream, startRelay, type DomainEvent } from '@sheaf/events';
import { isOwnOrigin, newId, systemClock } from '@sheaf/kernel';
import { migrateCommand, openDatabase, problemOf, versionCommand } from '@sheaf/postgres';
import { callerVerifier, callerSigner, callerTokens, Deliveries, neighboursOf, serve, watchTokenAge } from '@sheaf/rpc';
import { runPeriodically, asApp, type Process } from '@sheaf/runtime';
import { Attempts } from './attempts/attempts';
import { InstanceHosts } from './attempts/instance-hosts';
import { startWorker } from './attempts/worker';
import { Config } from './config';
import { eraseNoted } from './erasing/erase-noted';
import { noteErasures } from './erasing/note-erasures';
import { Seals } from './keys/seals';
import { WebhookKeys } from './keys/webhook-keys';
import { ListenedForms } from './listening/listened-forms';
import { removeEnded } from './listening/listening.queries';
import { maintainLog } from './log/maintain-log';
import { deliveryMetrics, watchQueue } from './metrics';
import { migrations } from './migrations';
import { operatorCommands } from './operator-commands';
import { FormFields } from './payloads/form-fields';
import { Payloads } from './payloads/payloads';
import { TestLimit } from './payloads/test-webhook';
import { bringBackPassedOver } from './planning/passed-over';
import { plan } from './planning/plan';
import { RememberedListeners } from './planning/remembered-listeners';
import { doors } from './server';
import { cancelEnded } from './subscriptions/cancel-ended';
import { followSubscriptions } from './subscriptions/follow-subscriptions';

export const app = asApp({
  name: 'delivery',
  config: Config,
  serve: start,
  commands: { migrate: migrateCommand(migrations), version: versionCommand('delivery', migrations), ...operatorCommands },
});

// If `hooks` does not answer, only events wait.
const hooksTimeoutMs = 5_000;
// Composing a named body happens within the lease of its attempt.
const composingTimeoutMs = 2_000;
const hourMs = 3_600_000;
const cancelEveryMs = 1_000;
const bringBackEveryMs = 1_000;
const eraseEveryMs = 1_000;
/** A system at rest looks this rarely for such work of processes that died; a process hurries to what it has left itself. */
const restMs = 5_000;
const listenersEveryMs = 10_000;

async function start(process: Process, config: Config): Promise<void> {
  const clock = systemClock;
  const db = openDatabase(process, config);
  const broker = Broker.start(process, config);
  const outbox = startRelay(process, { db, broker, source: 'delivery', clock, settings: config });
  const { hooks, forms, submissions, workspaces } = neighboursOf(process, 'delivery', config);
  const token = callerTokens(callerSigner(config.CALLER_KEY), { kind: 'service', id: 'delivery' });
  const callWithin = (ms: number) => ({ token, requestId: newId(), deadline: Date.now() + ms });
  const hosts = new InstanceHosts({ workspaces, clock, callWithin, log: process.log });
  const ownCall = () => callWithin(hooksTimeoutMs);
  const fields = new FormFields({ forms, ownCall: () => callWithin(composingTimeoutMs) });
  const deps = {
    db,
    outbox,
    clock,
    log: process.log,
    tracer: process.tracer,
    metrics: deliveryMetrics(process.metrics),
    forms,
    hooks: new RememberedListeners({ hooks, forms, clock }),
    listenedForms: new ListenedForms({ db, clock }),
    egress: createEgress({
      ...sendingRules(config, (err) => process.log.warn({ err }, 'WEBHOOK_CA_FILE cannot be used; those that were read last stay trusted')),
      isOwnOrigin: (url) => isOwnOrigin(url, { ports: config.PUBLIC_PORTS, isOwnHost: (host) => hosts.has(host) }),
    }),
    webhookKeys: new WebhookKeys({ db, outbox, clock, settings: config }),
    seals: new Seals({ db, clock, settings: config }),
    payloads: new Payloads({ fields, submissions, ownCall: () => callWithin(composingTimeoutMs) }),
    ownCall,
    settings: config,
  };

  watchQueue(process.metrics, deps);
  runPeriodically(process, { name: 'wrapping sealing keys with the current secret', everyMs: hourMs }, () => deps.seals.rewrap());
  runPeriodically(process, { name: 'dropping expired days of the log', everyMs: hourMs }, async () => (await maintainLog(deps)).length);
  const cancelling = runPeriodically(
    process,
    { name: 'cancelling deliveries of ended subscriptions', everyMs: cancelEveryMs, restMs },
    (stopping) => cancelEnded(deps, stopping),
  );
  outbox.onCommit(() => cancelling.soon());
  runPeriodically(process, { name: 'removing listeners that have ended', everyMs: listenersEveryMs }, () => removeEnded(db, clock));
  const attempts = new Attempts(deps);
  const worker = startWorker(process, attempts);
  const bringingBack = runPeriodically(
    process,
    { name: 'bringing back what an earlier version skipped', everyMs: bringBackEveryMs, restMs },
    async () => {
      const brought = await bringBackPassedOver(deps);
      if (brought > 0) worker.wake();
      return brought;
    },
  );
  const stream = { service: 'delivery', type: 'submission.created', source: 'submissions' } as const;
  const erasingDeps = {
    ...deps,
    eraseFromStream: (since: Date, isErased: (event: DomainEvent) => boolean) => eraseFromStream(broker, { ...stream, since, isErased }),
  };
  const erasing = runPeriodically(
    process,
    { name: 'erasing answers from the log and the stream', everyMs: eraseEveryMs, restMs },
    (stopping) => eraseNoted(erasingDeps, stopping),
  );
  const noteErased = async (events: readonly DomainEvent[]) => {
    await noteErasures(deps, events);
    if (events.length > 0) erasing.soon();
  };
  consume(process, {
    broker,
    durable: 'delivery',
    source: 'submissions',
    required: true,
    handle: async (events) => {
      const isErasure = ({ type }: DomainEvent) => type === 'submission.erased';
      await noteErased(events.filter(isErasure));
      await plan(
        deps,
        events.filter((event) => !isErasure(event)),
        attempts,
      );
    },
  });
  // An earlier version has no such consumer; the outbox and the stream keep these events for a process that has. It is not required: while it cannot
  // work, as beside an earlier version of `hooks`, only these events wait.
  consume(process, {
    broker,
    durable: 'delivery',
    source: 'submissions',
    of: 'submissions-more',
    handle: async (events) => void (await plan(deps, events, attempts)),
  });
  consume(process, {
    broker,
    durable: 'delivery',
    source: 'hooks',
    required: true,
    handle: async (events) => {
      await followSubscriptions(deps, events);
      cancelling.soon();
      // An earlier version that has heard of them first has skipped their events meanwhile.
      bringingBack.soon();
    },
  });
  consume(process, {
    broker,
    durable: 'delivery',
    source: 'forms',
    handle: (events) => noteErased(events.filter(({ type }) => type === 'form.erased')),
  });
  await serve(process, {
    protocol: Deliveries,
    doors: doors({ ...deps, fields, webhooks: hooks, tests: new TestLimit(), wake: () => worker.wake() }),
    verify: callerVerifier(config.CALLER_KEYS, watchTokenAge(process)),
    settings: config,
    problemOf,
  });
}
