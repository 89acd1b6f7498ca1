import { all, listFormGrants, listWorkspaceMembers, type Actor, type FormSettingsDetail } from '@sheaf/client';
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
  const { data = [] } = useQuery({
    queryKey: ['form', form.id, 'people', mayManage],
    queryFn: async ({ signal }) => {
      const found = await Promise.all([
        named(all(listWorkspaceMembers, { client, path: { id: form.workspace_id }, signal })),
        // Viewers are not told who has access.
        mayManage ? named(all(listFormGrants, { client, path: { id: form.id }, signal })) : [],
      ]);
      return found.flat();
    },
    staleTime: 5 * 60_000,
  });
  const names = new Map([{ id: user.id, name: user.name }, ...data].map(({ id, name }) => [id, name]));
  return { list: [...names].map(([id, name]) => ({ id, name })), nameOf: (id) => names.get(id) };
}

/** Nobody, where the caller has a role on the form alone and may not see the workspace. */
async function named(people: AsyncIterable<{ user_id: string; name?: string; email?: string }>): Promise<KnownPerson[]> {
  const found: KnownPerson[] = [];
  try {
    for await (const { user_id: id, name, email } of people) {
      found.push({ id, name: name ?? email ?? id });
      if (found.length >= maxPeople) break;
    }
  } catch {
    return found;
  }
  return found;
}

/** Who did something, by name where that is known. */
export const actorName = (
  { kind, id }: Actor,
  { nameOf }: People,
  say: { somebody: string; serviceAccount: string; sheaf: string },
): string => (kind === 'user' ? (nameOf(id) ?? say.somebody) : kind === 'service_account' ? say.serviceAccount : say.sheaf);
