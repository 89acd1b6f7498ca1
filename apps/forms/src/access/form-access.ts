import { canActOnInstance, isId, Problem, type Client, type User } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as forms from '../form/forms.queries';
import type { FormAccessRow } from '../rows';

/**
 * The facts from which other services derive a caller's role. They do not depend on the caller, so services can cache them for all callers.
 */
export async function getFormAccess(
  { db }: Pick<Deps, 'db'>,
  caller: Client,
  { formId }: { formId: string },
): Promise<FormAccessRow & { legal_hold: boolean }> {
  const access = isId(formId) ? await forms.formAccess(db, caller.instanceId, formId) : undefined;
  if (!access) throw Problem.notFound('form');
  return access;
}

/** The same for several forms. Leaves out those that are not in the caller's instance. */
export const listFormAccess = ({ db }: Deps, caller: Client, { formIds }: { formIds: readonly string[] }): Promise<FormAccessRow[]> =>
  forms.accessOfForms(db, caller.instanceId, formIds.filter(isId));

/**
 * Forms of which the caller may erase what somebody sent, in the order of their ids: those that they own, wherever they are, and all forms for
 * those who run the instance.
 */
export const listOwnedForms = (
  { db }: Deps,
  caller: User,
  { afterId, limit }: { afterId: string; limit: number },
): ReturnType<typeof forms.ownedForms> => {
  const isEverywhere = canActOnInstance(caller.instanceRole, 'find and erase what a person sent to any form');
  return forms.ownedForms(db, caller, { isEverywhere, afterId, limit });
};
