import { formRole, isId, Problem, type Client, type FormRole } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import * as forms from './forms.queries';
import type { FormRow, SeenFormRow } from './rows';

/** A form and what the caller is to it, before anything was decided about access. */
export interface LoadedForm {
  form: SeenFormRow;
  role: FormRole | undefined;
}

/** A form as it is shown to somebody with a role on it. */
export interface SeenForm extends LoadedForm {
  role: FormRole;
}

/** @throws Problem `not_found` for anything that is no form of the caller's instance. */
export async function loadForm(db: Database, caller: Client, id: string): Promise<LoadedForm> {
  return loaded(caller, isId(id) ? await forms.formSeenBy(db, caller, id) : undefined);
}

/** The same for whoever is about to change it: nobody else does until the transaction is over. */
export async function lockForm(trx: Transaction, caller: Client, id: string): Promise<LoadedForm> {
  return loaded(caller, isId(id) ? await forms.lockFormSeenBy(trx, caller, id) : undefined);
}

function loaded(caller: Client, form: SeenFormRow | undefined): LoadedForm {
  if (!form) throw Problem.notFound('form');
  const role = formRole(caller, {
    workspaceId: form.workspace_id,
    creator: { kind: form.creator_kind, id: form.creator_id },
    grants: form.granted === null ? {} : { [caller.id]: form.granted },
  });
  return { form, role };
}

/** What is in the trash can be read and is otherwise left alone. */
export function refuseTrashed(form: FormRow): void {
  if (form.status === 'trashed') throw Problem.badRequest('The form is in the trash and cannot be changed.');
}
