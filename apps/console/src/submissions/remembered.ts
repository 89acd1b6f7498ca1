import { getPreferences, setPreference, type Preferences } from '@sheaf/client';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { toast } from '../parts/toasts';
import { useLanguage } from '../words/use-words';

/** The settings that a person finds again on each of their devices. */
const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: ({ signal }) => getPreferences({ client, signal }),
  staleTime: Infinity,
});

/** Resizing a column by hand is one change, not fifty. */
const gatherMs = 300;

interface Remembered<Value> {
  value: Value;
  set: (value: Value) => void;
  isPending: boolean;
}

/** A value that is kept with the person. `read` takes whatever was stored, also nothing. */
export function useRemembered<Value>(key: string, read: (stored: unknown) => Value): Remembered<Value> {
  const language = useLanguage();
  const queryClient = useQueryClient();
  const { data, isPending, error, refetch } = useQuery(preferencesQuery);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stored = data?.data[key];
  const set = (value: Value) => {
    // A value that was not read must not be written over.
    if (error !== null && data === undefined) {
      toast({ text: problemSentence(error, language).title });
      return void refetch();
    }
    queryClient.setQueryData<Preferences>(preferencesQuery.queryKey, (before) => ({ data: { ...before?.data, [key]: value } }));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setPreference({ client, path: { key }, body: { value } }).catch((error: unknown) =>
        toast({ text: problemSentence(error, language).title }),
      );
    }, gatherMs);
  };
  return { value: useMemo(() => read(stored), [read, stored]), set, isPending };
}
