import { outboxMigration, outboxOrderMigration, outboxTraceMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { audit } from './0002_audit';
import { webhooks } from './0003_webhooks';
import { standing } from './0004_standing';
import { erasedPeople } from './0006_erased_people';
import { wideWebhooks } from './0007_wide_webhooks';
import { instanceRoles } from './0008_instance_roles';
import { holders } from './0009_holders';

export const migrations = [
  outboxMigration,
  initial,
  audit,
  webhooks,
  outboxTraceMigration,
  outboxOrderMigration,
  standing,
  erasedPeople,
  wideWebhooks,
  instanceRoles,
  holders,
];
