import type { FormSettingsDetail } from '@sheaf/client';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { listQuery, reloadList, versionQuery } from './list-data';
import { listQueryOf, type PageSearch } from './list-search';
import { useLive } from './live';

/** Pages in a row without a single submission, after which the person decides whether to look further. */
const maxEmptyPages = 10;

/** Until the list is asked for again while its order is prepared. */
const preparingPauseMs = 1_000;

/** The list that the address describes, and what happens to it. */
export function useList(form: FormSettingsDetail, search: PageSearch) {
  const queryClient = useQueryClient();
  const query = listQueryOf(search);
  const key = JSON.stringify(query);
  const found = useInfiniteQuery(listQuery(form.id, query));
  // The table stays while a version that was published meanwhile is loaded.
  const version = useQuery({ ...versionQuery(form.id, form.current_version), placeholderData: keepPreviousData });
  // Of this list only: another one is loaded without them.
  const [hidden, setHidden] = useState<{ key: string; ids: ReadonlySet<string> }>({ key, ids: none });
  const gone = hidden.key === key ? hidden.ids : none;
  const [furtherFrom, setFurtherFrom] = useState(0);

  const pages = useMemo(() => found.data?.pages ?? [], [found.data]);
  const rows = useMemo(() => pages.flatMap(({ data }) => data).filter(({ id }) => !gone.has(id)), [pages, gone]);
  const shownIds = useMemo(() => new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))), [pages]);
  const change = useCallback(
    (edit: (ids: readonly string[]) => readonly string[]) =>
      setHidden((before) => ({ key, ids: new Set(edit(before.key === key ? [...before.ids] : [])) })),
    [key],
  );
  const hide = useCallback((ids: readonly string[]) => change((before) => [...before, ...ids]), [change]);
  const unhide = useCallback((ids: readonly string[]) => change((before) => before.filter((id) => !ids.includes(id))), [change]);
  const live = useLive(
    form.id,
    (id) => shownIds.has(id) || search.open === id,
    (id) => hide([id]),
  );

  const emptyPages = pages.length - 1 - pages.findLastIndex(({ data, preparing }) => data.length > 0 || preparing !== undefined);
  const isPaused = emptyPages - furtherFrom >= maxEmptyPages;
  const { fetchNextPage, isFetchingNextPage, hasNextPage } = found;
  const loadMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  const preparing = found.isPlaceholderData ? undefined : pages.at(-1)?.preparing;
  const isWaiting = preparing !== undefined && !isFetchingNextPage && !found.isFetchNextPageError;
  useEffect(() => {
    if (!isWaiting) return;
    const waiting = setTimeout(loadMore, preparingPauseMs);
    return () => clearTimeout(waiting);
  }, [isWaiting, loadMore]);
  const total = !hasNextPage && !found.isPlaceholderData ? rows.length : totalOf(pages[0]?.total, gone.size);
  const refresh = () => {
    live.forget();
    setHidden({ key, ids: none });
    void reloadList(queryClient, form.id);
  };
  return {
    // Not `key`, as parts that are given the list as a whole would be built anew for each other one, and the focus in them be lost.
    listKey: key,
    query,
    rows,
    fields: version.data?.fields,
    /** Their columns are missing without them, but the rows are there if they cannot be had. */
    areFieldsPending: version.isPending,
    total,
    atLeast: Math.max(rows.length, ...pages.map((page) => page.total_at_least ?? 0)),
    preparing,
    isIndexed: pages[0]?.indexed !== false,
    news: live.news,
    refresh,
    hide,
    unhide,
    error: found.error ?? version.error,
    retry: () =>
      void Promise.all([
        found.error && (found.isFetchNextPageError ? fetchNextPage() : found.refetch()),
        version.error && version.refetch(),
      ]),
    hasMore: hasNextPage && !isPaused && !preparing && !found.isFetchNextPageError,
    isPaused: hasNextPage && isPaused,
    lookFurther: () => {
      setFurtherFrom(emptyPages);
      loadMore();
    },
    isLoading: isFetchingNextPage || found.isPlaceholderData,
    /** Rows will follow though there are none yet. */
    isWaiting: found.isPending || found.isPlaceholderData || (preparing !== undefined && found.error === null),
    isLoadingMore: isFetchingNextPage,
    loadMore,
  };
}

const none: ReadonlySet<string> = new Set();

const totalOf = (total: number | undefined, gone: number): number | undefined =>
  total === undefined ? undefined : Math.max(0, total - gone);
