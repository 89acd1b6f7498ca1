import { outboxMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { queueAndLog } from './0002_queue_and_log';
import { webhookKeys } from './0004_webhook_keys';

export const migrations = [outboxMigration, initial, queueAndLog, webhookKeys];
