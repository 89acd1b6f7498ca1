import { record } from '@sheaf/events';
import type { Transaction } from '@sheaf/postgres';
import type { Call } from '@sheaf/rpc';
import { takeAnnouncement } from '../payments/payments.queries';
import { submissionCreated } from './events';
import type { OwnedSubmission } from './submissions.queries';

/**
 * Tells subscribers of a submission that something held up, such as a payment, or that it was held to be spam. Whoever lifts one of these things calls this: it is told
 * once, and not before all of them are lifted.
 */
export async function announce(trx: Transaction, submission: OwnedSubmission, at: Date, cause: Pick<Call, 'trace'>): Promise<void> {
  if (!(await takeAnnouncement(trx, submission.id, at))) return;
  await record(trx, submissionCreated(submission.instance_id, submission, at, cause));
}
