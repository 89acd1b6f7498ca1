import { searchForms, type FoundForm } from '@sheaf/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { client } from '../api/client';
import { useSession } from '../session/session';
import { queryOf, type Place } from './place';

/** The forms of a place, a page at a time. While another search or order loads, the list before stays. */
export function useFormList(place: Place) {
  const workspaceId = useSession().workspace?.id;
  const where = `${workspaceId} ${place.view} ${place.folder}`;
  const query = useInfiniteQuery({
    queryKey: ['forms', 'list', where, queryOf(place)],
    queryFn: ({ signal, pageParam }) =>
      searchForms({ client, query: { ...queryOf(place), ...(pageParam === undefined ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[2] === where ? previous : undefined),
  });
  const forms = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const first = query.data?.pages[0];
  return { ...query, forms: withoutRepeats(forms), total: first?.total };
}

/** A form that has changed while pages were loaded may be on two of them. */
const withoutRepeats = (forms: readonly FoundForm[]): FoundForm[] => [...new Map(forms.map((form) => [form.id, form])).values()];
