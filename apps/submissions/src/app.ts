import { Broker, consume, startRelay } from '@sheaf/events';
import { systemClock } from '@sheaf/kernel';
import { migrateCommand, openDatabase, problemOf, versionCommand } from '@sheaf/postgres';
import { callerVerifier, neighboursOf, serve, Submissions, watchTokenAge } from '@sheaf/rpc';
import { runPeriodically, asApp, type Process } from '@sheaf/runtime';
import { admission } from './access-code/admission';
import { endUnentitled } from './bulk/entitlement';
import { removeBulkChanges, runBulkChanges } from './bulk/run-bulk-changes';
import { Config } from './config';
import { deleteExpired } from './saved/delete-expired';
import { deleteOldChanges } from './feed/delete-old-changes';
import { deleteOldKeys } from './intake/delete-old-keys';
import { intakeMetrics } from './intake/intake-metrics';
import { removeExports, runExports } from './export/run-exports';
import { ExactForms } from './exact/exact-forms';
import { formsView } from './form/forms-view';
import { intakeGuard } from './intake/guard';
import { finishErasures } from './erasing/finish-erasures';
import { eraseExpired } from './erasing/retention';
import { graceMs } from './erasing/settings';
import { followForms } from './erasing/follow-forms';
import { coverLongLists, listBlocks } from './list/blocks';
import { countWaiting } from './insights/count-waiting';
import { KnownVersions } from './insights/known-versions';
import { Steps } from './insights/steps';
import { Visits } from './insights/visits';
import { migrations } from './migrations';
import { operatorCommands } from './operator-commands';
import { MatchedPatterns } from './form/patterns';
import { collectsPayments } from './payments/settings';
import { removeUnclaimed } from './files/remove-files';
import { watchFiles } from './files/watch-files';
import { watchMissingVersions } from './insights/watch-missing-versions';
import { indexWaiting, searchBlocks } from './search/search-index';
import { doors } from './server';
import { expireAbandoned } from './payments/settle-payment';
import { openFiles } from './files/storage/files';
import { stripePayments } from './payments/stripe';

const hourMs = 3_600_000;
const tenMinutesMs = 600_000;
const minuteMs = 60_000;
/** A submission is found at most this long, and the time of a batch, after it was accepted. */
const indexingPauseMs = 1_000;
/** Insights count a submission at most this long after it was indexed. */
const countingPauseMs = 1_000;
const erasingPauseMs = 1_000;
/** An export in the background begins at most this long after it was asked for, if no other is under way. */
const exportingPauseMs = 1_000;
/** A bulk change begins at most this long after it was asked for, if no other is under way. */
const bulkPauseMs = 1_000;
/** A system at rest looks this rarely for such work of commands, and of processes that died; a process hurries to what it has left itself. */
const restMs = 5_000;
/** For submissions that were accepted for an erased form at the last moment and are still being stored. */
const erasingSlackMs = 60_000;

export const app = asApp({
  name: 'submissions',
  config: Config,
  serve: start,
  commands: { migrate: migrateCommand(migrations), version: versionCommand('submissions', migrations), ...operatorCommands },
});

async function start(process: Process, config: Config): Promise<void> {
  const clock = systemClock;
  // Every statement here is written so that one plan fits all values, and planning a search takes longer than the search.
  const db = openDatabase(process, config, { plan_cache_mode: 'force_generic_plan' });
  const broker = Broker.start(process, config);
  const outbox = startRelay(process, { db, broker, source: 'submissions', clock, settings: config });
  const { forms } = neighboursOf(process, 'submissions', config);
  const guard = intakeGuard({ db, clock, log: process.log, settings: config });
  const blocks = listBlocks({ db, clock, log: process.log });
  process.onStop('list blocks', () => blocks.stop());
  const searched = searchBlocks({ db, clock, log: process.log });
  process.onStop('search blocks', () => searched.stop());
  const visits = new Visits({ db, clock });
  process.onStop('counts of visits', () => visits.store());
  const steps = new Steps({ db, clock });
  process.onStop('counts of steps', () => steps.store());
  const patterns = new MatchedPatterns({ log: process.log });
  process.onStop('patterns', () => patterns.stop());
  const versions = new KnownVersions({ db, log: process.log });
  process.onStop('known versions', () => versions.idle());
  const payments = collectsPayments(config) ? { provider: stripePayments(config), log: process.log } : undefined;
  watchFiles(process.metrics, db);
  watchMissingVersions(process, db);
  const queue = { submissions: config.SUBMISSIONS_QUEUE, bytes: config.SUBMISSIONS_QUEUE_BYTES };
  const known = formsView(forms, broker, {
    patterns,
    clock,
    staleMs: config.STALE_FORMS_MS,
    onVersion: (version, fields) => versions.note(version, fields),
  });
  const deps = {
    intakeMetrics: intakeMetrics(process.metrics),
    db,
    outbox,
    clock,
    forms: known,
    admission: admission({ db, clock }),
    exact: new ExactForms({ db, forms: known }),
    guard,
    visits,
    steps,
    queue,
    blocks,
    searchBlocks: searched,
    payments,
    files: await openFiles(process, config),
    graceMs: graceMs(config),
    saved: { formBytes: config.SAVED_ANSWERS_FORM_BYTES },
  };
  runPeriodically(process, { name: 'deleting old idempotency keys', everyMs: hourMs }, () =>
    deleteOldKeys(deps, config.IDEMPOTENCY_KEY_DAYS),
  );
  runPeriodically(process, { name: 'deleting old changes', everyMs: hourMs }, (stopping) => deleteOldChanges(deps, stopping));
  runPeriodically(process, { name: 'deleting expired saved answers', everyMs: hourMs }, () => deleteExpired(deps));
  runPeriodically(process, { name: 'expiring payments without a checkout', everyMs: tenMinutesMs }, () => expireAbandoned(deps));
  runPeriodically(process, { name: 'removing unclaimed files', everyMs: tenMinutesMs }, () => removeUnclaimed(deps));
  runPeriodically(process, { name: 'covering long lists', everyMs: 5 * minuteMs }, async () => {
    await coverLongLists(deps);
    return 0;
  });
  runPeriodically(process, { name: 'indexing submissions', everyMs: indexingPauseMs }, async (stopping) => {
    await indexWaiting(deps, stopping);
    // Logging how many would be a line for nearly every submission.
    return 0;
  });
  runPeriodically(process, { name: 'storing the counts of visits', everyMs: countingPauseMs }, async () => {
    await visits.store();
    return 0;
  });
  runPeriodically(process, { name: 'storing the counts of steps', everyMs: countingPauseMs }, async () => {
    await steps.store();
    return 0;
  });
  runPeriodically(process, { name: 'counting submissions', everyMs: countingPauseMs }, async (stopping) => {
    await countWaiting(deps, stopping);
    return 0;
  });
  runPeriodically(process, { name: 'erasing what forms no longer keep', everyMs: tenMinutesMs }, (stopping) =>
    eraseExpired(deps, stopping),
  );
  const erasing = runPeriodically(process, { name: 'completing erasures', everyMs: erasingPauseMs, restMs }, (stopping) =>
    finishErasures(deps, { watchMs: config.STALE_FORMS_MS + erasingSlackMs }, stopping),
  );
  const exporting = runPeriodically(process, { name: 'exporting in the background', everyMs: exportingPauseMs, restMs }, (stopping) =>
    runExports(deps, stopping),
  );
  runPeriodically(process, { name: 'removing exports', everyMs: minuteMs }, () => removeExports(deps));
  const changing = runPeriodically(process, { name: 'changing submissions in the background', everyMs: bulkPauseMs, restMs }, (stopping) =>
    runBulkChanges({ ...deps, log: process.log }, stopping),
  );
  for (const rounds of [erasing, exporting, changing]) outbox.onCommit(() => rounds.soon());
  runPeriodically(process, { name: 'removing bulk changes', everyMs: minuteMs }, () => removeBulkChanges(deps));
  consume(process, {
    broker,
    durable: 'submissions',
    source: 'forms',
    handle: async (events) => {
      await followForms(deps, process.log, events);
      erasing.soon();
      await endUnentitled(deps, process.log, events);
    },
  });
  // For the rights of those who asked for bulk changes.
  consume(process, { broker, durable: 'submissions', source: 'workspaces', handle: (events) => endUnentitled(deps, process.log, events) });
  await serve(process, {
    protocol: Submissions,
    doors: doors(deps),
    verify: callerVerifier(config.CALLER_KEYS, watchTokenAge(process)),
    settings: config,
    problemOf,
  });
}
