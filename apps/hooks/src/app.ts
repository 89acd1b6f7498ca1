import { createEgress, targetRules } from '@sheaf/egress';
import { Broker, consume, startRelay, type DomainEvent } from '@sheaf/events';
import { systemClock } from '@sheaf/kernel';
import { migrateCommand, openDatabase, problemOf, versionCommand } from '@sheaf/postgres';
import { callerVerifier, Hooks, neighboursOf, serve, watchTokenAge } from '@sheaf/rpc';
import { asApp, type Process } from '@sheaf/runtime';
import { Config } from './config';
import { deactivateGone } from './subscription/deactivate-gone';
import { eraseForms } from './erasing/erase-form';
import { eraseWorkspaces } from './erasing/erase-workspace';
import { erasePeople } from './erasing/erase-person';
import { endUnentitled } from './entitlement/end-unentitled';
import { followForms } from './entitlement/follow-forms';
import { listenerLeaseMs } from './listeners/listener-lease';
import { migrations } from './migrations';
import { operatorCommands } from './operator-commands';
import { doors } from './server';

export const app = asApp({
  name: 'hooks',
  config: Config,
  serve: start,
  commands: { migrate: migrateCommand(migrations), version: versionCommand('hooks', migrations), ...operatorCommands },
});

async function start(process: Process, config: Config): Promise<void> {
  const clock = systemClock;
  const db = openDatabase(process, config);
  const broker = Broker.start(process, config);
  const outbox = startRelay(process, { db, broker, source: 'hooks', clock, settings: config });
  const { forms } = neighboursOf(process, 'hooks', config);
  const egress = createEgress(targetRules(config));
  const deps = { db, outbox, clock, forms, egress, listenerLeaseMs, settings: config };
  consume(process, { broker, durable: 'hooks', source: 'delivery', handle: (events) => deactivateGone(deps, process.log, events) });
  for (const source of ['workspaces', 'forms'] as const) {
    const handle = async (events: readonly DomainEvent[]) => {
      await endUnentitled(deps, process.log, events);
      await followForms(deps, process.log, events);
      await eraseForms(deps, process.log, events);
      await eraseWorkspaces(deps, process.log, events);
      await erasePeople(deps, process.log, events);
    };
    consume(process, { broker, durable: 'hooks', source, handle });
  }
  await serve(process, {
    protocol: Hooks,
    doors: doors(deps),
    verify: callerVerifier(config.CALLER_KEYS, watchTokenAge(process)),
    settings: config,
    problemOf,
  });
}
