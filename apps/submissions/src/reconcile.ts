import { createHash } from 'node:crypto';
import { record, type Outbox } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { submissionCreated } from './submission/events';
import { announcedOf } from './reconcile.queries';

/** The answers of as many submissions may be in memory together. */
const atOnce = 50;

/**
 * Records `submission.created` once more for submissions of whose announcement nothing is left: neither an event in the outbox nor one in the log of
 * `delivery`. The event is of the first announcement's time and answers, and has the same id each time, so it is planned once however often this runs.
 * Submissions that were erased meanwhile, or whose event waits in the outbox, are left alone.
 * @returns how many were announced
 */
export async function announceAgain(outbox: Outbox, ids: readonly string[]): Promise<number> {
  let announced = 0;
  for (let at = 0; at < ids.length; at += atOnce) {
    announced += await outbox.transaction(async (trx) => {
      const found = await announcedOf(trx, ids.slice(at, at + atOnce));
      const cause = { requestId: newId() };
      await record(
        trx,
        ...found.map(({ announced_at, instance_id, ...submission }) => ({
          ...submissionCreated(instance_id, submission, announced_at, cause),
          id: idOfAnnouncement(submission.id, announced_at),
        })),
      );
      return found.length;
    });
  }
  return announced;
}

/** A version 7 UUID of the moment, so that the log of `delivery` has the event among those of its time; the rest follows from the submission. */
export function idOfAnnouncement(submissionId: string, at: Date): string {
  const ms = at.getTime().toString(16).padStart(12, '0');
  const rest = createHash('sha256').update(`announced again: ${submissionId}`).digest('hex');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}
