import { SubmissionErased } from '@sheaf/contracts';
import { audited, bodyOf, erasureBegun, readSince, record, type ReplayOptions, type ReplaySettings } from '@sheaf/events';
import { isId, newId, operatorIn, type Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { lockMany } from '../submission/submissions.queries';
import { eraseAnywhere } from './erase';
import { awaited, erasedDeed, held } from './erase-submissions';
import { existing, isHeld } from './erasing.queries';

/** Submissions that one statement looks for, or one transaction erases. */
const atOnce = 500;

export interface ReplayedErasures {
  /** Since when the stream has everything; null if it is gone. */
  stream_since: Date | null;
  /** Whether the stream has everything since the moment of the backup. */
  complete: boolean;
  /** Submissions of a form that are back: what is to be erased, or was just now. */
  erased: { form_id: string; instance_id: string; submission_ids: string[]; done: boolean; refused?: string }[];
}

/**
 * Erases again, after a restore, what was erased after the moment of the backup and came back with it. It learns of that from the events that the stream
 * still has. Only what is there is erased, so repeating it erases nothing twice, and one that died is repeated. Submissions that are listed again go to
 * the trash first, so that their subscribers hear that they are gone, if need be once more.
 * With `apply` it does so, and otherwise says only what it would do. `except` are ids that are to stay, such as those of submissions whose erasure was the mistake
 */
export async function replayErasures(
  { db, clock }: { db: Database; clock: Clock },
  broker: ReplaySettings,
  { since, apply, except }: ReplayOptions,
): Promise<ReplayedErasures> {
  const ids = new Set<string>();
  const wanted = { reader: 'submissions', type: 'submission.erased', source: 'submissions', since } as const;
  const streamSince = await readSince(broker, wanted, (event) => {
    const id = bodyOf(SubmissionErased, event)?.submission_id;
    if (id !== undefined && isId(id) && !except.includes(id)) ids.add(id);
  });
  const erased: ReplayedErasures['erased'] = [];
  for (let from = 0; from < ids.size; from += atOnce) {
    const back = await existing(db, [...ids].slice(from, from + atOnce));
    for (const formId of new Set(back.map(({ form_id }) => form_id))) {
      const ofForm = back.filter(({ form_id }) => form_id === formId);
      const instanceId = ofForm[0]?.instance_id ?? '';
      const submissions = { formId, instanceId, ids: ofForm.map(({ id }) => id) };
      const outcome = apply ? await eraseAgain(db, clock, submissions) : { done: false };
      erased.push({ form_id: formId, instance_id: instanceId, submission_ids: submissions.ids, ...outcome });
    }
  }
  return { stream_since: streamSince ?? null, complete: streamSince !== undefined && streamSince <= since, erased };
}

/** Some submissions of a form, in one transaction. The relay of the service publishes its events, now or when it starts. */
const eraseAgain = (
  db: Database,
  clock: Clock,
  { formId, instanceId, ids }: { formId: string; instanceId: string; ids: readonly string[] },
): Promise<{ done: boolean; refused?: string }> =>
  db.transaction(async (trx) => {
    if (await isHeld(trx, formId)) return { done: false, refused: held };
    const erasureId = newId();
    const asked = { caller: operatorIn(instanceId), call: { requestId: erasureId, trace: undefined } };
    // Only `forms` knows the form's workspace, so the entries belong to the whole instance.
    const workspaceId = undefined;
    const now = clock.now();
    const rows = await lockMany(trx, formId, ids, { includeTrash: true });
    const events = await eraseAnywhere(trx, { id: erasureId, instanceId, formId, at: now, cause: asked.call }, rows);
    const erasure = { id: erasureId, kind: 'submissions', targetId: formId, formId, workspaceId, reason: 'requested', awaited } as const;
    await record(
      trx,
      erasureBegun(asked, erasure, now),
      ...events,
      ...rows.map(({ id }) => audited(asked, erasedDeed(id, { erasureId, formId, workspaceId }), now)),
    );
    return { done: true };
  });
