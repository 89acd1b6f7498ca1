import type { IDataObject } from 'n8n-workflow';
import { call, type Context } from './request';

interface Page {
  data: IDataObject[];
  next_cursor: string | null;
}

const largestPage = 100;

/**
 * Reads a list page by page, up to `limit` items. A page may be empty and have a next one all the same, so only the cursor says whether
 * the list has ended.
 */
export async function readList(
  context: Context,
  path: string,
  { query, limit, itemIndex }: { query: URLSearchParams; limit: number; itemIndex: number },
): Promise<IDataObject[]> {
  const found: IDataObject[] = [];
  let cursor: string | null = null;
  do {
    const pageQuery = new URLSearchParams(query);
    pageQuery.set('limit', String(Math.min(largestPage, limit - found.length)));
    if (cursor !== null) pageQuery.set('cursor', cursor);
    const page: Page = await call(context, { path, query: pageQuery, itemIndex });
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && found.length < limit);
  return found;
}
