import { record, type Cause } from '@sheaf/events';
import { Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { claimAnnouncements } from '../payments/payments.queries';
import { submissionCreated } from './events';
import { readForEvents, type OwnedSubmission } from './submissions.queries';

/**
 * Announces a submission that was held back, for example by a payment or as spam. Call it after lifting any of these: the submission is
 * announced once, and only after all of them are lifted.
 */
export async function announce(trx: Transaction, submission: OwnedSubmission, at: Date, cause: Cause): Promise<void> {
  if ((await claimAnnouncements(trx, [submission.id], at)).length === 0) return;
  await record(trx, submissionCreated(submission.instance_id, submission, at, cause));
}

/** The bytes of answers that a transaction may announce. */
const maxAnnouncedBytes = 16_777_216;

/** Does the same for many. @throws Problem `bad_request` if their answers are too large for one transaction. */
export async function announceMany(
  trx: Transaction,
  instanceId: string,
  submissions: readonly { id: string }[],
  at: Date,
  cause: Cause,
): Promise<void> {
  const claimed = await claimAnnouncements(
    trx,
    submissions.map(({ id }) => id),
    at,
  );
  const found = await readForEvents(trx, claimed, maxAnnouncedBytes);
  if (found.length < claimed.length)
    throw Problem.badRequest(`submission_ids: must name fewer submissions, whose answers have at most ${maxAnnouncedBytes} bytes together`);
  await record(trx, ...found.map((submission) => submissionCreated(instanceId, submission, at, cause)));
}
