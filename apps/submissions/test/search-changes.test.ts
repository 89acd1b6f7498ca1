import { rowsOf } from '@sheaf/postgres';
import { callAs, countRowsRead, refused } from '@sheaf/testing';
import { inOrderOfChange } from '../src/search/find-places';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner, clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

interface Asked {
  q?: string;
  statuses?: string[];
  sort?: string;
  from?: string;
  changed_since?: string;
  limit?: number;
  cursor?: string;
}
const find = (form_id: string, asked: Asked = {}) =>
  started.client.findSubmissions(callAs(owner), { form_id, limit: 25, sort: 'updated', statuses: [], filters: [], ...asked });
const idsIn = async (form: string, asked: Asked = {}) => (await find(form, asked)).submissions.map(({ id }) => id);
const approve = (form_id: string, id: string) => started.client.changeStatus(callAs(owner), { form_id, id, status: 'approved' });

/** The rows that a page of 25 reads to find its submissions. */
const rowsReadFor = (formId: string, sort: 'updated' | '-updated') =>
  started.db.transaction((trx) => {
    const filter = {
      formId,
      terms: undefined,
      indexed: [],
      phrases: [],
      texts: [],
      lacking: undefined,
      ranges: [],
      statuses: undefined,
      assignee: undefined,
    };
    const direction = sort === 'updated' ? 'asc' : 'desc';
    return countRowsRead(trx, ['submission'], () =>
      inOrderOfChange(
        trx,
        { ...filter, from: undefined, to: undefined, changedSince: undefined },
        { direction, limit: 25, after: undefined },
      ),
    );
  });

async function formWith(count: number): Promise<{ form: string; ids: string[] }> {
  const form = started.aForm();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    clock.advance(1_000);
    ids.push((await started.submit(form, { name: `Name ${n}` })).id);
  }
  clock.advance(1_000);
  return { form, ids };
}

describe('the order of changes', () => {
  it('has new submissions by their arrival, and changed ones by their last change', async () => {
    const { form, ids } = await formWith(4);
    const [a = '', b = '', c = '', d = ''] = ids;
    expect(await idsIn(form)).toEqual([a, b, c, d]);
    await approve(form, b);
    clock.advance(1_000);
    const before = clock.now().toISOString();
    await started.client.assignSubmission(callAs(owner), { form_id: form, id: a, user_id: owner.id });
    expect(await idsIn(form)).toEqual([c, d, b, a]);
    expect(await idsIn(form, { sort: '-updated' })).toEqual([a, b, d, c]);
    expect(await idsIn(form, { changed_since: before })).toEqual([a]);
    clock.advance(1_000);
    const { id: e } = await started.submit(form);
    expect(await idsIn(form, { changed_since: before })).toEqual([a, e]);
  });

  it('leaves out the trash and the spam, and has what returns from there', async () => {
    const { form, ids } = await formWith(3);
    const [a = '', b = '', c = ''] = ids;
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id: a });
    await started.client.markSpam(callAs(owner), { form_id: form, id: b, spam: true });
    expect(await idsIn(form)).toEqual([c]);
    clock.advance(1_000);
    await started.client.restoreSubmission(callAs(owner), { form_id: form, id: a });
    expect(await idsIn(form)).toEqual([c, a]);
  });

  it('is read in pages, with filters, and each submission once', async () => {
    const { form, ids } = await formWith(9);
    for (const index of [1, 4, 5]) await approve(form, ids[index] ?? '');
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await find(form, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page.submissions.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    const expected = [0, 2, 3, 6, 7, 8].map((index) => ids[index] ?? '');
    const changed = [1, 4, 5].map((index) => ids[index] ?? '').sort();
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 2, 1]);
    expect(pages.flat()).toEqual([...expected, ...changed]);
    expect(await idsIn(form, { statuses: ['approved'] })).toEqual(changed);
    await indexWaiting(started.deps, new AbortController().signal);
    expect(await idsIn(form, { q: '5' })).toEqual([ids[5]]);
    const { created_at } = await started.client.getSubmission(callAs(owner), { form_id: form, id: ids[5] ?? '' });
    expect(await idsIn(form, { from: created_at, statuses: ['approved'] })).toEqual([ids[5]]);
  });

  it('reads little more than a page, and with a rare status goes on where a request had read enough', async () => {
    const form = started.aForm();
    await rowsOf(
      started.db,
      `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at, changed_at)
       select gen_random_uuid(), ?, ?, '{}', 1, case n when 1 then 'archived' when 17000 then 'archived' when 17001 then 'archived' else 'new' end,
              now() - n * interval '1 second', now(), case when n < 17001 then now() - n * interval '1 second' end
         from generate_series(1, 17001) n`,
      [started.instanceId, form],
    );
    await started.db.raw('analyze submission');
    expect(await rowsReadFor(form, '-updated')).toBeGreaterThan(25);
    expect(await rowsReadFor(form, '-updated')).toBeLessThan(150);
    expect(await rowsReadFor(form, 'updated')).toBeLessThan(150);
    const found: string[] = [];
    let requests = 0;
    let cursor: string | undefined;
    do {
      const page = await find(form, { sort: '-updated', statuses: ['archived'], ...(cursor === undefined ? {} : { cursor }) });
      found.push(...page.submissions.map(({ created_at }) => created_at));
      cursor = page.next_cursor;
      requests += 1;
    } while (cursor !== undefined);
    expect(found).toHaveLength(3);
    expect(found).toEqual([...found].sort().reverse());
    expect(requests).toBe(2);
  });

  it('is the only one for changes since a time', async () => {
    const form = started.aForm();
    for (const sort of ['created', '-created', 'answers.stars'])
      await expect(find(form, { sort, changed_since: clock.now().toISOString() })).rejects.toEqual(
        refused('bad_request', 'changed_since: can only be combined with sort=updated and sort=-updated'),
      );
  });

  it('takes a cursor only with the same time', async () => {
    const { form } = await formWith(3);
    const changed_since = '2020-01-01T00:00:00Z';
    const { next_cursor: cursor = '' } = await find(form, { changed_since, limit: 1 });
    expect(await idsIn(form, { changed_since, limit: 1, cursor })).toHaveLength(1);
    await expect(find(form, { cursor })).rejects.toEqual(refused('bad_request', /^cursor: /));
  });
});
