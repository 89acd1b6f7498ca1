import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createClient } from '@sheaf/client';
import { printChanges } from './changes';
import type { Session } from './context';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-cli-'));
  file = join(folder, 'visit.cursor');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const change = (id: string, type = 'created') => ({ type, submission_id: id, at: '2026-06-01T12:00:00.000Z' });

/** A feed whose pages are asked for by the cursors `undefined`, `1`, `2`; after them it has nothing new. */
function aFeed(...feed: object[][]) {
  const asked: (string | null)[] = [];
  const fetch = (url: string | URL): Promise<Response> => {
    const cursor = new URL(url).searchParams.get('cursor');
    asked.push(cursor);
    if (cursor === 'old')
      return Promise.resolve(Response.json({ error: { code: 'cursor_expired', message: 'cursor: expired' } }, { status: 410 }));
    const at = Number(cursor ?? 0);
    return Promise.resolve(
      Response.json({ data: feed[at] ?? [], has_more: at + 1 < feed.length, next_cursor: String(Math.min(at + 1, feed.length)) }),
    );
  };
  return { asked, fetch: fetch as typeof globalThis.fetch };
}

async function changes(fetch: typeof globalThis.fetch, { form = 'f', fails = false }: { form?: string; fails?: boolean } = {}) {
  let shown = '';
  const out = new Writable({
    write(chunk: Buffer, _, done) {
      shown += chunk.toString();
      done(fails ? new Error('the reader has gone') : null);
    },
  });
  // As the command's own output has a listener.
  out.on('error', () => undefined);
  const client = createClient({ url: 'http://127.0.0.1:1', key: 'shf_secret', fetch });
  const session = { client, out, json: true, isTerminal: false, signal: new AbortController().signal } as unknown as Session;
  const failure = await printChanges(session, form, { cursor: file }).catch((error: unknown) => (error as Error).message);
  const ids = shown.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { submission_id: string }).submission_id]));
  return { ids, failure };
}

it('prints all pages, and the next run goes on where this one ended', async () => {
  const feed = aFeed([change('a'), change('b')], [change('a', 'trashed')]);
  expect(await changes(feed.fetch)).toEqual({ ids: ['a', 'b', 'a'], failure: undefined });
  expect(await changes(feed.fetch)).toEqual({ ids: [], failure: undefined });
  expect(feed.asked).toEqual([null, '1', '2']);
  expect(await readdir(folder)).toEqual(['visit.cursor']);
});

it('keeps no cursor of changes that could not be written', async () => {
  const { fetch } = aFeed([change('a')]);
  expect(await changes(fetch, { fails: true })).toMatchObject({ failure: 'the reader has gone' });
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  ['a cursor of another form', JSON.stringify({ form: 'other', cursor: '1' }), /cursor of the form other/],
  ['a file that is something else', 'name,stars\n', /no cursor of this command/],
  ['JSON that is something else', 'null', /no cursor of this command/],
  ['an expired cursor', JSON.stringify({ form: 'f', cursor: 'old' }), /Remove the file/],
])('refuses %s, and leaves the file as it is', async (_, text, message) => {
  await writeFile(file, text);
  const { ids, failure } = await changes(aFeed([change('a')]).fetch);
  expect({ ids, failure }).toEqual({ ids: [], failure: expect.stringMatching(message) as string });
  expect(await readFile(file, 'utf8')).toBe(text);
});
