import { outboxMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { audit } from './0002_audit';

export const migrations = [outboxMigration, initial, audit];
