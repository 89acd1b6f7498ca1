import {
  createBulkChange,
  endBulkChange,
  listBulkChanges,
  undoBulkChange,
  type BulkChange,
  type BulkChangeRequest,
  type BulkChanges,
} from '@sheaf/client';
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { noticeEndedSession } from '../api/query-client';
import { toast } from '../parts/toasts';
import { useLanguage } from '../words/use-words';
import { reloadList, submissionsKey } from './list-data';
import type { ListQuery } from './list-search';
import { isUnfinished, pollWhileUnfinished } from './unfinished';
import type { Deeds } from './use-deeds';

const bulkChangesKey = (form: string) => [...submissionsKey(form), 'bulk-changes'];

const bulkChangesQuery = (form: string) =>
  queryOptions({
    queryKey: bulkChangesKey(form),
    queryFn: ({ signal }) => listBulkChanges({ client, path: { id: form }, signal }),
    refetchInterval: ({ state: { data, error } }) => pollWhileUnfinished(data?.data, error),
    staleTime: 0,
  });

/** Puts a bulk change as it is now into the list, first if it is new. */
function note(queryClient: QueryClient, form: string, changed: BulkChange): void {
  queryClient.setQueryData<BulkChanges>(bulkChangesKey(form), ({ data } = { data: [] }) => ({
    data: data.some(({ id }) => id === changed.id) ? data.map((each) => (each.id === changed.id ? changed : each)) : [changed, ...data],
  }));
}

export interface BulkChangesHere {
  /** Those that are under way, and those that ended while this page was open. */
  shown: readonly BulkChange[];
  /** Changes all that is found. */
  deeds: Deeds;
  end: (id: string) => void;
  undo: (id: string) => void;
  dismiss: (id: string) => void;
}

/** The changes of all that a list finds, which the server makes in the background. */
export function useBulkChanges(form: string, { sort: _, ...query }: ListQuery, isEnabled: boolean): BulkChangesHere {
  const queryClient = useQueryClient();
  const language = useLanguage();
  const { data } = useQuery({ ...bulkChangesQuery(form), enabled: isEnabled });
  const all = data?.data ?? [];
  // Those that were seen under way: their end is told until somebody has read it.
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const running = all.filter(isUnfinished).map(({ id }) => id);
  if (running.some((id) => !seen.has(id))) setSeen(new Set([...seen, ...running]));

  const wasRunning = useRef<readonly string[]>([]);
  useEffect(() => {
    const isOver = wasRunning.current.some((id) => !running.includes(id));
    wasRunning.current = running;
    if (isOver) void reloadList(queryClient, form);
  });

  const attempt = (act: () => Promise<BulkChange>) => {
    act().then(
      (changed) => note(queryClient, form, changed),
      (thrown: unknown) => {
        noticeEndedSession(thrown);
        toast({ text: problemSentence(thrown, language).title });
      },
    );
  };
  const begin = (body: BulkChangeRequest) => attempt(() => createBulkChange({ client, path: { id: form }, query, body }));
  const of = (changeId: string) => ({ client, path: { id: form, changeId } });
  return {
    shown: all.filter(({ id }) => seen.has(id)),
    deeds: {
      setStatus: (_rows, status) => begin({ action: 'set_status', new_status: status }),
      assign: (_rows, userId) => begin({ action: 'assign', ...(userId === null ? {} : { new_assignee: userId }) }),
      trash: () => begin({ action: 'trash' }),
      spam: () => begin({ action: 'mark_spam' }),
      progress: undefined,
      cancel: () => undefined,
    },
    end: (id) => attempt(() => endBulkChange(of(id))),
    undo: (id) => {
      setSeen((before) => new Set([...before].filter((each) => each !== id)));
      attempt(() => undoBulkChange(of(id)));
    },
    dismiss: (id) => setSeen((before) => new Set([...before].filter((each) => each !== id))),
  };
}
