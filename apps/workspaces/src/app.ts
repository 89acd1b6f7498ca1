import { eventSources } from '@sheaf/contracts';
import { Broker, consume, startRelay } from '@sheaf/events';
import { systemClock } from '@sheaf/kernel';
import { migrateCommand, openDatabase, problemOf, versionCommand } from '@sheaf/postgres';
import { callerVerifier, serve, Workspaces, watchTokenAge } from '@sheaf/rpc';
import { runPeriodically, asApp, type Process } from '@sheaf/runtime';
import { removeOldEntries } from './audit-log/audit-retention';
import { Config } from './config';
import { createInstanceCommand } from './instances/create-instance-command';
import { migrations } from './migrations';
import { forgetErased } from './people/forget-addresses';
import { noteGrants } from './members/note-grants';
import { operatorCommands } from './operator/operator-commands';
import { seedCommand } from './instances/seed';
import { doors } from './server';
import { sessionTokens } from './sessions/session-token';
import { storeFromEvery } from './store-from-every';
import { sweep } from './sweep';
import { tellStanding } from './people/tell-standing';

const hourMs = 3_600_000;
const erasingPauseMs = 5_000;
const tellingPauseMs = 60_000;

export const app = asApp({
  name: 'workspaces',
  config: Config,
  serve: start,
  commands: {
    migrate: migrateCommand(migrations),
    seed: seedCommand,
    version: versionCommand('workspaces', migrations),
    'create-instance': createInstanceCommand,
    ...operatorCommands,
  },
});

async function start(process: Process, config: Config): Promise<void> {
  const clock = systemClock;
  const db = openDatabase(process, config);
  const broker = Broker.start(process, config);
  const outbox = startRelay(process, { db, broker, source: 'workspaces', clock, settings: config });
  const deps = { db, outbox, clock, sessionTokens: sessionTokens(config.SESSION_SECRET, clock), settings: config };
  for (const source of eventSources) {
    consume(process, { broker, durable: 'workspaces', source, of: 'every', handle: (events) => storeFromEvery(deps, process.log, events) });
  }
  consume(process, { broker, durable: 'workspaces', source: 'forms', handle: (events) => noteGrants(deps, process.log, events) });
  runPeriodically(process, { name: 'removing old audit log entries', everyMs: hourMs }, (stopping) => removeOldEntries(deps, stopping));
  runPeriodically(process, { name: 'completing the erasing of people', everyMs: erasingPauseMs }, (stopping) =>
    forgetErased(deps, stopping),
  );
  runPeriodically(
    process,
    { name: 'removing expired sessions, invitations, sign-in links and slug reservations', everyMs: hourMs },
    (stopping) => sweep(deps, stopping),
  );
  runPeriodically(process, { name: 'telling again what people are', everyMs: tellingPauseMs }, (stopping) => tellStanding(deps, stopping));
  await serve(process, {
    protocol: Workspaces,
    doors: doors(deps),
    verify: callerVerifier(config.CALLER_KEYS, watchTokenAge(process)),
    settings: config,
    problemOf,
  });
}
