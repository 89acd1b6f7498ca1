import type { Cause, DomainEvent } from '@sheaf/events';
import type { Transaction } from '@sheaf/postgres';
import { lockIndexDurably } from '../search/index.queries';
import { forget } from '../search/forget.queries';
import { momentAfter, shouldNotify, submissionDeleted, submissionErased } from '../submission/events';
import { changeMany, recount, type SubmissionState } from '../submission/submissions.queries';
import * as queries from './erasing.queries';

/**
 * Deletes locked submissions of one form with everything that belongs to them, but for the bytes of their files, which take longer:
 * `finishErasures` removes them. An erased submission keeps its place in the form's limit.
 * @returns the events that make others erase their copies
 */
export async function erase(
  trx: Transaction,
  { erasureId, instanceId, at }: { erasureId: string; instanceId: string; at: Date },
  rows: readonly SubmissionState[],
): Promise<DomainEvent[]> {
  const formId = rows[0]?.form_id;
  if (formId === undefined) return [];
  const ids = rows.map(({ id }) => id);
  // An entry that is being written meanwhile would stay for ever.
  await lockIndexDurably(trx);
  await forget(trx, ids);
  const files = await queries.deleteAll(trx, { erasureId, formId }, ids);
  await recount(
    trx,
    formId,
    rows.map((row) => ({ ...row, holds_place: false })),
    [],
  );
  await queries.count(trx, erasureId, { submissions: rows.length, files });
  return rows.map((row) => submissionErased(instanceId, row, erasureId, at));
}

/** Opens an erasure with locked submissions of a form, and deletes them. */
export async function beginErasing(
  trx: Transaction,
  { id, instanceId, formId, at }: { id: string; instanceId: string; formId: string; at: Date },
  rows: readonly SubmissionState[],
): Promise<DomainEvent[]> {
  const nothing = { submissions: 0, files: 0, confirmed_at: null };
  await queries.open(trx, { id, instance_id: instanceId, form_id: formId, whole_form: false, begun_at: at, ...nothing });
  return erase(trx, { erasureId: id, instanceId, at }, rows);
}

/**
 * The same for submissions that may still be in the list: those go to the trash first, so that subscribers hear that they are gone.
 * @returns the events for subscribers and for others with copies
 */
export async function eraseAnywhere(
  trx: Transaction,
  erasure: { id: string; instanceId: string; formId: string; at: Date; cause: Cause },
  rows: readonly SubmissionState[],
): Promise<DomainEvent[]> {
  const { instanceId, formId, at, cause } = erasure;
  const listed = rows.filter(({ deleted_at }) => deleted_at === null);
  // Before the form's row, which changes of a listed submission lock: whoever stores one would wait for the index otherwise.
  if (listed.length > 0) await lockIndexDurably(trx);
  if (listed.length > 0) await changeMany(trx, formId, listed, { deleted_at: at }, at);
  const erased = await beginErasing(
    trx,
    erasure,
    rows.map((row) => ({ ...row, deleted_at: row.deleted_at ?? at })),
  );
  return [...listed.filter(shouldNotify).map((row) => submissionDeleted(instanceId, row, momentAfter([row], at), cause)), ...erased];
}
