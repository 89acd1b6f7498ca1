import { createFormExport, getFormExport, listFormExports, type FormExport } from '@sheaf/client';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { client } from '../api/client';
import { queryOf, type FileWish } from './export-file';
import { submissionsKey } from './list-data';
import { noteCurrent, pollWhileUnfinished } from './unfinished';

const exportsKey = (form: string) => [...submissionsKey(form), 'exports'];

/** The exports that the person has asked for. Loaded again only while they are on the screen, of a tab that somebody looks at. */
export const exportsQuery = (form: string) =>
  queryOptions({
    queryKey: exportsKey(form),
    queryFn: ({ signal }) => listFormExports({ client, path: { id: form }, signal }),
    refetchInterval: ({ state: { data, error } }) => pollWhileUnfinished(data?.data, error),
    staleTime: 0,
  });

/** Asks for an export that is made while nobody waits. @returns its id */
export async function prepareExport(queryClient: QueryClient, { form, look, query }: FileWish): Promise<string> {
  const begun = await createFormExport({ client, path: { id: form }, query: queryOf(look, query) });
  noteCurrent(queryClient, exportsKey(form), begun);
  return begun.id;
}

/** Looks an export up once more: it may have gone since it was listed. */
export async function currentExport(queryClient: QueryClient, form: string, id: string): Promise<FormExport> {
  const found = await getFormExport({ client, path: { id: form, exportId: id } });
  noteCurrent(queryClient, exportsKey(form), found);
  return found;
}
