import { outboxMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { webhookKeys } from './0004_webhook_keys';

export const migrations = [outboxMigration, initial, webhookKeys];
