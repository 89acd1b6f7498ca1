import { record } from '@sheaf/events';
import type { Transaction } from '@sheaf/postgres';
import type { Call } from '@sheaf/rpc';
import { claimAnnouncement } from '../payments/payments.queries';
import { submissionCreated } from './events';
import type { OwnedSubmission } from './submissions.queries';

/**
 * Announces a submission that was held back, for example by a payment or as spam. Call it after lifting any of these: the submission is
 * announced once, and only after all of them are lifted.
 */
export async function announce(trx: Transaction, submission: OwnedSubmission, at: Date, cause: Pick<Call, 'trace'>): Promise<void> {
  if (!(await claimAnnouncement(trx, submission.id, at))) return;
  await record(trx, submissionCreated(submission.instance_id, submission, at, cause));
}
