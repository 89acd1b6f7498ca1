import { formRoles, type FormAccess } from '@sheaf/kernel';
import type { FormAccess__Output } from './generated/sheaf/forms/v1/FormAccess';

/** Converts an answer of `Forms.GetFormAccess` to the kernel's form access. A role that this process does not know yet gives no access. */
export const toFormAccess = ({ workspace_id, creator_kind, creator_id, grants }: FormAccess__Output): FormAccess => ({
  workspaceId: workspace_id,
  creator: { kind: creator_kind === 'service_account' ? 'service_account' : 'user', id: creator_id },
  grants: Object.fromEntries(
    Object.entries(grants).flatMap(([user, name]) => {
      const role = formRoles.find((known) => known === name);
      return role ? [[user, role]] : [];
    }),
  ),
});
