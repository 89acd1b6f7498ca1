import { initial } from './0000_initial';
import { noteRevisions } from './0028_note_revisions';
import { retentionGrace } from './0029_retention_grace';
import { deeds } from './0030_deeds';
import { versionId } from './0031_version_id';
import { noChunks } from './0101_no_chunks';
import { requestId } from './0032_request_id';
import { missingVersions } from './0033_missing_versions';
import { sortKeys } from './0034_sort_keys';
import { submissionChanges } from './0035_submission_changes';
import { exportsInTheBackground } from './0036_exports';
import { bulkChanges } from './0037_bulk_changes';
import { imports } from './0038_imports';
import { jobNeeds } from './0040_job_needs';
import { exactAnswers } from './0043_exact_answers';
import { fillSeconds } from './0044_fill_seconds';
import { accessTries } from './0046_access_tries';
import { rankings } from './0047_rankings';
import { askedQuestions } from './0048_asked_questions';
import { matrices } from './0049_matrices';
import { stepCounts } from './0050_step_counts';

export const migrations = [
  initial,
  noteRevisions,
  retentionGrace,
  deeds,
  versionId,
  noChunks,
  requestId,
  missingVersions,
  sortKeys,
  submissionChanges,
  exportsInTheBackground,
  bulkChanges,
  imports,
  jobNeeds,
  exactAnswers,
  fillSeconds,
  accessTries,
  rankings,
  askedQuestions,
  matrices,
  stepCounts,
];
