import { listSubmissionViews, type SearchSubmissionsData, type SubmissionView } from '@sheaf/client';
import type { Session } from './context';
import { theOne } from './kept';

export type ListQuery = NonNullable<SearchSubmissionsData['query']>;

/** The search of a view of the form, by its name or id. @throws Failure if the key sees none, or several of that name */
export async function queryOfView({ client, signal }: Session, form: string, wanted: string): Promise<ListQuery> {
  const { data } = await listSubmissionViews({ client, path: { id: form }, signal });
  return searchOf(theOne(data, wanted, 'view'));
}

function searchOf({ search: { filter = [], ...search } }: SubmissionView): ListQuery {
  const filters: Record<string, Record<string, string[]>> = {};
  for (const { key, comparison, values } of filter) filters[key] = { ...filters[key], [comparison]: values };
  return { ...search, ...(filter.length > 0 && { filter: filters }) };
}
