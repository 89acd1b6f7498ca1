import type { SubmissionWords } from './submission-words';

export const inEnglish: SubmissionWords = {
  columns: {
    submission_id: 'Submission',
    schema_version: 'Version',
    status: 'Status',
    created_at: 'Received',
    reference: 'Reference',
    updated_at: 'Changed',
    assignee: 'Assigned to',
    notes: 'Number of notes',
    language: 'Language',
    entered_by: 'Entered by',
  },
  statuses: {
    new: 'New',
    in_review: 'In review',
    approved: 'Approved',
    rejected: 'Rejected',
    archived: 'Archived',
    pending_payment: 'Awaiting payment',
  },
  yes: 'Yes',
  no: 'No',
};
