import { authorize, formRole, isId, workspaceRoles, type Client, type FormAccess, type FormRole } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { getFormAccess } from './form-access';

/**
 * The role of a person on a form; undefined for anybody else.
 * @throws Problem `not_found`, `forbidden` for callers who may not change the form's submissions
 */
export async function getPersonRole(
  { db, workspaces }: Deps,
  { caller, call }: Asked<Client>,
  { formId, userId }: { formId: string; userId: string },
): Promise<FormRole | undefined> {
  const { workspace_id, creator_kind, creator_id, grants } = await getFormAccess({ db }, caller, { formId });
  const form: FormAccess = { workspaceId: workspace_id, creator: { kind: creator_kind, id: creator_id }, grants };
  authorize(formRole(caller, form), 'change submissions of this form');
  if (!isId(userId)) return undefined;
  const { people } = await workspaces.findPeople(call, { ids: [userId] });
  const [person] = people;
  return person && formRole({ kind: 'user', id: person.id, roles: knownRoles(person.roles) }, form);
}

/** A newer version of `workspaces` may know more roles. */
const knownRoles = (roles: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(roles).flatMap(([workspace, name]) => {
      const role = workspaceRoles.find((known) => known === name);
      return role ? [[workspace, role]] : [];
    }),
  );
