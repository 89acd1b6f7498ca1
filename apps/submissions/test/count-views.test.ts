import { maxCounted, type ViewSearch } from '@sheaf/contracts';
import { rowsOf } from '@sheaf/postgres';
import { callAs, refused } from '@sheaf/testing';
import { countViews } from '../src/search/count-views';
import type { Allowance } from '../src/search/find-places';
import { indexWaiting } from '../src/search/search-index';
import { StartedWithLists } from './started-with-lists';

const lists = new StartedWithLists();
const { started } = lists;
const { owner } = started;
beforeAll(() => lists.start());
afterAll(() => lists.stop());

const count = async (form_id: string, searches: readonly ViewSearch[], as: Parameters<typeof callAs>[0] = owner) => {
  const views = searches.map((search, n) => ({ id: String(n), search: Buffer.from(JSON.stringify(search)) }));
  const { counts } = await started.client.countViews(callAs(as), { form_id, views });
  return counts;
};
const asked = { caller: owner, call: callAs(owner) } as unknown as Parameters<typeof countViews>[1];
const everything: ViewSearch = { from: '2000-01-01T00:00:00Z' };
const listed: ViewSearch = { status: ['new'] };

describe('the numbers of views', () => {
  it('are those of their lists, in one request', async () => {
    const form = started.aForm();
    for (const name of ['Ada', 'Ada', 'Grace']) await started.submit(form, { name });
    await indexWaiting(started.deps, new AbortController().signal);
    const named = (name: string): ViewSearch => ({ filter: [{ key: 'name', comparison: 'eq', values: [name] }] });
    expect(
      await count(form, [{}, listed, { status: ['approved'] }, named('Ada'), { q: 'grace' }, { ...named('Ada'), status: ['approved'] }]),
    ).toEqual([3, 3, 0, 2, 1, 0].map((total, n) => ({ id: String(n), total })));
  });

  it('end at a bound, unless they are known without counting', async () => {
    const { form } = await lists.aFormWith(maxCounted + 8);
    expect(await count(form, [everything, {}, { ...everything, status: ['new'] }])).toEqual([
      { id: '0', total_at_least: maxCounted },
      { id: '1', total: maxCounted + 8 },
      { id: '2', total: (maxCounted + 8) / 4 },
    ]);
  });

  it('are left out for a view that cannot be listed, and there for the others', async () => {
    const form = started.aForm();
    await started.submit(form, { name: 'Ada' });
    const unknown: ViewSearch = { filter: [{ key: 'removed', comparison: 'eq', values: ['1'] }] };
    expect(await count(form, [unknown, everything])).toEqual([{ id: '0' }, { id: '1', total: 1 }]);
  });

  it('are left out once there is no time, but for those that cost none', async () => {
    const form = started.aForm();
    await started.submit(form, { name: 'Ada' });
    const views = [everything, listed].map((search, n) => ({ id: String(n), search }));
    expect(await countViews(started.deps, asked, { formId: form, views }, { totalMs: 0, statementMs: 1_000 })).toEqual([
      { id: '0' },
      { id: '1', total: 1 },
    ]);
  });

  it('are left out once they have read as many answers as a page of a list may, for all views together', async () => {
    const form = started.aForm();
    const { db, instanceId } = started;
    await rowsOf(
      db,
      `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
       select gen_random_uuid(), ?, ?, json_build_object('name', repeat('long ', 2000)), 1, 'new', now() from generate_series(1, 300) n`,
      [instanceId, form],
    );
    await indexWaiting(started.deps, new AbortController().signal);
    const long: ViewSearch = { filter: [{ key: 'name', comparison: 'contains', values: ['long'] }] };
    const views = [long, long, everything].map((search, n) => ({ id: String(n), search }));
    const within = async (allowance: Allowance) => {
      const given = { ...allowance };
      const counts = await countViews(started.deps, asked, { formId: form, views }, { totalMs: 60_000, statementMs: 60_000, allowance });
      return { counts, characters: given.characters - allowance.characters };
    };
    const total = 300;
    const ofAll = { counts: [total, total, total].map((each, n) => ({ id: String(n), total: each })) };
    expect(await within({ submissions: 8_192, characters: 16_777_216 })).toMatchObject(ofAll);
    const { counts, characters } = await within({ submissions: 8_192, characters: 2_000_000 });
    expect(counts).toEqual([{ id: '0' }, { id: '1' }, { id: '2', total }]);
    expect(characters).toBeLessThan(2_100_000);
    expect((await within({ submissions: 400, characters: 16_777_216 })).counts).toEqual([
      { id: '0', total },
      { id: '1' },
      { id: '2', total },
    ]);
  });

  it.each([
    ['has gone', () => ({ signal: AbortSignal.abort() })],
    ['has stopped to wait', () => ({ deadline: Date.now() - 1 })],
  ])('are left out once the caller %s', async (_, given) => {
    const form = started.aForm();
    await started.submit(form, { name: 'Ada' });
    const views = [{ id: '0', search: everything }];
    const gone = { ...asked, call: { ...asked.call, ...given() } };
    expect(
      await countViews({ ...started.deps, forms: { ...started.deps.forms, roleOn: () => Promise.resolve('owner') } }, gone, {
        formId: form,
        views,
      }),
    ).toEqual([{ id: '0' }]);
  });

  it('are left out where a statement takes too long, which is then ended', async () => {
    const form = started.aForm();
    await started.submit(form, { name: 'Ada' });
    await started.db.transaction(async (trx) => {
      await trx.raw('lock table submission in access exclusive mode');
      const views = [everything, listed].map((search, n) => ({ id: String(n), search }));
      expect(await countViews(started.deps, asked, { formId: form, views }, { totalMs: 60_000, statementMs: 50 })).toEqual([
        { id: '0' },
        { id: '1', total: 1 },
      ]);
    });
  });

  it('are for those who may read the submissions', async () => {
    const form = started.aForm();
    await expect(count(form, [{}], started.outsider)).rejects.toEqual(refused('forbidden'));
  });
});
