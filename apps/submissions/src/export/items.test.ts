import type { ExportedRow } from './batches.queries';
import { itemsOf } from './items';

it('has no rows of answers from before the question was a repeat', async () => {
  async function* rows() {
    yield await Promise.resolve(
      [['a', 'b'], [['a']], 'a', [{ name: 'Ann' }, {}]].map((answer) => ({ data: JSON.stringify({ guests: answer }) }) as ExportedRow),
    );
  }
  const found: unknown[] = [];
  for await (const batch of itemsOf('guests', rows())) found.push(...batch.map(({ item, data }) => [item, data]));
  expect(found).toEqual([
    [1, '{"name":"Ann"}'],
    [2, '{}'],
  ]);
});
