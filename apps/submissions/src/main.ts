import { Broker, startRelay } from '@sheaf/events';
import { systemClock } from '@sheaf/kernel';
import { migrateCommand, openDatabase, problemOf, versionCommand } from '@sheaf/postgres';
import { callerVerifier, connect, Forms, serve, Submissions, watchTokenAge } from '@sheaf/rpc';
import { everySoOften, runApp, type Process } from '@sheaf/runtime';
import { Config } from './config';
import { forgetOldKeys } from './intake/forget-keys';
import { formsView } from './form/forms-view';
import { intakeGuard } from './intake/guard';
import { ListBlocks } from './list/blocks';
import { migrations } from './migrations';
import { MatchedPatterns } from './form/patterns';
import { collectsPayments } from './payments/settings';
import { removeUnclaimed } from './files/remove-files';
import { doors } from './server';
import { expireAbandoned } from './payments/settle-payment';
import { openFiles } from './files/storage/files';
import { stripePayments } from './payments/stripe';

const hourMs = 3_600_000;
const tenMinutesMs = 600_000;

void runApp(
  'submissions',
  { config: Config, serve: start },
  { migrate: migrateCommand(migrations), version: versionCommand('submissions', migrations) },
);

async function start(own: Process, config: Config): Promise<void> {
  const clock = systemClock;
  const db = openDatabase(own, config);
  const broker = Broker.start(own, config);
  const outbox = startRelay(own, { db, broker, source: 'submissions', clock, settings: config });
  const forms = connect(config.FORMS_ADDR, Forms, own);
  own.onStop('forms', () => forms.close());
  const guard = intakeGuard({ db, clock, log: own.log, settings: config });
  const blocks = new ListBlocks({ db, clock, log: own.log });
  own.onStop('list blocks', () => blocks.stop());
  const patterns = new MatchedPatterns({ log: own.log });
  own.onStop('patterns', () => patterns.stop());
  const payments = collectsPayments(config) ? { provider: stripePayments(config), log: own.log } : undefined;
  const queue = { submissions: config.SUBMISSIONS_QUEUE, bytes: config.SUBMISSIONS_QUEUE_BYTES };
  const deps = {
    db,
    outbox,
    clock,
    forms: formsView(forms.client, broker, { patterns, clock, staleMs: config.STALE_FORMS_MS }),
    guard,
    queue,
    blocks,
    payments,
    files: await openFiles(own, config),
  };
  everySoOften(own, { name: 'forgetting old idempotency keys', everyMs: hourMs }, () => forgetOldKeys(deps, config.IDEMPOTENCY_KEY_DAYS));
  everySoOften(own, { name: 'giving up on payments without a checkout', everyMs: tenMinutesMs }, () => expireAbandoned(deps));
  everySoOften(own, { name: 'removing unclaimed files', everyMs: tenMinutesMs }, () => removeUnclaimed(deps));
  await serve(own, {
    protocol: Submissions,
    doors: doors(deps),
    verify: callerVerifier(config.CALLER_KEYS, watchTokenAge(own)),
    settings: config,
    problemOf,
  });
}
