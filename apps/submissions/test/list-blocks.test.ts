import { newId, Problem } from '@sheaf/kernel';
import { rowsOf, type Transaction } from '@sheaf/postgres';
import { callAs, eventually } from '@sheaf/testing';
import fc from 'fast-check';
import { list, listAsJson } from '../src/list/list.queries';
import { addBlocks, blockSize, lockForm } from '../src/list/blocks.queries';
import { storeAll } from '../src/intake/batches.queries';
import * as submissions from '../src/submission/submissions.queries';
import type { NewSubmission } from '../src/submission/submissions.queries';
import { Started } from './started';

const started = new Started();
const { owner, clock, instanceId } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

const statuses = ['new', 'in_review', 'approved', 'rejected'];
const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000);

/** A form with `count` older submissions, two per moment, and their ids, oldest first. */
async function aFormWith(count: number): Promise<{ form: string; ids: string[] }> {
  const form = started.aForm();
  await started.db('intake').insert({ form_id: form, accepted: count });
  await rowsOf(
    started.db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
     select gen_random_uuid(), ?, ?, '{"name":"Ada"}', 1, (cast(? as text[]))[1 + n % 4], cast(? as timestamptz) - (n / 2) * interval '7 seconds', now() from generate_series(1, ?) n`,
    [instanceId, form, statuses, inMinutes(-60), count],
  );
  await rowsOf(
    started.db,
    'insert into listed_count select form_id, status, count(*) from submission where form_id = ? group by form_id, status',
    [form],
  );
  return { form, ids: await started.db('submission').where({ form_id: form }).orderBy(['created_at', 'id']).pluck<string[]>('id') };
}

/** Makes up to `atOnce` blocks of older submissions, in one transaction. @returns how many were made */
async function cover(form: string, { atOnce = 100, before = inMinutes(-1) } = {}): Promise<number> {
  return started.db.transaction(async (trx) => ((await lockForm(trx, form)) ? addBlocks(trx, form, before, atOnce) : 0));
}

/** Expects the page to be the one found by reading the whole list at that moment. @returns how many rows were skipped */
const expectPage = (form: string, offset: number, status?: string): Promise<number> =>
  started.db.transaction(
    async (trx) => {
      const there = trx('submission').where({
        form_id: form,
        deleted_at: null,
        spam_at: null,
        ...(status === undefined ? {} : { status }),
      });
      const [ids, [all]] = [
        await there
          .clone()
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .offset(offset)
          .limit(25)
          .pluck<string[]>('id'),
        await there.clone().count<{ count: number }[]>(),
      ];
      const { rows, total, skipped } = await list(trx, form, { limit: 25, offset, status });
      expect({ offset, status, total, ids: rows.map(({ id }) => id) }).toEqual({ offset, status, total: all?.count, ids });
      const asJson = await listAsJson(trx, form, { limit: 25, offset, status });
      expect({ ...asJson, json: JSON.parse(asJson.json) as unknown }).toEqual({
        total,
        skipped,
        rest: [],
        json: rows.map((row) => ({ ...row, data: JSON.parse(row.data ?? '') as unknown, created_at: row.created_at.toISOString() })),
      });
      return skipped;
    },
    { isolationLevel: 'repeatable read' },
  );

const expectAllPages = async (form: string, total: number) => {
  for (const status of [undefined, ...statuses]) {
    for (const offset of [
      0,
      1,
      511,
      512,
      513,
      777,
      total / 4 - 3,
      total / 2,
      total - 600,
      total - 25,
      total - 1,
      total,
      total + 1,
      10 * total,
    ])
      await expectPage(form, Math.floor(offset), status);
  }
};

describe('a page far from the start', () => {
  it('equals the plain order in every status, with none, some or all of the list in blocks', async () => {
    const { form, ids } = await aFormWith(3_000);
    await expectAllPages(form, ids.length);
    await cover(form, { atOnce: 2 });
    await expectAllPages(form, ids.length);
    expect(await cover(form)).toBe(3);
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
    await cover(form);
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
    await cover(form);
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
    await cover(form);
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
    await cover(form);
    for (const minutes of [-61, -90, -10_000]) await submitAt(form, inMinutes(minutes));
    await expectAllPages(form, ids.length + 3);
  });

  it('are unchanged by a change that is rolled back', async () => {
    const { form, ids } = await aFormWith(1_100);
    await cover(form);
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
    ['arrives', async (trx: Transaction, form: string) => arrive(trx, submissionOf(form, inMinutes(-90)))],
  ])('are created only after a submission that %s at that moment is committed', async (_, happens) => {
    const { form, ids } = await aFormWith(1_100);
    const trx = await started.db.transaction();
    await happens(trx, form, ids[5] ?? '');

    const making = cover(form);
    await eventually(async () => expect(await waitingForLocks()).toBe(1));
    await trx.commit();
    await making;
    await expectAllPages(form, ids.length);
  });

  it.each([
    ['changes', async (form: string, id: string) => started.db.transaction((trx) => trash(trx, form, id))],
    ['arrives', async (form: string) => submitAt(form, inMinutes(-90))],
  ])('count a submission that %s while they are created', async (_, happens) => {
    const { form, ids } = await aFormWith(1_100);
    const trx = await started.db.transaction();
    await lockForm(trx, form);
    await addBlocks(trx, form, inMinutes(-1), 10);

    const happening = happens(form, ids[5] ?? '');
    await eventually(async () => expect(await waitingForLocks()).toBe(1));
    await trx.commit();
    await happening;
    await expectAllPages(form, ids.length);
  });

  it('are created again if they do not add up to the counts of the form', async () => {
    const { form, ids } = await aFormWith(2_000);
    await cover(form, { atOnce: 2 });
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

// The database decides how the operations interleave, so the seed repeats which operations are run but not their order.
// FUZZ_SEED=<seed> repeats a run, FUZZ_RUNS=<number> runs it longer.
it('every page equals the plain order during concurrent operations', async () => {
  const { form, ids } = await aFormWith(34_000);
  const one = fc.nat(ids.length - 1).map((n) => ids[n] ?? '');
  const status = fc.constantFrom(...statuses);
  const { client } = started;
  const asked = { form_id: form };
  const deed = fc.oneof(
    fc.record({ id: one, status }).map(
      ({ id, status: to }) =>
        () =>
          client.changeStatus(callAs(owner), { ...asked, id, status: to }),
    ),
    fc.record({ from: fc.nat(ids.length - 1), count: fc.integer({ min: 1, max: 400 }), status }).map(
      ({ from, count, status: to }) =>
        () =>
          client.changeStatuses(callAs(owner), { ...asked, submission_ids: ids.slice(from, from + count), status: to }),
    ),
    one.map((id) => () => client.deleteSubmission(callAs(owner), { ...asked, id })),
    one.map((id) => async () => {
      await client.deleteSubmission(callAs(owner), { ...asked, id });
      return client.restoreSubmission(callAs(owner), { ...asked, id });
    }),
    fc.record({ id: one, spam: fc.boolean() }).map(
      ({ id, spam }) =>
        () =>
          client.markSpam(callAs(owner), { ...asked, id, spam }),
    ),
    fc.constant(() => started.submit(form)),
    fc.integer({ min: 1, max: 4 }).map((atOnce) => () => cover(form, { atOnce })),
    fc.record({ offset: fc.nat(ids.length), status: fc.option(status, { nil: undefined }) }).map(
      ({ offset, status: of }) =>
        () =>
          expectPage(form, offset, of),
    ),
  );
  const round = fc.record({
    deeds: fc.array(deed, { minLength: 12, maxLength: 24 }),
    late: fc.array(fc.nat(60_000), { maxLength: 2 }),
    offsets: fc.array(fc.nat(ids.length), { minLength: 4, maxLength: 4 }),
  });

  await fc.assert(
    fc.asyncProperty(round, async ({ deeds, late, offsets }) => {
      const outcomes = await Promise.allSettled(deeds.map((done) => done()));
      const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
      // Submissions that are, or just were, in the trash are not found.
      expect(failures.filter((failure) => !(failure instanceof Problem && ['not_found', 'bad_request'].includes(failure.code)))).toEqual(
        [],
      );
      await Promise.all([cover(form, { atOnce: 1 }), ...late.map((minutes) => submitAt(form, inMinutes(-60 - minutes)))]);
      for (const offset of offsets) await expectPage(form, offset);
      for (const of of statuses) await expectPage(form, Math.floor((offsets[0] ?? 0) / 4), of);
    }),
    {
      ...(process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) }),
      numRuns: Number(process.env.FUZZ_RUNS ?? 25),
      endOnFailure: true,
    },
  );
});

const arrive = (trx: Transaction, submission: NewSubmission) =>
  storeAll(trx, [{ submission, limit: undefined, key: undefined, event: undefined }]);

function submissionOf(form_id: string, created_at: Date) {
  return {
    id: newId(),
    instance_id: instanceId,
    form_id,
    data: '{"name":"Ada"}',
    schema_version: 1,
    status: 'new',
    created_at,
    announced_at: created_at,
    spam_at: null,
    spam_reason: null,
    holds_place: true,
    deleted_at: null,
  } as const;
}

async function submitAt(form: string, at: Date): Promise<void> {
  await started.db.transaction((trx) => arrive(trx, submissionOf(form, at)));
}

async function trash(trx: Transaction, form: string, id: string): Promise<void> {
  const before = await submissions.lockAnywhere(trx, form, id);
  if (before) await submissions.change(trx, before, { deleted_at: clock.now() });
}

/** Only in this database: other tests have their own. */
async function waitingForLocks(): Promise<number> {
  const [row] = await rowsOf<{ waiting: number }>(
    started.db,
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.waiting ?? 0;
}
