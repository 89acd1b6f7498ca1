import { ArrivedByFirstReading } from './arrived';

const at = (day: number) => ({ created_at: new Date(Date.UTC(2026, 4, day)) });

it('a list that is read again is without what has arrived since, in whatever order it is read', async () => {
  const arrived = new ArrivedByFirstReading();
  expect(await allOf(arrived.first(batches([at(2)], [at(3), at(1)])))).toEqual([at(2), at(3), at(1)]);
  expect(await allOf(arrived.again(batches([at(4), at(3)], [at(2), at(5)], [at(6)])))).toEqual([at(3), at(2)]);
});

async function allOf<Row>(read: AsyncIterable<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const batch of read) all.push(...batch);
  return all;
}

async function* batches<Row>(...all: Row[][]): AsyncGenerator<Row[]> {
  await Promise.resolve();
  yield* all;
}
