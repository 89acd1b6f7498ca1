import { newId } from '@sheaf/kernel';
import { rowsOf, type Transaction } from '@sheaf/postgres';
import { countRowsRead } from '@sheaf/testing';
import { read as readToCount } from '../src/insights/count.queries';
import { jsonInOrder } from '../src/search/found.queries';
import { read as readToIndex } from '../src/search/index.queries';
import { Started } from './started';

// A connection keeps the plan of a statement, also one that was made while the table was small.

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());

const form = newId();

async function submissions(trx: Transaction, count: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    trx,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
     select gen_random_uuid(), ?, ?, '{"name":"Ada"}', 1, 'new', now() - n * interval '1 second', now() from generate_series(1, ?) n returning id`,
    [started.instanceId, form, count],
  );
  return rows.map(({ id }) => id);
}

it.each<[string, (trx: Transaction, ids: string[]) => Promise<unknown>]>([
  ['indexed', (trx, ids) => readToIndex(trx, ids, 1_000_000)],
  ['counted', (trx, ids) => readToCount(trx, ids, 1_000_000)],
  ['shown', (trx, ids) => jsonInOrder(trx, form, ids)],
])('a submission that is %s is looked up by its id, however many there are since the statement was planned', (_, read) =>
  started.db.transaction(async (trx) => {
    const few = await submissions(trx, 3);
    await read(trx, few);
    await submissions(trx, 2_000);
    expect(await countRowsRead(trx, ['submission'], () => read(trx, few))).toBe(3);
  }),
);
