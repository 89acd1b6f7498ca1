import { formRole, isId, ownsForm, Problem, type Client, type FormAccess, type FormRole } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import type { FormRow, SeenFormRow } from '../rows';
import * as forms from './forms.queries';

/** A form and the caller's role on it, before authorization. */
export interface LoadedForm {
  form: SeenFormRow;
  role: FormRole | undefined;
}

/** A form as shown to a caller with a role on it. */
export interface SeenForm extends LoadedForm {
  role: FormRole;
}

/** @throws Problem `not_found` unless the id is that of a form in the caller's instance. */
export async function loadForm(db: Database, caller: Client, id: string): Promise<LoadedForm> {
  return loaded(caller, isId(id) ? await forms.formSeenBy(db, caller, id) : undefined);
}

/** Loads a form to change it, locked until the end of the transaction. */
export async function lockForm(trx: Transaction, caller: Client, id: string): Promise<LoadedForm> {
  return loaded(caller, isId(id) ? await forms.lockFormSeenBy(trx, caller, id) : undefined);
}

function loaded(caller: Client, form: SeenFormRow | undefined): LoadedForm {
  if (!form) throw Problem.notFound('form');
  return { form, role: roleOn(caller, form) };
}

export const roleOn = (caller: Client, form: SeenFormRow): FormRole | undefined => formRole(caller, accessFor(caller, form));

/**
 * Whether the caller may lift a legal hold of the form: those who own it for more than having created it, as its creator may have lost their
 * other rights because of what they did; and those who run the instance, with any role on the form.
 */
export const mayLiftHold = (caller: Client, form: SeenFormRow): boolean =>
  ownsForm(caller, accessFor(caller, form)) ||
  (caller.kind === 'user' && caller.instanceRole !== undefined && roleOn(caller, form) !== undefined);

/** The facts that determine the caller's role on the form. */
const accessFor = (caller: Client, form: SeenFormRow): FormAccess => ({
  workspaceId: form.workspace_id,
  creator: { kind: form.creator_kind, id: form.creator_id },
  grants: form.granted === null ? {} : { [caller.id]: form.granted },
});

/** A form in the trash can be read but not changed. */
export function refuseTrashed(form: FormRow): void {
  if (form.status === 'trashed') throw Problem.badRequest('The form is in the trash and cannot be changed.');
}
