import { createEgress } from '@sheaf/egress';
import { Broker, consume, startRelay } from '@sheaf/events';
import { systemClock } from '@sheaf/kernel';
import { migrateCommand, openDatabase, problemOf, versionCommand } from '@sheaf/postgres';
import { callerVerifier, connect, Forms, Hooks, serve, watchTokenAge } from '@sheaf/rpc';
import { runApp, type Process } from '@sheaf/runtime';
import { Config } from './config';
import { deactivateGone } from './deactivate-gone';
import { endUnentitled } from './end-unentitled';
import { listenerLeaseMs } from './listener-lease';
import { migrations } from './migrations';
import { doors } from './server';

void runApp('hooks', { config: Config, serve: start }, { migrate: migrateCommand(migrations), version: versionCommand('hooks', migrations) });

async function start(own: Process, config: Config): Promise<void> {
  const clock = systemClock;
  const db = openDatabase(own, config);
  const broker = Broker.start(own, config);
  const outbox = startRelay(own, { db, broker, source: 'hooks', clock, settings: config });
  const forms = connect(config.FORMS_ADDR, Forms, own);
  own.onStop('forms', () => forms.close());
  const egress = createEgress({ allowPrivateTargets: config.HOOKS_ALLOW_PRIVATE_TARGETS, privateOrigins: config.HOOKS_PRIVATE_ORIGINS });
  const deps = { db, outbox, clock, forms: forms.client, egress, listenerLeaseMs, settings: config };
  consume(own, { broker, durable: 'hooks', source: 'delivery', handle: (events) => deactivateGone(deps, own.log, events) });
  for (const source of ['workspaces', 'forms'] as const) {
    consume(own, { broker, durable: 'hooks', source, handle: (events) => endUnentitled(deps, own.log, events) });
  }
  await serve(own, { protocol: Hooks, doors: doors(deps), verify: callerVerifier(config.CALLER_KEYS, watchTokenAge(own)), settings: config, problemOf });
}
