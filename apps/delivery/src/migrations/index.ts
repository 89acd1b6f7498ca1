import { outboxMigration, outboxOrderMigration, outboxTraceMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { queueAndLog } from './0002_queue_and_log';
import { webhookKeys } from './0004_webhook_keys';
import { trace } from './0005_trace';
import { look } from './0006_look';
import { plans } from './0007_plans';
import { settleAttempts } from './0008_settle';
import { settleByItsClock } from './0009_settle_by_its_clock';
import { endings } from './0010_endings';
import { whatWasSent } from './0011_what_was_sent';
import { held } from './0012_held';
import { erasing } from './0013_erasing';
import { wideSubscriptions } from './0014_wide_subscriptions';
import { submissions, submissionsIndex } from './0015_submissions';
import { skipped } from './0017_skipped';
import { why } from './0018_why';
import { listened } from './0019_listened';

export const migrations = [
  outboxMigration,
  initial,
  queueAndLog,
  webhookKeys,
  outboxTraceMigration,
  trace,
  outboxOrderMigration,
  look,
  plans,
  settleAttempts,
  settleByItsClock,
  endings,
  whatWasSent,
  held,
  erasing,
  wideSubscriptions,
  submissions,
  submissionsIndex,
  skipped,
  why,
  listened,
];
