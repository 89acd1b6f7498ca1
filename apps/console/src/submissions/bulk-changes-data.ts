import { createBulkChange, endBulkChange, listBulkChanges, undoBulkChange, type BulkChange, type BulkChangeRequest } from '@sheaf/client';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { noticeEndedSession } from '../api/query-client';
import { toast } from '../parts/toasts';
import { useLanguage } from '../words/use-words';
import { reloadList, submissionsKey } from './list-data';
import type { ListQuery } from './list-search';
import { isUnfinished, noteCurrent, pollWhileUnfinished } from './unfinished';
import type { Deeds } from './use-deeds';

const bulkChangesKey = (form: string) => [...submissionsKey(form), 'bulk-changes'];

const bulkChangesQuery = (form: string) =>
  queryOptions({
    queryKey: bulkChangesKey(form),
    queryFn: ({ signal }) => listBulkChanges({ client, path: { id: form }, signal }),
    refetchInterval: ({ state: { data, error } }) => pollWhileUnfinished(data?.data, error),
    staleTime: 0,
  });

const dismissedKey = 'sheaf.bulk-changes.dismissed';
/** So many are remembered, the last ones: the server lists each for days only. */
const maxDismissed = 100;

/** Those that somebody closed in this browser. Other values that are stored there count as none. */
function readDismissed(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(dismissedKey) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []);
  } catch {
    return new Set();
  }
}

function keepDismissed(id: string): void {
  try {
    localStorage.setItem(dismissedKey, JSON.stringify([...readDismissed(), id].slice(-maxDismissed)));
  } catch {
    // Without storage it is closed until the page is loaded again.
  }
}

export interface BulkChangesHere {
  /** All that the server lists, but for those that somebody has closed here, and those that are taken back. */
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
  const [dismissed, setDismissed] = useState(readDismissed);
  const dismiss = (id: string) => {
    setDismissed((before) => new Set([...before, id]));
    keepDismissed(id);
  };
  const running = all.filter(isUnfinished).map(({ id }) => id);
  const takenBack = new Set(all.filter(({ state }) => state !== 'failed' && state !== 'cancelled').map(({ undoes }) => undoes));

  const wasRunning = useRef<readonly string[]>([]);
  useEffect(() => {
    const isOver = wasRunning.current.some((id) => !running.includes(id));
    wasRunning.current = running;
    if (isOver) void reloadList(queryClient, form);
  });

  const attempt = (act: () => Promise<BulkChange>) => {
    act().then(
      (changed) => noteCurrent(queryClient, bulkChangesKey(form), changed),
      (thrown: unknown) => {
        noticeEndedSession(thrown);
        toast({ text: problemSentence(thrown, language).title });
      },
    );
  };
  const begin = (body: BulkChangeRequest) => attempt(() => createBulkChange({ client, path: { id: form }, query, body }));
  const of = (changeId: string) => ({ client, path: { id: form, changeId } });
  return {
    shown: all.filter((each) => isUnfinished(each) || !(dismissed.has(each.id) || takenBack.has(each.id))),
    deeds: {
      setStatus: (_rows, status) => begin({ action: 'set_status', new_status: status }),
      assign: (_rows, userId) => begin({ action: 'assign', ...(userId === null ? {} : { new_assignee: userId }) }),
      trash: () => begin({ action: 'trash' }),
      spam: () => begin({ action: 'mark_spam' }),
      progress: undefined,
      cancel: () => undefined,
    },
    end: (id) => attempt(() => endBulkChange(of(id))),
    undo: (id) => attempt(() => undoBulkChange(of(id))),
    dismiss,
  };
}
