import { all, pages } from './all';
import { listApiKeys, listForms, listSubmissionChanges, searchForms } from './generated/sdk.gen';
import { answer, ScriptedServer } from './testing/scripted-server';

let server: ScriptedServer;
beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());

const items = (...ids: string[]) => ids.map((id) => ({ id }));
const queries = () => server.received.map(({ url }) => url.split('?')[1] ?? '');
async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

it('follows offsets to the end of a list', async () => {
  const client = server
    .will(answer({ data: items('a', 'b'), total: 3, limit: 2, offset: 0 }), answer({ data: items('c'), total: 3, limit: 2, offset: 2 }))
    .client();
  expect(await idsOf(all(listForms, { client, query: { limit: 2, q: 'visit' } }))).toEqual(['a', 'b', 'c']);
  expect(queries()).toEqual(['limit=2&q=visit', 'limit=2&q=visit&offset=2']);
});

it('begins at the offset of the caller', async () => {
  const client = server.will(answer({ data: items('c'), total: 3, limit: 2, offset: 2 })).client();
  expect(await idsOf(all(listForms, { client, query: { offset: 2 } }))).toEqual(['c']);
  expect(queries()).toEqual(['offset=2']);
});

it('ends when a list has become shorter than it was', async () => {
  const client = server
    .will(answer({ data: items('a'), total: 5, limit: 1, offset: 0 }), answer({ data: [], total: 5, limit: 1, offset: 1 }))
    .client();
  expect(await idsOf(all(listForms, { client }))).toEqual(['a']);
});

it('asks once for a list without pages', async () => {
  const client = server.will(answer({ data: items('a', 'b'), total: 2, limit: 2, offset: 0 })).client();
  expect(await idsOf(all(listApiKeys, { client }))).toEqual(['a', 'b']);
  expect(queries()).toEqual(['']);
});

it('follows cursors to the end of a list, also over empty pages', async () => {
  const client = server
    .will(
      answer({ data: items('a'), next_cursor: 'x' }),
      answer({ data: [], next_cursor: 'y' }),
      answer({ data: items('b'), next_cursor: null }),
    )
    .client();
  expect(await idsOf(all(searchForms, { client, query: { q: 'visit' } }))).toEqual(['a', 'b']);
  expect(queries()).toEqual(['q=visit', 'q=visit&cursor=x', 'q=visit&cursor=y']);
});

it('requests a page only when the loop asks for it', async () => {
  const client = server.will(answer({ data: items('a', 'b'), next_cursor: 'x' })).client();
  for await (const { id } of all(searchForms, { client })) if (id === 'b') break;
  expect(server.received).toHaveLength(1);
});

it('shows whole pages to those who want their totals', async () => {
  const client = server.will(answer({ data: items('a'), total: 1, limit: 25, offset: 0 })).client();
  for await (const page of pages(listForms, { client })) expect([page.total, page.data[0]?.id]).toEqual([1, 'a']);
});

it('fails where a page fails', async () => {
  const client = server
    .will(answer({ data: items('a'), next_cursor: 'x' }), answer({ error: { code: 'forbidden', message: 'no' } }, 403))
    .client();
  const seen: string[] = [];
  const read = async () => {
    for await (const { id } of all(searchForms, { client })) seen.push(id);
  };
  await expect(read()).rejects.toMatchObject({ code: 'forbidden' });
  expect(seen).toEqual(['a']);
});

it('ends a feed when nothing more has happened, with a cursor to go on from', async () => {
  const client = server
    .will(answer({ data: [], has_more: true, next_cursor: 'x' }), answer({ data: [], has_more: false, next_cursor: 'y' }))
    .client();
  const cursors: string[] = [];
  for await (const page of pages(listSubmissionChanges, { client, path: { id: 'f' }, query: { cursor: 'w' } }))
    cursors.push(page.next_cursor);
  expect(cursors).toEqual(['x', 'y']);
  expect(queries()).toEqual(['cursor=w', 'cursor=x']);
});
