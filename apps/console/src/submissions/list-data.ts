import { getFormVersion, getSubmissionDetail, searchSubmissions, type FoundSubmissions, type SubmissionDetail } from '@sheaf/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { client } from '../api/client';
import type { ListQuery } from './list-search';

/** Everything about the submissions of a form that was loaded. */
export const submissionsKey = (form: string) => ['form', form, 'submissions'] as const;
const listsKey = (form: string) => [...submissionsKey(form), 'list'] as const;
/** The numbers on the tabs above a list. */
export const viewCountsKey = (form: string) => [...submissionsKey(form), 'view-counts'] as const;
export const detailKey = (form: string, id: string) => [...submissionsKey(form), 'detail', id] as const;

/** A list page by page. It is loaded again only when the person asks for it, so that it never moves under their hands. */
export const listQuery = (form: string, query: ListQuery) =>
  infiniteQueryOptions({
    queryKey: [...listsKey(form), query],
    queryFn: ({ pageParam, signal }) =>
      searchSubmissions({
        client,
        path: { id: form },
        query: { ...query, limit: 100, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    // Changes that came while nobody looked at the list are unknown.
    gcTime: 0,
  });

/** The version of a form that has this number now. Of a submission with its id, so that nothing loaded for another is taken for it. */
export const versionQuery = (form: string, version: number, id?: string) =>
  queryOptions({
    queryKey: ['form', form, 'versions', version, ...(id === undefined ? [] : [id])],
    queryFn: ({ signal }) => getFormVersion({ client, path: { id: form, version: String(version) }, signal }),
    staleTime: 'static',
  });

export const detailQuery = (form: string, id: string) =>
  queryOptions({
    queryKey: detailKey(form, id),
    queryFn: ({ signal }) => getSubmissionDetail({ client, path: { id: form, subId: id }, signal }),
  });

type Lists = InfiniteData<FoundSubmissions, string | null>;

/** Shows a changed submission where it stands in the lists that were loaded, and in the panel. */
export function patchRows(queryClient: QueryClient, form: string, changes: ReadonlyMap<string, Partial<SubmissionDetail>>): void {
  const patched = (row: SubmissionDetail): SubmissionDetail => {
    const change = changes.get(row.id);
    return change === undefined ? row : { ...row, ...change };
  };
  queryClient.setQueriesData<Lists>(
    { queryKey: listsKey(form) },
    (lists) =>
      lists && {
        ...lists,
        pages: lists.pages.map((page) => (page.data.some(({ id }) => changes.has(id)) ? { ...page, data: page.data.map(patched) } : page)),
      },
  );
  for (const id of changes.keys()) queryClient.setQueryData<SubmissionDetail>(detailKey(form, id), (detail) => detail && patched(detail));
}

/** Loads the list again from its first page, and the numbers above it. */
export async function reloadList(queryClient: QueryClient, form: string): Promise<void> {
  queryClient.setQueriesData<Lists>(
    { queryKey: listsKey(form) },
    (lists) => lists && { pages: lists.pages.slice(0, 1), pageParams: lists.pageParams.slice(0, 1) },
  );
  await Promise.all([listsKey(form), viewCountsKey(form)].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
