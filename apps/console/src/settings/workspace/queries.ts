import { listInvitations, listWorkspaceMembers } from '@sheaf/client';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client';

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'members'],
    queryFn: ({ signal }) => listWorkspaceMembers({ client, path: { id }, signal }),
  });

export const invitationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'invitations'],
    queryFn: ({ signal }) => listInvitations({ client, path: { id }, signal }),
  });

/** Members and invitations change together. */
export function useRefreshPeople(id: string): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: membersQuery(id).queryKey }),
      queryClient.invalidateQueries({ queryKey: invitationsQuery(id).queryKey }),
    ]);
}
