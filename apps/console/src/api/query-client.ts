import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { noteSignedOut } from '../session/signed-out';
import { hasStatus } from './problem-sentence';

/** Lets the person sign in again over the page if the error says that their session has ended. */
export const noticeEndedSession = (error: unknown) => {
  if (hasStatus(error, 401)) noteSignedOut();
};

/** The data that was loaded. The client has its own retries, and changes arrive as events: nothing is asked for again by itself every few seconds. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndedSession }),
  mutationCache: new MutationCache({ onError: noticeEndedSession }),
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, gcTime: 5 * 60_000, refetchOnWindowFocus: false },
    // Without a connection a request fails, and says so, instead of waiting without a word.
    mutations: { retry: false, networkMode: 'always' },
  },
});
