import { newId } from '@sheaf/kernel';
import { rowsOf, type Transaction } from '@sheaf/postgres';
import { storeAll } from '../src/intake/batches.queries';
import { addBlocks, lockForm } from '../src/list/blocks.queries';
import { list, listAsJson } from '../src/list/list.queries';
import type { NewSubmission } from '../src/submission/submissions.queries';
import { Started } from './started';

export const statuses = ['new', 'in_review', 'approved', 'rejected'];

/** The service with forms that have long lists. */
export class StartedWithLists {
  readonly started = new Started();

  start = async (): Promise<void> => {
    await this.started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 });
  };

  stop = (): Promise<void> => this.started.stop();

  inMinutes = (minutes: number) => new Date(this.started.clock.now().getTime() + minutes * 60_000);

  /** A form with `count` older submissions, two per moment, and their ids, oldest first. */
  aFormWith = async (count: number): Promise<{ form: string; ids: string[] }> => {
    const { db, instanceId } = this.started;
    const form = this.started.aForm();
    await db('intake').insert({ form_id: form, accepted: count });
    await rowsOf(
      db,
      `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
       select gen_random_uuid(), ?, ?, '{"name":"Ada"}', 1, (cast(? as text[]))[1 + n % 4],
              cast(? as timestamptz) - (n / 2) * interval '7 seconds', now()
         from generate_series(1, ?) n`,
      [instanceId, form, statuses, this.inMinutes(-60), count],
    );
    await rowsOf(
      db,
      'insert into listed_count select form_id, status, count(*) from submission where form_id = ? group by form_id, status',
      [form],
    );
    return { form, ids: await db('submission').where({ form_id: form }).orderBy(['created_at', 'id']).pluck<string[]>('id') };
  };

  /** Creates up to `atOnce` blocks of older submissions, in one transaction. @returns how many were created */
  createBlocks = (form: string, { atOnce = 100, before = this.inMinutes(-1) } = {}): Promise<number> =>
    this.started.db.transaction(async (trx) => ((await lockForm(trx, form)) ? addBlocks(trx, form, before, atOnce) : 0));

  submitAt = (form: string, at: Date): Promise<void> => this.started.db.transaction((trx) => this.add(trx, form, at));

  add = (trx: Transaction, form: string, at: Date): Promise<void> =>
    storeAll(trx, [{ submission: this.submissionOf(form, at), limit: undefined, isExact: false, key: undefined, event: undefined }]);

  /** Expects the page to be the one found by reading the whole list at that moment. @returns how many rows were skipped */
  expectPage = (form: string, offset: number, status?: string): Promise<number> =>
    this.started.db.transaction(
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

  expectAllPages = async (form: string, total: number) => {
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
        await this.expectPage(form, Math.floor(offset), status);
    }
  };

  private submissionOf(form_id: string, created_at: Date): NewSubmission {
    return {
      id: newId(),
      instance_id: this.started.instanceId,
      form_id,
      data: '{"name":"Ada"}',
      schema_version: 1,
      version_id: null,
      status: 'new',
      created_at,
      announced_at: created_at,
      spam_at: null,
      spam_reason: null,
      holds_place: true,
      deleted_at: null,
      changed_at: null,
      assignee: null,
      revision: 0,
      notes: 0,
      entered_by_kind: null,
      entered_by_id: null,
      fill_seconds: null,
      language: null,
    };
  }
}
