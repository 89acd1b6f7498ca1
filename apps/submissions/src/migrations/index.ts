import { outboxMigration, outboxOrderMigration, outboxTraceMigration } from '@sheaf/events';
import { initial } from './0001_initial';
import { announced } from './0002_announced';
import { lifecycle } from './0003_lifecycle';
import { files } from './0004_files';
import { payments } from './0005_payments';
import { listBlocks } from './0006_list_blocks';
import { fileBytes, waitingFiles } from './0007_file_bytes';
import { returnUrl } from './0009_return_url';
import { savedAnswers } from './0010_saved_answers';
import { changedSubmissions, corrections } from './0011_corrections';
import { search } from './0014_search';
import { assignedSubmissions } from './0015_assigned';
import { notes } from './0016_notes';
import { entered } from './0017_entered';
import { insights } from './0018_insights';
import { erasing } from './0020_erasing';
import { filesOfForms } from './0021_files_of_forms';
import { searchable, submissionsApart } from './0022_searchable';
import { changedInsights } from './0024_changed_insights';
import { instanceKeeping } from './0025_instance_keeping';
import { visits } from './0026_visits';
import { noSearchChunks, searchBlocks, searchEntryTerms } from './0027_search_blocks';
import { noteRevisions } from './0028_note_revisions';
import { retentionGrace } from './0029_retention_grace';
import { deeds } from './0030_deeds';

export const migrations = [
  outboxMigration,
  initial,
  announced,
  lifecycle,
  files,
  payments,
  outboxTraceMigration,
  listBlocks,
  outboxOrderMigration,
  fileBytes,
  waitingFiles,
  returnUrl,
  savedAnswers,
  corrections,
  changedSubmissions,
  search,
  assignedSubmissions,
  notes,
  entered,
  insights,
  erasing,
  filesOfForms,
  searchable,
  submissionsApart,
  changedInsights,
  instanceKeeping,
  visits,
  searchBlocks,
  searchEntryTerms,
  noSearchChunks,
  noteRevisions,
  retentionGrace,
  deeds,
];
