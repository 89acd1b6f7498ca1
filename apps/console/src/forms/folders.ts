import { listFolders, type FolderSummary } from '@sheaf/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session';
import { client } from '../api/client';

const foldersQuery = (workspaceId: string | undefined) =>
  queryOptions({
    queryKey: ['folders', workspaceId],
    queryFn: async ({ signal }) => (await listFolders({ client, signal })).data,
  });

/** The folders of the active workspace, in their order; none while they load. */
export function useFolders(): readonly FolderSummary[] {
  return useQuery(foldersQuery(useSession().workspace?.id)).data ?? [];
}
