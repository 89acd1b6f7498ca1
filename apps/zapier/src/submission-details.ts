import type { PlainOutputField, ZObject } from 'zapier-platform-core';
import type { Connection } from './api.js';
import { toItem, type Submission, type SubmissionItem } from './submission-item.js';

export interface SubmissionWithStatus extends Submission {
  status: string;
}

/** A submission that an action or a search returns. An event about a new one has no status. */
export interface SubmissionDetails extends SubmissionItem {
  status: string;
}

export const statusOutput: PlainOutputField = { key: 'status', label: 'Status', type: 'string' };

export async function toDetails(z: ZObject, connection: Connection, submission: SubmissionWithStatus): Promise<SubmissionDetails> {
  return { ...(await toItem(z, connection, submission)), status: submission.status };
}

/** The statuses, to pick from. */
export const statusChoices = {
  new: 'New',
  in_review: 'In Review',
  approved: 'Approved',
  rejected: 'Rejected',
  archived: 'Archived',
};
