import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { refuseTrashed, type LoadedForm } from '../form/load-form';
import { isErased } from './sharing.queries';

// Views and export presets are kept with a form: shared, or the own ones of one person.

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
export async function ownerOf(trx: Transaction, caller: Client, isShared: boolean, kind: 'view' | 'preset'): Promise<string | null> {
  if (isShared) return null;
  if (caller.kind !== 'user') throw Problem.badRequest(`shared: must be true, as a service account has no ${kind}s of its own`);
  if (await isErased(trx, caller)) throw Problem.forbidden('You were erased, so nothing is kept for you.');
  return caller.id;
}

export function refuseStale({ updated_at }: { updated_at: Date }, expected: string | undefined, kind: 'view' | 'preset'): void {
  if (expected !== undefined && Date.parse(expected) !== updated_at.getTime())
    throw Problem.conflict(`The ${kind} was last changed at ${updated_at.toISOString()}, not at if_updated_at. Read it again.`);
}

/** Later than before in any case: whoever knows the earlier time does not know this change. */
export const changedAt = ({ updated_at }: { updated_at: Date }, now: Date): Date =>
  new Date(Math.max(now.getTime(), updated_at.getTime() + 1));
