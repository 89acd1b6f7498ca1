import { getSubmissionDetail, type Change, type SubmissionDetail } from '@sheaf/client';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { useChanges } from '../shell/live-changes';
import { detailKey, patchRows, submissionsKey, viewCountsKey } from './list-data';

/** Several changes within this time are one. */
const gatherMs = 400;
/** More rows than this are not loaded one by one: the list says that it has changed. */
const maxRefreshed = 20;
/** The numbers above the list are counted again so long after the last change of one's own. */
const settledMs = 3_000;
/** An event of one's own change arrives within this time, or not at all. */
const ownMs = 15_000;

const own = new Map<string, number>();

/** Notes that this page changes these submissions and shows that itself: their events tell it nothing. */
export function noteOwnChanges(ids: readonly string[]): void {
  const until = Date.now() + ownMs;
  for (const id of ids) own.set(id, until);
}

const isOwn = (id: string): boolean => (own.get(id) ?? 0) > Date.now();

/** The changes on the form since the list was loaded. */
export interface News {
  arrived: ReadonlySet<string>;
  /** The list as a whole may differ from what is shown. */
  hasChanged: boolean;
}

const none: News = { arrived: new Set(), hasChanged: false };

interface Live {
  news: News;
  forget: () => void;
}

/**
 * Follows what happens to the submissions of a form. Rows that are shown refresh in place; what arrives is counted and waits until the person
 * wants to see it. `isShown` tells whether a submission is on the screen; `onGone` is told of those that left the list.
 */
export function useLive(form: string, isShown: (id: string) => boolean, onGone: (id: string) => void): Live {
  const queryClient = useQueryClient();
  const [news, setNews] = useState(none);
  const waiting = useRef({ ids: new Set<string>(), timer: undefined as ReturnType<typeof setTimeout> | undefined });
  const current = useRef({ isShown, onGone });
  useEffect(() => {
    current.current = { isShown, onGone };
  });
  useEffect(() => {
    const { current: state } = waiting;
    return () => clearTimeout(state.timer);
  }, []);

  const counting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(counting.current), []);
  /** A person who goes through a list changes one submission after another: the numbers follow once they pause. */
  const countAgain = useCallback(() => {
    const queryKey = viewCountsKey(form);
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
    clearTimeout(counting.current);
    counting.current = setTimeout(() => void queryClient.refetchQueries({ queryKey, type: 'active', stale: true }), settledMs);
  }, [queryClient, form]);

  const flush = useCallback(() => {
    const ids = [...waiting.current.ids];
    waiting.current = { ids: new Set(), timer: undefined };
    for (const place of ['spam', 'trash']) void queryClient.invalidateQueries({ queryKey: [...submissionsKey(form), place] });
    for (const id of ids) void queryClient.invalidateQueries({ queryKey: detailKey(form, id) });
    // Changes by others wait until the list is loaded again: on a busy form they never end.
    if (ids.some(isOwn)) countAgain();
    const rows = ids.filter((id) => current.current.isShown(id) && !isOwn(id));
    if (rows.length > maxRefreshed) setNews((before) => ({ ...before, hasChanged: true }));
    else void Promise.all(rows.map((id) => refresh(queryClient, form, id, current.current.onGone)));
  }, [queryClient, form, countAgain]);

  const handle = useCallback(
    ({ kind, action, submission_id: id }: Change) => {
      if (kind !== 'submission') return;
      if (id === undefined) return setNews((before) => ({ ...before, hasChanged: true }));
      const isArrival = action === 'created' || action === 'entered';
      // It was loaded before its event came.
      if (isArrival && current.current.isShown(id)) return;
      if (!current.current.isShown(id) && !isOwn(id)) {
        if (isArrival) setNews((before) => ({ ...before, arrived: new Set([...before.arrived, id]) }));
        else if (action === 'restored' || action === 'released') setNews((before) => ({ ...before, hasChanged: true }));
      }
      waiting.current.ids.add(id);
      waiting.current.timer ??= setTimeout(flush, gatherMs);
    },
    [flush],
  );
  useChanges(form, handle);
  return { news, forget: useCallback(() => setNews(none), []) };
}

async function refresh(queryClient: QueryClient, form: string, id: string, onGone: (id: string) => void): Promise<void> {
  try {
    const detail: SubmissionDetail = await getSubmissionDetail({ client, path: { id: form, subId: id } });
    // A value that is absent now must not stay, such as the person who took care of it.
    patchRows(queryClient, form, new Map([[id, { assignee: undefined, notes: undefined, ...detail }]]));
  } catch (error) {
    if (hasStatus(error, 404)) onGone(id);
  }
}
