import { outboxMigration, outboxOrderMigration, outboxSignalsMigration, outboxTraceMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { folders } from './0002_folders';
import { payment } from './0004_payment';
import { foldedTitle } from './0005_folded_title';
import { vacatedSlugs } from './0006_vacated_slugs';
import { formSettings } from './0007_form_settings';
import { formList } from './0008_form_list';
import { formListIndexes } from './0009_form_list_indexes';
import { keeping } from './0010_keeping';
import { erasedWorkspaces } from './0011_erased_workspaces';
import { searchable } from './0012_searchable';
import { keptUnderHold } from './0013_kept_under_hold';
import { keepingRevision } from './0014_keeping_revision';
import { grantsToTell } from './0015_grants_to_tell';

export const migrations = [
  outboxMigration,
  initial,
  folders,
  payment,
  outboxTraceMigration,
  outboxOrderMigration,
  outboxSignalsMigration,
  foldedTitle,
  vacatedSlugs,
  formSettings,
  formList,
  formListIndexes,
  keeping,
  erasedWorkspaces,
  searchable,
  keptUnderHold,
  keepingRevision,
  grantsToTell,
];
