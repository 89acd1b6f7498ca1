import { Broker, consume, startRelay, type DomainEvent } from '@sheaf/events';
import { systemClock } from '@sheaf/kernel';
import { migrateCommand, openDatabase, problemOf, versionCommand } from '@sheaf/postgres';
import { callerVerifier, Forms, neighboursOf, serve, watchTokenAge } from '@sheaf/rpc';
import { runPeriodically, asApp, type Process } from '@sheaf/runtime';
import { Config } from './config';
import { eraseWorkspaces, noteErasedWorkspaces } from './erasing/erase-workspace';
import { erasePeople } from './erasing/erase-person';
import { migrations } from './migrations';
import { operatorCommands } from './operator-commands';
import { doors } from './server';
import { removeOldVacated } from './form/slug-quarantine';
import { removeUnusedPictures } from './pictures/pictures';
import { tellGrants } from './access/tell-grants';
import { unfileForms } from './filing/unfile-forms';
import { ReadingThreads } from './xlsform/reading-threads';

const hourMs = 3_600_000;
const erasingPauseMs = 5_000;
const tellingPauseMs = 60_000;

export const app = asApp({
  name: 'forms',
  config: Config,
  serve: start,
  commands: { migrate: migrateCommand(migrations), version: versionCommand('forms', migrations), ...operatorCommands },
});

async function start(process: Process, config: Config): Promise<void> {
  const clock = systemClock;
  const db = openDatabase(process, config);
  const broker = Broker.start(process, config);
  const outbox = startRelay(process, { db, broker, source: 'forms', clock, settings: config });
  const { workspaces } = neighboursOf(process, 'forms', config);
  // Resolved rather than imported: the thread's code is a separate file beside the bundle.
  const xlsForms = new ReadingThreads(require.resolve('./xlsform/read-thread'));
  process.onStop('reading XLSForms', () => xlsForms.stop());
  const deps = { db, outbox, clock, workspaces, xlsForms, settings: config };
  const handle = async (events: readonly DomainEvent[]) => {
    await unfileForms(deps, process.log, events);
    await erasePeople(deps, process.log, events);
    await noteErasedWorkspaces(deps, process.log, events);
  };
  consume(process, { broker, durable: 'forms', source: 'workspaces', handle });
  runPeriodically(process, { name: 'removing expired slug reservations', everyMs: hourMs }, (stopping) => removeOldVacated(deps, stopping));
  runPeriodically(process, { name: 'removing unused pictures', everyMs: hourMs }, (stopping) => removeUnusedPictures(deps, stopping));
  runPeriodically(process, { name: 'erasing the forms of erased workspaces', everyMs: erasingPauseMs }, (stopping) =>
    eraseWorkspaces(deps, stopping),
  );
  runPeriodically(process, { name: 'telling again who was granted a role', everyMs: tellingPauseMs }, (stopping) =>
    tellGrants(deps, stopping),
  );
  await serve(process, {
    protocol: Forms,
    doors: doors(deps),
    verify: callerVerifier(config.CALLER_KEYS, watchTokenAge(process)),
    settings: config,
    problemOf,
  });
}
