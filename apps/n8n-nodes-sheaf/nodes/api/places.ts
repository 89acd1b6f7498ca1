import type { IDataObject } from 'n8n-workflow';
import { call, callOrMissing, type Context } from './request';

/** A part of the forms that a key reaches. Each has a list of its own in the API. */
interface Place {
  id: string;
  /** Absent where it says nothing: the only workspace, or the whole instance. */
  name?: string;
  query: Record<string, string>;
}

interface FormPage {
  data: (IDataObject & { id: string; title: string })[];
  next_cursor: string | null;
}

export interface FormsRead {
  forms: { form: FormPage['data'][number]; place?: string }[];
  /** The place to read on from; absent at the end. */
  next?: string;
}

const largestPage = 100;

/**
 * Reads the forms of all workspaces, and those that others share, up to `limit` of them. A page may be empty and have a next one all the
 * same, so only the cursor says whether a list has ended.
 */
export async function readForms(
  context: Context,
  { query, limit, from, itemIndex }: { query: URLSearchParams; limit: number; from?: string; itemIndex?: number },
): Promise<FormsRead> {
  const at = itemIndex === undefined ? {} : { itemIndex };
  const places = await placesOf(context, at);
  const [start, ...rest] = (from ?? '').split(':');
  let index = Math.max(
    places.findIndex(({ id }) => id === start),
    0,
  );
  let cursor = rest.join(':');
  const forms: FormsRead['forms'] = [];
  for (let place = places[index]; place; place = places[index]) {
    if (forms.length >= limit) return { forms, next: `${place.id}:${cursor}` };
    const { name } = place;
    const pageQuery = new URLSearchParams([...query, ...Object.entries(place.query)]);
    pageQuery.set('limit', String(Math.min(largestPage, limit - forms.length)));
    if (cursor !== '') pageQuery.set('cursor', cursor);
    const page: FormPage = await call(context, { path: '/app/v1/forms', query: pageQuery, ...at });
    forms.push(...page.data.map((form) => ({ form, ...(name === undefined ? {} : { place: name }) })));
    cursor = page.next_cursor ?? '';
    if (cursor === '') index += 1;
  }
  return { forms };
}

/** The workspaces of a person, or everything for a service account, which is a member of none; and what others share. */
async function placesOf(context: Context, at: { itemIndex?: number }): Promise<Place[]> {
  // A service account need not have the scope for this list, which is empty for it anyway.
  const listed = await callOrMissing<{ data: { id: string; name: string }[] }>(context, { path: '/api/v1/workspaces', ...at }, 403);
  const workspaces = listed?.data ?? [];
  const own = workspaces.map(({ id, name }): Place => ({ id, query: { workspace_id: id }, ...(workspaces.length > 1 ? { name } : {}) }));
  const shared: Place = { id: 'shared', name: 'shared', query: { shared: 'true' } };
  return [...(own.length > 0 ? own : [{ id: 'all', query: {} }]), shared];
}
