import { outboxMigration, outboxOrderMigration, outboxTraceMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { folders } from './0002_folders';
import { people } from './0003_people';
import { auditLog } from './0004_audit_log';
import { peopleOfInstances } from './0005_people_of_instances';

export const migrations = [outboxMigration, initial, folders, people, auditLog, peopleOfInstances, outboxTraceMigration, outboxOrderMigration];
