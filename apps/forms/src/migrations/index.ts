import { outboxMigration, outboxOrderMigration, outboxTraceMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { folders } from './0002_folders';
import { payment } from './0004_payment';

export const migrations = [outboxMigration, initial, folders, payment, outboxTraceMigration, outboxOrderMigration];
