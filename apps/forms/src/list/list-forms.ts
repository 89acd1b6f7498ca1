import type { Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as forms from '../form/forms.queries';
import type { FormFilter } from '../form/forms.queries';
import type { FormSummaryRow } from '../rows';

/** The forms of the active workspace on which the caller has a role; for service accounts, all forms of the instance. */
export async function listForms({ db }: Deps, caller: Client, filter: FormFilter): Promise<{ forms: FormSummaryRow[]; total: number }> {
  const { instanceId } = caller;
  if (caller.kind === 'service_account') return forms.pageOfForms(db, { instanceId }, filter);

  const { workspaceId } = caller;
  if (workspaceId === undefined) return { forms: [], total: 0 };
  // Every role in a workspace is a role on each of its forms. Without one, a user has only the forms that were granted to them.
  const isMember = caller.roles[workspaceId] !== undefined;
  return forms.pageOfForms(db, { instanceId, workspaceId, ...(isMember ? {} : { userId: caller.id }) }, filter);
}
