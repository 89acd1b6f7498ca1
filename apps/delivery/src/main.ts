import { createEgress } from '@sheaf/egress';
import { Broker, consume, startRelay } from '@sheaf/events';
import { isOwnOrigin, newId, systemClock } from '@sheaf/kernel';
import { migrateCommand, openDatabase, problemOf, versionCommand } from '@sheaf/postgres';
import {
  callerSigner,
  callerTokens,
  callerVerifier,
  connect,
  Deliveries,
  Forms,
  Hooks,
  serve,
  watchTokenAge,
  Workspaces,
} from '@sheaf/rpc';
import { everySoOften, runApp, type Process } from '@sheaf/runtime';
import { Attempts } from './attempts/attempt';
import { InstanceHosts } from './attempts/instance-hosts';
import { cancelEnded } from './planning/cancel-ended';
import { Config } from './config';
import { followSubscriptions } from './planning/follow-subscriptions';
import { keepLog } from './log/keep-log';
import { deliveryMetrics, watchQueue } from './metrics';
import { migrations } from './migrations';
import { operatorCommands } from './operator-commands';
import { plan } from './planning/plan';
import { doors } from './server';
import { WebhookKeys } from './keys/webhook-keys';
import { RememberedListeners } from './planning/remembered-listeners';
import { startWorker } from './attempts/worker';

void runApp(
  'delivery',
  { config: Config, serve: start },
  { migrate: migrateCommand(migrations), version: versionCommand('delivery', migrations), ...operatorCommands },
);

// Only events wait while `hooks` does not answer.
const hooksTimeoutMs = 5_000;
const hourMs = 3_600_000;
const cancelEveryMs = 1_000;

async function start(own: Process, config: Config): Promise<void> {
  const clock = systemClock;
  const db = openDatabase(own, config);
  const broker = Broker.start(own, config);
  const outbox = startRelay(own, { db, broker, source: 'delivery', clock, settings: config });
  const hooks = connect(config.HOOKS_ADDR, Hooks, own);
  own.onStop('hooks', () => hooks.close());
  const forms = connect(config.FORMS_ADDR, Forms, own);
  own.onStop('forms', () => forms.close());
  const workspaces = connect(config.WORKSPACES_ADDR, Workspaces, own);
  own.onStop('workspaces', () => workspaces.close());
  const token = callerTokens(callerSigner(config.CALLER_KEY), { kind: 'service', id: 'delivery' });
  const callWithin = (ms: number) => ({ token, requestId: newId(), deadline: Date.now() + ms });
  const hosts = new InstanceHosts({ workspaces: workspaces.client, clock, callWithin, log: own.log });
  const deps = {
    db,
    outbox,
    clock,
    log: own.log,
    tracer: own.tracer,
    metrics: deliveryMetrics(own.metrics),
    forms: forms.client,
    hooks: new RememberedListeners({ hooks: hooks.client, clock }),
    egress: createEgress({
      allowPrivateTargets: config.HOOKS_ALLOW_PRIVATE_TARGETS,
      privateOrigins: config.HOOKS_PRIVATE_ORIGINS,
      isOwnOrigin: (url) => isOwnOrigin(url, { ports: config.PUBLIC_PORTS, isOwnHost: (host) => hosts.has(host) }),
    }),
    webhookKeys: new WebhookKeys({ db, outbox, clock, settings: config }),
    ownCall: () => callWithin(hooksTimeoutMs),
    settings: config,
  };

  watchQueue(own.metrics, deps);
  everySoOften(own, { name: 'dropping old days of the log', everyMs: hourMs }, async () => (await keepLog(deps)).length);
  everySoOften(own, { name: 'cancelling what ended subscriptions left', everyMs: cancelEveryMs }, (stopping) =>
    cancelEnded(deps, stopping),
  );
  const attempts = new Attempts(deps);
  const worker = startWorker(own, attempts);
  consume(own, {
    broker,
    durable: 'delivery',
    source: 'submissions',
    required: true,
    handle: async (events) => {
      await plan(deps, events, attempts);
    },
  });
  consume(own, { broker, durable: 'delivery', source: 'hooks', required: true, handle: (events) => followSubscriptions(deps, events) });
  await serve(own, {
    protocol: Deliveries,
    doors: doors({ ...deps, wake: () => worker.wake() }),
    verify: callerVerifier(config.CALLER_KEYS, watchTokenAge(own)),
    settings: config,
    problemOf,
  });
}
