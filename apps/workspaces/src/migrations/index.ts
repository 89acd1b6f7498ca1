import { outboxMigration, outboxOrderMigration, outboxSignalsMigration, outboxTraceMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { folders } from './0002_folders';
import { people } from './0003_people';
import { auditLog } from './0004_audit_log';
import { peopleOfInstances } from './0005_people_of_instances';
import { inviters } from './0006_inviters';
import { auditRemoval } from './0007_audit_removal';
import { vacatedSlugs } from './0008_vacated_slugs';
import { erasures } from './0009_erasures';
import { erasedPeople } from './0010_erased_people';
import { addressesOfPeople } from './0011_addresses_of_people';
import { erasedWorkspaces } from './0012_erased_workspaces';
import { signInLinks } from './0013_sign_in_links';
import { shownSessions } from './0014_shown_sessions';
import { invitationIds } from './0015_invitation_ids';
import { preferences } from './0016_preferences';
import { auditLogOfForms } from './0017_audit_log_of_forms';
import { provenOrigins } from './0018_proven_origins';
import { instanceMembers } from './0019_instance_members';
import { promisedRoles } from './0020_promised_roles';

export const migrations = [
  outboxMigration,
  initial,
  folders,
  people,
  auditLog,
  peopleOfInstances,
  outboxTraceMigration,
  outboxOrderMigration,
  inviters,
  outboxSignalsMigration,
  auditRemoval,
  vacatedSlugs,
  erasures,
  erasedPeople,
  addressesOfPeople,
  erasedWorkspaces,
  signInLinks,
  shownSessions,
  invitationIds,
  preferences,
  auditLogOfForms,
  provenOrigins,
  instanceMembers,
  promisedRoles,
];
