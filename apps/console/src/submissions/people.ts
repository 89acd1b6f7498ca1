import { all, listFormGrants, listWorkspaceMembers, listWorkspaces, type Actor, type FormSettingsDetail } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client';
import { mayEdit } from '../form/form';
import { useSession } from '../session/session';

export interface KnownPerson {
  id: string;
  name: string;
}

export interface People {
  /** Those who can take care of a submission. */
  list: readonly KnownPerson[];
  nameOf: (id: string) => string | undefined;
}

const maxPeople = 500;

/** The people with a role on the form whom the caller may see; at least the caller. */
export function usePeople(form: FormSettingsDetail): People {
  const { user } = useSession();
  const mayManage = mayEdit(form);
  const { data: workspaces } = useQuery({ queryKey: ['workspaces'], queryFn: ({ signal }) => listWorkspaces({ client, signal }) });
  // A person with a role on the form alone does not see the workspace.
  const isMember = workspaces?.data.some(({ id }) => id === form.workspace_id) ?? false;
  const { data = [] } = useQuery({
    queryKey: ['form', form.id, 'people', mayManage, isMember],
    queryFn: async ({ signal }) => {
      const found = await Promise.all([
        isMember ? named(all(listWorkspaceMembers, { client, path: { id: form.workspace_id }, signal })) : [],
        // Viewers are not told who has access.
        mayManage ? named(all(listFormGrants, { client, path: { id: form.id }, signal })) : [],
      ]);
      return found.flat();
    },
    enabled: workspaces !== undefined,
    staleTime: 5 * 60_000,
  });
  const names = new Map([{ id: user.id, name: user.name }, ...data].map(({ id, name }) => [id, name]));
  return { list: [...names].map(([id, name]) => ({ id, name })), nameOf: (id) => names.get(id) };
}

async function named(people: AsyncIterable<{ user_id: string; name?: string; email?: string }>): Promise<KnownPerson[]> {
  const found: KnownPerson[] = [];
  for await (const { user_id: id, name, email } of people) {
    found.push({ id, name: name ?? email ?? id });
    if (found.length >= maxPeople) break;
  }
  return found;
}

/** The person who did something, by name where that is known. */
export const actorName = (
  { kind, id }: Actor,
  { nameOf }: People,
  say: { somebody: string; serviceAccount: string; sheaf: string },
): string => (kind === 'user' ? (nameOf(id) ?? say.somebody) : kind === 'service_account' ? say.serviceAccount : say.sheaf);
