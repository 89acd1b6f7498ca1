import { Problem } from '@sheaf/kernel';
import { rowsOf, type Transaction } from '@sheaf/postgres';
import { callAs, eventually } from '@sheaf/testing';
import { addBlocks, blockSize, lockForm } from '../src/list/blocks.queries';
import { coverLongLists } from '../src/list/blocks';
import { list } from '../src/list/list.queries';
import * as submissions from '../src/submission/submissions.queries';
import { StartedWithLists, statuses } from './started-with-lists';

const lists = new StartedWithLists();
const { started, inMinutes, aFormWith, createBlocks, add, submitAt, expectPage, expectAllPages } = lists;
const { owner, clock } = started;
beforeAll(lists.start);
afterAll(lists.stop);

describe('a page far from the start', () => {
  it('equals the plain order in every status, with none, some or all of the list in blocks', async () => {
    const { form, ids } = await aFormWith(3_000);
    await expectAllPages(form, ids.length);
    await createBlocks(form, { atOnce: 2 });
    await expectAllPages(form, ids.length);
    expect(await createBlocks(form)).toBe(3);
    await expectAllPages(form, ids.length);
  });

  it('skips at most a block once the list has been read there, with the same pages', async () => {
    const { form, ids } = await aFormWith(40_000);
    const page = async (offset: number, status?: string) =>
      (await started.client.listSubmissions(callAs(owner), { form_id: form, limit: 25, offset, status })).submissions.map(({ id }) => id);
    const newestFirst = ids.toReversed();
    expect(await page(30_000)).toEqual(newestFirst.slice(30_000, 30_025));

    await started.blocks.idle();
    for (const offset of [501, 512, 5_000, 20_000, 33_000, 39_975]) {
      expect(await page(offset)).toEqual(newestFirst.slice(offset, offset + 25));
      expect(await expectPage(form, offset)).toBeLessThanOrEqual(2 * blockSize);
      expect(await expectPage(form, Math.floor(offset / 4), 'approved')).toBeLessThanOrEqual(2 * blockSize);
    }
  });

  it('skips at most a block the first time, if the list had grown long', async () => {
    const [long, short] = [await aFormWith(3_000), await aFormWith(1_500)];
    const cover = async () => {
      await coverLongLists({ db: started.db, blocks: started.blocks }, 2_000);
      await started.blocks.idle();
    };
    await cover();
    expect(await expectPage(long.form, 2_500)).toBeLessThanOrEqual(2 * blockSize);
    expect(await started.db('list_block').where({ form_id: short.form })).toEqual([]);

    // The submissions after the blocks count, not the whole list.
    const requested: string[] = [];
    await coverLongLists({ db: started.db, blocks: { request: (form) => void requested.push(form) } }, 2_000);
    expect(requested).not.toContain(long.form);
  });

  it('includes submissions that are too new for blocks', async () => {
    const { form, ids } = await aFormWith(1_100);
    for (let n = 0; n < 5; n += 1) await started.submit(form);
    await started.client.listSubmissions(callAs(owner), { form_id: form, limit: 25, offset: 1_080 });
    await started.blocks.idle();
    expect(await started.db('list_block').where({ form_id: form }).count()).toEqual([{ count: 2 }]);

    await expectAllPages(form, ids.length + 5);
  });

  it('has a total from the same moment during concurrent submissions', async () => {
    const { form, ids } = await aFormWith(2_000);
    await createBlocks(form);
    const arrivals = Array.from({ length: 60 }, () => started.submit(form));
    // Counted from the end, so that it is the same submission however many are new.
    for (let seen = 0; seen < ids.length + arrivals.length;) {
      const { rows, total } = await list(started.db, form, { limit: 1, offset: 1_500, status: undefined });
      expect(rows[0]?.id).toBe(ids[total - 1_501]);
      seen = total;
    }
    await Promise.all(arrivals);
  });
});

describe('the blocks of a list', () => {
  it('follow every change that adds submissions to it or removes them', async () => {
    const { form, ids } = await aFormWith(2_100);
    await createBlocks(form);
    const [a = '', b = '', c = ''] = [ids[3], ids[700], ids[1_500]];
    const { client } = started;
    await client.changeStatus(callAs(owner), { form_id: form, id: a, status: 'approved' });
    await client.changeStatuses(callAs(owner), { form_id: form, submission_ids: ids.slice(400, 900), status: 'rejected' });
    await client.deleteSubmission(callAs(owner), { form_id: form, id: b });
    await client.markSpam(callAs(owner), { form_id: form, id: c, spam: true });
    await expectAllPages(form, ids.length - 2);
    await client.restoreSubmission(callAs(owner), { form_id: form, id: b });
    await client.markSpam(callAs(owner), { form_id: form, id: c, spam: false });
    await expectAllPages(form, ids.length);
  });

  it('follow changes by an older process without blocks', async () => {
    const { form, ids } = await aFormWith(1_100);
    await createBlocks(form);
    await started.db.transaction(async (trx) => {
      await trx('submission').whereIn('id', ids.slice(0, 50)).update({ status: 'spam-free', deleted_at: null });
      await trx('listed_count').insert({ form_id: form, status: 'spam-free', listed: 50 });
      for (const status of statuses) {
        const [{ count } = { count: 0 }] = await trx('submission').where({ form_id: form, status }).count<{ count: number }[]>();
        await trx('listed_count').where({ form_id: form, status }).update({ listed: count });
      }
    });
    await expectAllPages(form, ids.length);
    await expectPage(form, 30, 'spam-free');
  });

  it('count older submissions that a process with a slow clock adds', async () => {
    const { form, ids } = await aFormWith(1_100);
    await createBlocks(form);
    for (const minutes of [-61, -90, -10_000]) await submitAt(form, inMinutes(minutes));
    await expectAllPages(form, ids.length + 3);
  });

  it('are unchanged by a change that is rolled back', async () => {
    const { form, ids } = await aFormWith(1_100);
    await createBlocks(form);
    await started.db
      .transaction(async (trx) => {
        await trash(trx, form, ids[5] ?? '');
        throw Problem.unavailable('taken back');
      })
      .catch(() => undefined);
    await expectAllPages(form, ids.length);
  });

  it.each([
    ['changes', async (trx: Transaction, form: string, id: string) => trash(trx, form, id)],
    ['arrives', async (trx: Transaction, form: string) => add(trx, form, inMinutes(-90))],
  ])('are created only after a submission that %s at that moment is committed', async (_, act) => {
    const { form, ids } = await aFormWith(1_100);
    const trx = await started.db.transaction();
    await act(trx, form, ids[5] ?? '');

    const creating = createBlocks(form);
    await eventually(async () => expect(await waitingForLocks()).toBe(1));
    await trx.commit();
    await creating;
    await expectAllPages(form, ids.length);
  });

  it.each([
    ['changes', async (form: string, id: string) => started.db.transaction((trx) => trash(trx, form, id))],
    ['arrives', async (form: string) => submitAt(form, inMinutes(-90))],
  ])('count a submission that %s while they are created', async (_, act) => {
    const { form, ids } = await aFormWith(1_100);
    const trx = await started.db.transaction();
    await lockForm(trx, form);
    await addBlocks(trx, form, inMinutes(-1), 10);

    const acting = act(form, ids[5] ?? '');
    await eventually(async () => expect(await waitingForLocks()).toBe(1));
    await trx.commit();
    await acting;
    await expectAllPages(form, ids.length);
  });

  it('are created again if they do not add up to the counts of the form', async () => {
    const { form, ids } = await aFormWith(2_000);
    await createBlocks(form, { atOnce: 2 });
    await started.db('list_block_count').where({ form_id: form, list: 'approved', level: 1 }).increment('listed', 1);

    for (const expected of ['error', undefined]) {
      started.logged.length = 0;
      started.blocks.request(form);
      await started.blocks.idle();
      expect(
        started.logged.map((line) => JSON.parse(line) as { formId?: string; lists?: string[] }).find(({ formId }) => formId === form)
          ?.lists,
      ).toEqual(expected && ['approved']);
    }
    expect(await started.db('list_block').where({ form_id: form }).count()).toEqual([{ count: 3 }]);
    await expectAllPages(form, ids.length);
  });
});

async function trash(trx: Transaction, form: string, id: string): Promise<void> {
  const before = await submissions.lockIncludingTrash(trx, form, id);
  const now = clock.now();
  if (before) await submissions.change(trx, before, { deleted_at: now }, now);
}

/** Only in this database: other tests have their own. */
async function waitingForLocks(): Promise<number> {
  const [row] = await rowsOf<{ waiting: number }>(
    started.db,
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.waiting ?? 0;
}
