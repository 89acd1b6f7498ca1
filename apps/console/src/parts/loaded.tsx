import type { ReactNode } from 'react';
import { useWords } from '../words/use-words';
import { Button } from './button';
import { Problem } from './problem';
import { Skeleton } from './states';

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

/** The data that was asked for, once it is there: until then its outline, or why it cannot be loaded. */
export const Loaded = <Data,>({
  query: { data, error, isPending, refetch },
  lines,
  children,
}: {
  query: Query<Data>;
  lines?: number;
  children: (data: Data) => ReactNode;
}) => (
  <>
    {isPending && <Skeleton {...(lines === undefined ? {} : { lines })} />}
    {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
    {data !== undefined && children(data)}
  </>
);

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The button below a list that loads its next page. */
export function LoadMore({ pages: { hasNextPage, isFetchingNextPage, fetchNextPage }, label }: { pages: Pages; label?: string }) {
  const { loadMore } = useWords('everywhere').parts;
  if (!hasNextPage) return null;
  return (
    <div>
      <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
        {label ?? loadMore}
      </Button>
    </div>
  );
}
