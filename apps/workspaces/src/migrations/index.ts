import { outboxMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { folders } from './0002_folders';
import { auditLog } from './0004_audit_log';

export const migrations = [outboxMigration, initial, folders, auditLog];
