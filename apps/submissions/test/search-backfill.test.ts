import { newId } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { callAs } from '@sheaf/testing';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

/** Submissions as a version without an index left them. */
async function older(form: string, count: number): Promise<void> {
  await rowsOf(
    started.db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
     select gen_random_uuid(), ?, ?, '{"name":"Ada"}', 1, 'new', now() - n * interval '1 second', now() from generate_series(1, ?) n`,
    [started.instanceId, form, count],
  );
  await rowsOf(started.db, 'delete from search_pending');
  await rowsOf(started.db, 'delete from search_backfill');
  await rowsOf(
    started.db,
    `insert into search_backfill select '00000000-0000-0000-0000-000000000000', id from (select id from submission order by id desc limit 1) as newest`,
  );
}

const find = (form_id: string) =>
  started.client.findSubmissions(callAs(started.owner), { form_id, q: 'ada', limit: 100, statuses: [], filters: [], sort: '-created' });
const never = new AbortController().signal;

it('submissions from before the index are found once it has them, and until then searches say that they are incomplete', async () => {
  const form = started.aForm();
  await older(form, 500);
  expect(await find(form)).toMatchObject({ submissions: [], indexed: false });
  await indexWaiting(started.deps, never);
  const page = await find(form);
  expect(page.submissions).toHaveLength(100);
  expect(page.indexed).toBe(true);
  expect(await started.db('search_entry').where({ form_id: form }).count()).toEqual([{ count: 500 }]);
});

it('a process that stops in the middle leaves the rest to the next', async () => {
  const form = started.aForm();
  await older(form, 450);
  const stopping = new AbortController();
  stopping.abort();
  await indexWaiting(started.deps, stopping.signal);
  expect(await started.db('search_entry').where({ form_id: form }).count()).toEqual([{ count: expect.any(Number) as number }]);
  await indexWaiting(started.deps, never);
  expect(await started.db('search_entry').where({ form_id: form }).count()).toEqual([{ count: 450 }]);
});

it('two processes index each submission once', async () => {
  const form = started.aForm();
  await older(form, 450);
  await Promise.all([indexWaiting(started.deps, never), indexWaiting(started.deps, never), started.submit(form, { name: 'Ada' })]);
  await indexWaiting(started.deps, never);
  expect(await started.db('search_entry').where({ form_id: form }).count()).toEqual([{ count: 451 }]);
});

it('a submission of which nothing is left is passed over', async () => {
  const form = started.aForm();
  await rowsOf(started.db, 'insert into search_pending values (?, ?)', [newId(), form]);
  await indexWaiting(started.deps, never);
  expect(await started.db('search_pending').count()).toEqual([{ count: 0 }]);
});

it('late submissions join the block of their time', async () => {
  const form = started.aForm();
  await older(form, 600);
  await indexWaiting(started.deps, never);
  started.clock.set(new Date(Date.now() + 120_000).toISOString());
  started.searchBlocks.request(form);
  await started.searchBlocks.idle();
  expect(await started.db('search_block').where({ form_id: form }).count()).toEqual([{ count: 1 }]);

  const { id } = await started.submit(form, { name: 'Grace' });
  await rowsOf(started.db, `update submission set created_at = now() - interval '590 seconds' where id = ?`, [id]);
  await indexWaiting(started.deps, never);
  const { submissions } = await started.client.findSubmissions(callAs(started.owner), {
    form_id: form,
    q: 'grace',
    limit: 10,
    statuses: [],
    filters: [],
    sort: '-created',
  });
  expect(submissions.map((found) => found.id)).toEqual([id]);
});
