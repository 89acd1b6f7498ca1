import { searchForms } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client';

/** The titles of forms by id, the newest hundred: a list that names forms asks once, not for each of them. */
export function useFormTitles(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['forms', 'titles'],
    queryFn: ({ signal }) => searchForms({ client, query: { limit: 100 }, signal }),
  });
  return new Map(data?.data.map(({ id, title }) => [id, title]));
}
