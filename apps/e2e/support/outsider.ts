import type { Person } from '@sheaf/testing';
import { acceptedInvitation, asOwnerSignedIn, credentials, secondWorkspace } from './people';

/**
 * A signed-in editor of another workspace of the same instance, without a role on anything in the first workspace.
 */
export async function asOutsider(): Promise<Person> {
  const { userId: id, email, signIn } = await acceptedInvitation('editor');
  await secondWorkspace({ email, role: 'editor' });
  await (await asOwnerSignedIn()).delete(`/app/v1/workspaces/${credentials.workspace_id}/members/${id}`);
  return signIn();
}
