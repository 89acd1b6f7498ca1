import type { ZObject } from 'zapier-platform-core';
import { call, type Connection } from './api.js';

export interface Form extends Record<string, unknown> {
  id: string;
  title: string;
  status: string;
  current_version: number;
  created_at: string;
  updated_at: string;
}

/** A form, and the workspace that it is in if there are several, or that others share it. */
export interface PlacedForm {
  form: Form;
  place?: string;
}

interface Page {
  data: Form[];
  next_cursor: string | null;
}

/**
 * The first forms of all workspaces and of those that others share, up to `limit` of them. A page may be empty and have a next one all the
 * same, so only the cursor says whether a list has ended.
 */
export async function readForms(
  z: ZObject,
  connection: Connection,
  { limit, params = {} }: { limit: number; params?: Record<string, string> },
): Promise<PlacedForm[]> {
  const found: PlacedForm[] = [];
  for (const { name, only } of await placesOf(z, connection)) {
    let cursor: string | null = null;
    do {
      if (found.length >= limit) return found;
      const page: Page = await call(z, connection, {
        path: '/app/v1/forms',
        params: { ...params, ...only, limit: String(Math.min(100, limit - found.length)), ...(cursor === null ? {} : { cursor }) },
      });
      found.push(...page.data.map((form) => ({ form, ...(name === undefined ? {} : { place: name }) })));
      cursor = page.next_cursor;
    } while (cursor !== null);
  }
  return found;
}

/** The workspaces of a person, or everything for a service account, which is a member of none; and what others share. */
async function placesOf(z: ZObject, connection: Connection): Promise<{ name?: string; only: Record<string, string> }[]> {
  // A service account need not have the scope for this list, which is empty for it anyway.
  const { data: workspaces = [] } = await call<{ data?: { id: string; name: string }[] }>(z, connection, {
    path: '/api/v1/workspaces',
    accept: [403],
  });
  const own = workspaces.map(({ id, name }) => ({ only: { workspace_id: id }, ...(workspaces.length > 1 ? { name } : {}) }));
  return [...(own.length > 0 ? own : [{ only: {} }]), { name: 'shared', only: { shared: 'true' } }];
}
