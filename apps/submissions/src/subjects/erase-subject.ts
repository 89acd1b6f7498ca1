import { audited, erasureBegun, record } from '@sheaf/events';
import { newId, type User } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { eraseAnywhere } from '../erasing/erase';
import { awaited, erasedDeed } from '../erasing/erase-submissions';
import { isHeld } from '../erasing/erasing.queries';
import { lockMany } from '../submission/submissions.queries';
import { walk, type OwnedForm } from './find-subject';

/** Submissions that one request erases. */
const atOnce = 500;

export interface SubjectErasure {
  erased: number;
  erasureIds: string[];
  /** Forms under legal hold that have submissions of the person. */
  heldFormIds: string[];
  /** Forms that may have others, because they are not searchable, or not completely indexed yet. */
  unsearchedFormIds: string[];
  /** If there may be others: where the next request goes on. */
  nextCursor: string | undefined;
}

/**
 * Erases submissions of all forms that the caller owns of which an answer equals a value, wherever they are; each form in a transaction of its
 * own.
 */
export async function eraseSubject(
  deps: Pick<Deps, 'db' | 'forms' | 'searchBlocks' | 'outbox' | 'clock'>,
  asked: Asked<User>,
  { value, cursor }: { value: string; cursor?: string | undefined },
): Promise<SubjectErasure> {
  const held = new Set<string>();
  const outcome = { erased: 0, erasureIds: [] as string[] };
  const { matches, nextCursor, unsearched } = await walk(deps, asked, { value, limit: atOnce, cursor });
  const idsOf = new Map<OwnedForm, string[]>();
  for (const { form, match } of matches) idsOf.set(form, [...(idsOf.get(form) ?? []), match.row.id]);
  for (const [form, ids] of idsOf) {
    const begun = await eraseIn(deps, asked, form, ids);
    if (begun === 'held') held.add(form.id);
    else {
      outcome.erased += begun.erased;
      outcome.erasureIds.push(begun.erasureId);
    }
  }
  return { ...outcome, heldFormIds: [...held], unsearchedFormIds: unsearched, nextCursor };
}

async function eraseIn(
  { outbox, clock }: Pick<Deps, 'outbox' | 'clock'>,
  asked: Asked<User>,
  { id: formId, workspaceId, isHeld: isHeldNow }: OwnedForm,
  ids: readonly string[],
): Promise<'held' | { erased: number; erasureId: string }> {
  return outbox.transaction(async (trx) => {
    if (isHeldNow || (await isHeld(trx, formId))) return 'held';
    const now = clock.now();
    const erasureId = newId();
    const { instanceId } = asked.caller;
    const rows = await lockMany(trx, formId, ids, { includeTrash: true });
    const events = await eraseAnywhere(trx, { id: erasureId, instanceId, formId, at: now, cause: asked.call }, rows);
    await record(
      trx,
      erasureBegun(asked, { id: erasureId, kind: 'submissions', targetId: formId, formId, workspaceId, reason: 'person', awaited }, now),
      ...events,
      ...rows.map(({ id }) => audited(asked, erasedDeed(id, { erasureId, formId, workspaceId }), now)),
    );
    return { erased: rows.length, erasureId };
  });
}
