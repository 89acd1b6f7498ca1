import { createHash } from 'node:crypto';
import { record, Tallies, type Outbox, type Tally } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { announcedOf, announcedSlice, talliedSlice, type AnnouncedSubmission, type UsedVersion } from './reconcile.queries';
import { submissionCreated } from './submission/events';

/** A part of the way through all submissions, in the order of their ids. */
interface Part {
  submissions: number;
  /** After which one the next part begins; null if this was the last. */
  last: string | null;
}

interface Walk {
  after: string;
  /** Younger ones are left out. */
  before: Date;
  /** How many it may read, and up to a statement's worth more. */
  limit: number;
}

/**
 * Tells which versions submissions use, and, in a few bytes for each minute, what `delivery` must know of.
 * @param from earlier announcements are not tallied
 */
export async function tallySubmissions(
  db: Database,
  { after, before, limit, from }: Walk & { from: Date },
): Promise<Part & { versions: UsedVersion[]; tallies: Tally[] }> {
  const [tallies, versions] = [new Tallies(), new Map<string, UsedVersion>()];
  let [submissions, last] = [0, after as string | null];
  while (last !== null && submissions < limit) {
    const slice = await talliedSlice(db, { after: last, before, from });
    submissions += slice.submissions;
    last = slice.last;
    tallies.add(slice.tallies);
    for (const used of slice.versions) addVersion(versions, used);
  }
  return { submissions, last, versions: [...versions.values()], tallies: tallies.list() };
}

function addVersion(versions: Map<string, UsedVersion>, used: UsedVersion): void {
  const key = `${used.form_id} ${used.version} ${used.version_id}`;
  const known = versions.get(key);
  // In the order of ids, and so nearly in that of time: one that was made a little earlier is the first all the same.
  const oldest = known && known.oldest < used.oldest ? known.oldest : used.oldest;
  versions.set(key, { ...used, submissions: used.submissions + (known?.submissions ?? 0), oldest });
}

/** Names the submissions that were announced in some minutes. */
export async function listAnnounced(
  db: Database,
  { after, before, limit, minutes }: Walk & { minutes: readonly number[] },
): Promise<Part & { announced: AnnouncedSubmission[] }> {
  const announced: AnnouncedSubmission[] = [];
  let [submissions, last] = [0, after as string | null];
  while (last !== null && announced.length < limit) {
    const slice = await announcedSlice(db, { after: last, before, minutes });
    submissions += slice.submissions;
    last = slice.last;
    announced.push(...slice.announced);
  }
  return { submissions, last, announced };
}

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
