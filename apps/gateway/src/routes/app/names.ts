import type { HandlerContext } from '../../route';
import type { Services } from '../services';

/** The members of the form's workspace by their ids. Callers who are no members there may not know them, and get ids. */
export async function namesOf(
  { forms, workspaces }: Pick<Services, 'forms' | 'workspaces'>,
  formId: string,
  { call, caller }: Pick<HandlerContext<unknown, unknown>, 'call' | 'caller'>,
): Promise<Record<string, string>> {
  const { workspace_id } = await forms.getFormAccess(call, { form_id: formId });
  if (caller.kind !== 'user' || caller.roles[workspace_id] === undefined) return {};
  const { members } = await workspaces.listMembers(call, { workspace_id });
  return Object.fromEntries(members.map(({ user_id, name }) => [user_id, name]));
}
