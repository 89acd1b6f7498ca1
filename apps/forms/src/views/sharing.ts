import type { AuditAction } from '@sheaf/contracts';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import { lockForm, refuseTrashed, type LoadedForm } from '../form/load-form';
import { isErased } from './sharing.queries';

// Views and export presets are kept with a form: shared, or the own ones of one person.

type Kind = 'view' | 'preset';

interface Kept {
  id: string;
  /** The person whose own it is; null for one that is shared. */
  owner_id: string | null;
  name: string;
}

/** One that the caller may change, of a locked form. @throws Problem `not_found` for somebody else's own */
export async function lockKept<Row extends Kept>(
  trx: Transaction,
  caller: Client,
  { formId, id }: { formId: string; id: string },
  kind: Kind,
  seenBy: (db: Database, formId: string, personId: string) => Promise<Row[]>,
): Promise<{ kept: Row; loaded: LoadedForm }> {
  const loaded = await lockForm(trx, caller, formId);
  const kept = (await seenBy(trx, loaded.form.id, caller.id)).find((each) => each.id === id);
  if (!kept) {
    authorize(loaded.role, 'read submissions of this form');
    throw Problem.notFound(kind);
  }
  authorizeToChange(loaded, kept.owner_id);
  return { kept, loaded };
}

/** A shared one is changed by those who may change the form, and an own one by its owner. */
export function authorizeToChange({ form, role }: LoadedForm, ownerId: string | null): void {
  authorize(role, 'read submissions of this form');
  if (ownerId === null) authorize(role, 'change this form');
  refuseTrashed(form);
}

/**
 * The owner of what is kept; null if it is shared. A service account has nobody who would look at one of its own.
 * @throws Problem `forbidden` for a person who was erased while they asked for it
 */
export async function ownerOf(trx: Transaction, caller: Client, isShared: boolean, kind: Kind): Promise<string | null> {
  if (isShared) return null;
  if (caller.kind !== 'user') throw Problem.badRequest(`shared: must be true, as a service account has no ${kind}s of its own`);
  if (await isErased(trx, caller)) throw Problem.forbidden('You were erased, so nothing is kept for you.');
  return caller.id;
}

export function refuseStale({ updated_at }: { updated_at: Date }, expected: string | undefined, kind: Kind): void {
  if (expected !== undefined && Date.parse(expected) !== updated_at.getTime())
    throw Problem.conflict(`The ${kind} was last changed at ${updated_at.toISOString()}, not at if_updated_at. Read it again.`);
}

/**
 * The form is locked, so that the maximum is exact.
 * @param beside the others of the same owner
 */
export function refuseTooMany(beside: readonly Kept[], name: string, { kind, most }: { kind: Kind; most: number }): void {
  if (beside.some((other) => other.name === name)) throw Problem.badRequest(`name: another ${kind} of the form has this name`);
  if (beside.length >= most) throw Problem.badRequest(`name: there are already ${most} ${kind}s, the maximum`);
}

/** The entry of a shared one in the audit. */
export const deedOf = (
  kind: 'view' | 'export_preset',
  action: AuditAction,
  { form }: LoadedForm,
  { id }: Kept,
  details?: { changed: string[] },
) => ({
  action,
  target: { kind, id },
  workspaceId: form.workspace_id,
  formId: form.id,
  ...(details && { details }),
});

/** Later than before in any case: whoever knows the earlier time does not know this change. */
export const changedAt = ({ updated_at }: { updated_at: Date }, now: Date): Date =>
  new Date(Math.max(now.getTime(), updated_at.getTime() + 1));
