import { listWorkspaceMembers, type Actor } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client';
import { useSession } from '../../session/session';
import { useWords } from '../../words/use-words';

/** Tells who published something, as far as the person knows them: the form may come from another workspace. */
export function usePeople(): (actor: Actor) => string {
  const say = useWords('builder').versions;
  const { user, workspace } = useSession();
  const { data } = useQuery({
    queryKey: ['workspace', workspace?.id, 'members'],
    queryFn: ({ signal }) => listWorkspaceMembers({ client, path: { id: workspace?.id ?? '' }, signal }),
    enabled: workspace !== undefined,
  });
  const names = new Map(data?.data.map((member) => [member.user_id, member.name]));
  return ({ kind, id }) => {
    if (id === user.id) return say.you;
    return kind === 'user' ? (names.get(id) ?? '–') : say.program;
  };
}
