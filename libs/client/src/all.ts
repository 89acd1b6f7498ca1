/** A page of a list: by `offset` or by `cursor`. A feed always has a cursor, for what will happen. */
interface Page {
  data: readonly unknown[];
  total?: number;
  offset?: number;
  next_cursor?: string | null;
  has_more?: boolean;
}

/** An operation that returns a list. */
export type ListOperation = (options: never) => Promise<Page>;

type PageOf<List extends ListOperation> = Awaited<ReturnType<List>>;

/**
 * The pages of a list, each requested when the loop asks for it. Rows that are added or removed meanwhile move the pages of a list by
 * `offset`; lists by `cursor` do not move. Of a feed, such as `listSubmissionChanges`, keep the `next_cursor` of each page once you have used
 * the page: passed as `query.cursor`, it brings what has happened since.
 */
export async function* pages<List extends ListOperation>(
  list: List,
  options: Parameters<List>[0],
): AsyncGenerator<PageOf<List>, void, void> {
  let { query } = options as { query?: object };
  for (;;) {
    const page: Page = await list({ ...(options as object), query } as never);
    yield page as PageOf<List>;
    if (page.next_cursor !== undefined) {
      if (page.next_cursor === null || page.has_more === false) return;
      query = { ...query, cursor: page.next_cursor };
    } else {
      const offset = (page.offset ?? 0) + page.data.length;
      if (page.data.length === 0 || offset >= (page.total ?? 0)) return;
      query = { ...query, offset };
    }
  }
}

/** The items of a list, page by page: `for await (const form of all(listForms, { client }))`. */
export async function* all<List extends ListOperation>(
  list: List,
  options: Parameters<List>[0],
): AsyncGenerator<PageOf<List>['data'][number], void, void> {
  for await (const { data } of pages(list, options)) yield* data;
}
