import type { Database, Transaction } from '@sheaf/postgres';
import { rowsOf } from '@sheaf/postgres';
import { callAs, propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { countWaiting } from '../src/insights/count-waiting';
import { countedKeys, countersOf, withAnswered } from '../src/insights/counters';
import { recount } from '../src/insights/recount';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner, clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

const never = new AbortController().signal;
const fields = Buffer.from(
  JSON.stringify([
    { key: 'name', label: 'Name', type: 'short_text', required: false },
    { key: 'age', label: 'Age', type: 'integer', required: false },
    { key: 'weight', label: 'Weight', type: 'number', required: false, visible_if: { key: 'age', gt: 100 } },
    { label: 'Likings', type: 'section', visible_if: { not: { key: 'name', equals: 'Grace' } } },
    {
      key: 'colours',
      label: 'Colours',
      type: 'multi_select',
      required: false,
      options: ['r', 'g', 'b=c'].map((value) => ({ value, label: value })),
    },
    ...[false, true].map((multiple) => ({
      ...{ key: multiple ? 'uses' : 'looks', label: 'Each', type: 'matrix', required: false, multiple },
      rows: ['front', 'b,"ck'].map((value) => ({ value, label: value })),
      columns: ['bad', 'good'].map((value) => ({ value, label: value })),
    })),
  ]),
);
const answers = fc.record(
  {
    name: fc.constantFrom('Ada', 'Grace'),
    age: fc.integer({ min: -20, max: 2_000 }),
    weight: fc.double({ min: -1e3, max: 1e3, noNaN: true }),
    colours: fc.uniqueArray(fc.constantFrom('r', 'g', 'b=c'), { minLength: 1 }),
    looks: fc.dictionary(fc.constantFrom('front', 'b,"ck'), fc.constantFrom('bad', 'good')),
    uses: fc.dictionary(fc.constantFrom('front', 'b,"ck'), fc.uniqueArray(fc.constantFrom('bad', 'good'))),
  },
  { requiredKeys: [] },
);

/** Counts as a process does that dies before its commit. */
const dying = (db: Database) =>
  ({
    transaction: (work: (trx: Transaction) => Promise<unknown>) =>
      db.transaction(async (trx) => {
        await work(trx);
        throw new Error('killed');
      }),
  }) as unknown as Database;

/** The counts that the form must have: every listed submission, read and counted. */
async function plainCount(form: string): Promise<Record<string, number>> {
  const rows = await rowsOf<{ status: string; created_at: Date; version: string; data: Record<string, unknown> }>(
    started.db,
    'select status, created_at, coalesce(cast(version_id as text), cast(schema_version as text)) as version, data from submission where form_id = ? and deleted_at is null and spam_at is null',
    [form],
  );
  const counts: Record<string, number> = {};
  for (const { status, created_at, version, data } of rows) {
    const quarter = Math.floor(created_at.getTime() / 900_000);
    for (const counter of withAnswered(countersOf({ status, quarter, version, answers: data }, countedKeys(fields))))
      counts[counter] = (counts[counter] ?? 0) + 1;
  }
  return counts;
}

/** The insights of all submissions, and those of the submissions with any status, which are the same. */
async function toldTwice(form_id: string): Promise<object[]> {
  const told = (statuses: string[]) => started.client.getInsights(callAs(owner), { form_id, timezone: 'UTC', keys: [], statuses });
  return (await Promise.all([told([]), told(['new', 'approved', 'rejected'])])).map(({ narrowed: _, ...insights }) => insights);
}

async function keptCount(form: string): Promise<Record<string, number>> {
  const rows = await rowsOf<{ counter: string; submissions: number }>(
    started.db,
    `select kind || key || '=' || item as counter, submissions from insight_count where form_id = :form
     union all select 'q=' || quarter, submissions from insight_quarter where form_id = :form`,
    { form },
  );
  return Object.fromEntries(rows.map(({ counter, submissions }) => [counter, submissions]));
}

const settle = async () => {
  await started.versions.idle();
  await indexWaiting(started.deps, never);
  await countWaiting(started.deps, never);
};

it('the kept counts equal those of reading every submission, whatever happened to them and to the processes that count', async () => {
  const { client, deps, db } = started;
  type Step = (form: string, ids: string[]) => Promise<unknown>;
  const onOne = (change: (of: { form_id: string; id: string }) => Promise<unknown>) =>
    fc.nat(9).map((n): Step => async (form_id, ids) => {
      const id = ids[n % Math.max(1, ids.length)];
      // Submissions that are in the trash or erased are not found.
      if (id !== undefined) await change({ form_id, id }).catch(() => undefined);
    });
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 3,
      arbitrary: answers.map(
        (data): Step =>
          async (form, ids) =>
            void ids.push((await started.submit(form, data)).id),
      ),
    },
    fc.constantFrom('approved', 'rejected', 'new').chain((status) => onOne((of) => client.changeStatus(callAs(owner), { ...of, status }))),
    onOne((of) => client.deleteSubmission(callAs(owner), of)),
    onOne((of) => client.restoreSubmission(callAs(owner), of)),
    fc.boolean().chain((spam) => onOne((of) => client.markSpam(callAs(owner), { ...of, spam }))),
    answers.chain((data) =>
      onOne(async (of) => {
        const { revision } = await client.getSubmissionDetail(callAs(owner), of);
        await client.correctSubmission(callAs(owner), { ...of, data: Buffer.from(JSON.stringify(data)), revision: revision ?? 0 });
      }),
    ),
    onOne(async ({ id }) => {
      await rowsOf(db, 'delete from submission_revision where submission_id = ?', [id]);
      await rowsOf(db, 'delete from status_change where submission_id = ?', [id]);
      await rowsOf(db, 'delete from submission where id = ?', [id]);
    }),
    fc.integer({ min: 0, max: 40 }).map(
      (minutes): Step =>
        () =>
          Promise.resolve(clock.advance(60_000 * minutes)),
    ),
    fc.constant<Step>(() => countWaiting(deps, never)),
    fc.constant<Step>(() => indexWaiting(deps, never)),
    fc.constant<Step>(() => Promise.all([countWaiting(deps, never), countWaiting(deps, never), indexWaiting(deps, never)])),
    fc.constant<Step>(() => countWaiting({ db: dying(db) }, never).catch(() => undefined)),
    fc.constant<Step>((form) => recount(db, form)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const form = started.aForm({ fields });
      const ids: string[] = [];
      for (const run of steps) await run(form, ids);
      await settle();
      expect(await keptCount(form)).toEqual(await plainCount(form));
      const [ofAll, ofAny] = await toldTwice(form);
      expect(ofAny).toEqual(ofAll);
      // A recount finds nothing to repair, and repairs what was changed from outside.
      await rowsOf(db, 'update insight_count set submissions = submissions + 1 where form_id = ?', [form]);
      await recount(db, form);
      await settle();
      expect(await keptCount(form)).toEqual(await plainCount(form));
    }),
    { ...propertyRuns(30), endOnFailure: true },
  );
});
