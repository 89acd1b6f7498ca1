import { outboxMigration } from '@sheaf/events';
import { initial } from './0001_initial';

export const migrations = [outboxMigration, initial];
