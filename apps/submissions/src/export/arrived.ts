import type { ExportedRow } from './batches.queries';

type Arrived = Pick<ExportedRow, 'created_at'>;

/**
 * For a list that is read several times: what arrives after the first time is left out of the others, so that no sheet of a workbook has items of a
 * submission that the first one lacks.
 */
export class ArrivedByFirstReading {
  private latest = 0;

  async *first<Row extends Arrived>(batches: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
    for await (const batch of batches) {
      for (const { created_at } of batch) this.latest = Math.max(this.latest, created_at.getTime());
      yield batch;
    }
  }

  async *again<Row extends Arrived>(batches: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
    for await (const batch of batches) yield batch.filter(({ created_at }) => created_at.getTime() <= this.latest);
  }
}
