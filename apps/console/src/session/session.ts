import { getCurrentSession, type SessionState } from '@sheaf/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { noteSignedOut } from './signed-out';

/** The person who is signed in, and their workspace; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal, client: queryClient, queryKey }): Promise<SessionState | null> => {
    try {
      return await getCurrentSession({ client, signal });
    } catch (error) {
      if (!hasStatus(error, 401)) throw error;
      const before = queryClient.getQueryData<SessionState | null>(queryKey) ?? null;
      // The page stays as it is, for the same person to go on.
      if (before) noteSignedOut();
      return before;
    }
  },
  staleTime: 5 * 60_000,
  // Another tab may have entered another workspace.
  refetchOnWindowFocus: 'always',
});

/** The session, on the pages behind the sign-in. */
export function useSession(): SessionState {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error('This page needs a session.');
  return data;
}

/** The role in the active workspace decides which actions are offered; the services check it again. */
export const useWorkspaceRole = (): 'owner' | 'admin' | 'editor' | 'viewer' | undefined =>
  useSession().workspace?.role as 'owner' | 'admin' | 'editor' | 'viewer' | undefined;
