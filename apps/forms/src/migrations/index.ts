import { outboxMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { folders } from './0002_folders';

export const migrations = [outboxMigration, initial, folders];
