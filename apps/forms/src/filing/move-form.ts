import { audited, record } from '@sheaf/events';
import { authorize, authorizeIn, isId, Problem, type User } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { grantChanged } from '../access/grant-changed';
import * as grants from '../access/grants.queries';
import type { Deps } from '../deps';
import { formChanged, formDeed, formMoved } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { lockForm, refuseTrashed, roleOn, type SeenForm } from '../form/load-form';
import { keepingMoved } from '../settings/keeping';
import { keepingOf } from '../settings/keeping.queries';

/**
 * Moves a form to another workspace, whose members then have their roles on it. It leaves its folder and keeps its grants. The caller must be an
 * owner of the form, because the move gives it to others, the caller's role in the other workspace included; and at least an editor of both
 * workspaces, because a grant on the form alone must not be enough to take it away.
 * @throws Problem `conflict` under legal hold, which the owners of the other workspace could end
 */
export async function moveForm(
  deps: Deps,
  asked: Asked<User>,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<SeenForm> {
  const { caller, call } = asked;
  return deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, caller, id);
    authorize(role, 'move this form to another workspace');
    authorizeIn(caller.roles[form.workspace_id], 'move forms out of this workspace');
    authorizeIn(isId(workspaceId) ? caller.roles[workspaceId] : undefined, 'move forms into this workspace');
    refuseTrashed(form);
    if (form.workspace_id === workspaceId) return { form, role };
    if ((await keepingOf(trx, form.id)).legal_hold)
      throw Problem.conflict('The form is under legal hold, so it must stay in its workspace.');

    const now = deps.clock.now();
    const changes = { workspace_id: workspaceId, folder_id: null, updated_at: now };
    const after = { ...form, ...changes };
    await forms.updateForm(trx, form.id, changes);
    const given = await grants.grantsOf(trx, form.id);
    const details = { from_workspace_id: form.workspace_id, to_workspace_id: workspaceId };
    await record(
      trx,
      formChanged(form, [form.slug], now),
      formMoved(after, now, call),
      ...(await keepingMoved(trx, after, now)),
      // The workspace decides who may invite people with a role on the form.
      ...given.map((one) => grantChanged(after, one.user_id, one.role, now, call)),
      // An entry for each workspace, because its owners and admins read no others.
      ...[form, after].map((where) => audited(asked, formDeed('form.moved', where, details), now)),
    );
    return { form: after, role: roleOn(caller, after) ?? role };
  });
}
