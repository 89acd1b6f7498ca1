import { receiveEvents, type Change } from '@sheaf/client';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { noteSignedOut, useSignedOut } from '../session/signed-out';

interface Listener {
  formId: string;
  onChange: (change: Change) => void;
  onGap: (() => void) | undefined;
}
const listeners = new Set<Listener>();

/**
 * Calls `onChange` for each change on the form, such as a submission that arrived. Changes may be missed while the connection is down for
 * long; `onGap` is called after that.
 */
export function useChanges(formId: string, onChange: (change: Change) => void, onGap?: () => void): void {
  useEffect(() => {
    const listener: Listener = { formId, onChange, onGap };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [formId, onChange, onGap]);
}

/** The queries that a change makes stale, beside what the screens note themselves. Only queries on the screen are loaded again. */
function noteChange(queryClient: QueryClient, { kind, form_id: form }: Change): void {
  const stale =
    kind === 'delivery'
      ? [
          ['form', form, 'deliveries'],
          ['form', form, 'webhooks'],
        ]
      : [['form', form]];
  for (const queryKey of stale) {
    // Lists of submissions keep their place when something arrives, and submissions are counted later: these screens decide when to load.
    void queryClient.invalidateQueries({
      queryKey,
      predicate: ({ queryKey: [, , part] }) => part !== 'submissions' && part !== 'insights',
    });
  }
  if (kind !== 'delivery' && kind !== 'webhook') void queryClient.invalidateQueries({ queryKey: ['forms'] });
}

/** Follows the changes on the caller's forms for as long as the console is open and somebody is signed in. Many within a moment count as one. */
export function useLiveChanges(): void {
  const queryClient = useQueryClient();
  const isSignedOut = useSignedOut();
  const isHidden = useHidden();
  const last = useRef<string>(undefined);
  const isFirst = useRef(true);
  useEffect(() => {
    // A browser has six connections to a server, over all tabs: those that nobody looks at give theirs back, and go on where they were.
    if (isSignedOut || isHidden) return;
    const ending = new AbortController();
    const waiting = new Map<string, Change>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      for (const change of waiting.values()) noteChange(queryClient, change);
      waiting.clear();
    };
    const follow = async () => {
      for await (const event of receiveEvents({ client, lastEventId: last.current, signal: ending.signal })) {
        last.current = event.id;
        if (event.type === 'reset') {
          // A stream begins with one. Data that the page has just loaded need not be loaded twice: it counts as old once it is used again.
          void queryClient.invalidateQueries(isFirst.current ? { refetchType: 'none' } : {});
          if (!isFirst.current) for (const { onGap } of listeners) onGap?.();
          isFirst.current = false;
        } else {
          for (const { formId, onChange } of listeners) if (formId === event.data.form_id) onChange(event.data);
          waiting.set(`${event.data.kind} ${event.data.form_id}`, event.data);
          timer ??= setTimeout(flush, 500);
        }
      }
    };
    follow().catch((error: unknown) => {
      if (hasStatus(error, 401)) noteSignedOut();
    });
    return () => {
      ending.abort();
      clearTimeout(timer);
      flush();
    };
  }, [queryClient, isSignedOut, isHidden]);
}

const useHidden = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    () => document.visibilityState === 'hidden',
  );

/** Whether the browser has a connection at all. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
