import { isId, Problem, type Client } from '@sheaf/kernel';
import type { Deps } from './deps';
import * as forms from './forms.queries';
import type { FormAccessRow } from './rows';

/** What our other services decide by about the caller's role. It holds nothing about the caller, so they can keep it for everyone. */
export async function getFormAccess({ db }: Deps, caller: Client, { formId }: { formId: string }): Promise<FormAccessRow> {
  const access = isId(formId) ? await forms.formAccess(db, caller.instanceId, formId) : undefined;
  if (!access) throw Problem.notFound('form');
  return access;
}
