import type { ExportFact } from '../operations/exports';
import type { submissionStatuses } from '../operations/submissions';

/** The words for what a submission has, which the console and files for people share. Each language is a file of its own, as pages load only one. */
export interface SubmissionWords {
  /** The columns of the submission itself. */
  columns: Readonly<Record<ExportFact, string>>;
  statuses: Readonly<Record<(typeof submissionStatuses)[number], string>>;
  yes: string;
  no: string;
}
