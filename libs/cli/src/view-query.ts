import { listSubmissionViews, type SearchSubmissionsData, type SubmissionView } from '@sheaf/client';
import type { Session } from './context';
import { Failure } from './failure';
import { cell } from './show';

export type ListQuery = NonNullable<SearchSubmissionsData['query']>;

/** The search of a view of the form, by its name or id. @throws Failure if the key sees none, or several of that name */
export async function queryOfView({ client, signal }: Session, form: string, wanted: string): Promise<ListQuery> {
  const { data } = await listSubmissionViews({ client, path: { id: form }, signal });
  const found = data.filter(({ id, name }) => id === wanted || name === wanted);
  const [view, another] = found;
  if (view && !another) return searchOf(view);
  const names = (views: readonly SubmissionView[]) =>
    views.map(({ id, name, shared }) => `${cell(name)} (${shared ? 'shared' : 'own'}, ${id})`).join(', ');
  if (view) throw new Failure(`--view: several views have this name: ${names(found)}. Give the id of one.`, 2);
  throw new Failure(
    `--view: the form has no such view. ${data.length === 0 ? 'It has none that this key sees.' : `There are ${names(data)}.`}`,
    2,
  );
}

function searchOf({ search: { filter = [], ...search } }: SubmissionView): ListQuery {
  const filters: Record<string, Record<string, string[]>> = {};
  for (const { key, comparison, values } of filter) filters[key] = { ...filters[key], [comparison]: values };
  return { ...search, ...(filter.length > 0 && { filter: filters }) };
}
