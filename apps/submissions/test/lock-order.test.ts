import { storedItems, type FormItem } from '@sheaf/contracts';
import { callAs, eventually } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());

it('a new submission and a release from spam at the same moment do not deadlock', async () => {
  const { client, owner, db } = started;
  const form = started.aForm();
  const { id } = await started.submit(form);
  await client.markSpam(callAs(owner), { form_id: form, id, spam: true });

  // Both wait for the first row that they lock. If that row differed, each would hold the row that the other needs next.
  const trx = await db.transaction();
  await trx('intake').where({ form_id: form }).forUpdate();
  const both = Promise.all([started.submit(form), client.markSpam(callAs(owner), { form_id: form, id, spam: false })]);
  await eventually(async () => {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(2);
  });
  await trx('listed_count').where({ form_id: form }).forUpdate();
  await trx.commit();

  await both;
  expect(await started.list(form)).toMatchObject({ total: 2 });
});

it('an import of old rows and a change of status at the same moment do not deadlock', async () => {
  const { client, owner, db } = started;
  const form = started.aForm();
  const { id } = await started.submit(form);
  await db.raw('insert into list_block (form_id, number, created_at, id) select form_id, 0, created_at, id from submission where id = ?', [
    id,
  ]);
  const counts = ['all', 'new'].flatMap((list) => [0, 1].map((level) => ({ form_id: form, list, level, number: 0, listed: 1 })));
  await db('list_block_count').insert(counts);
  async function* file() {
    yield { file: { form_id: form, match: [], idempotency_key: 'old', only_valid: false, events: false } };
    yield { bytes: await Promise.resolve(Buffer.from('name,created_at\nAda,2001-01-05 10:00\n')) };
  }
  const waiting = (count: number) =>
    eventually(async () => {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(count);
    });

  // The import gets the row of the form first, and the change has those of the block, unless it waits for the import.
  const trx = await db.transaction();
  await trx('intake').where({ form_id: form }).forUpdate();
  const imported = client.importSubmissions(callAs(owner), file());
  await waiting(1);
  const changed = client.changeStatus(callAs(owner), { form_id: form, id, status: 'approved' });
  await waiting(2);
  await trx.commit();

  await Promise.all([imported, changed]);
  expect(await started.list(form)).toMatchObject({ total: 2 });
});

it('spam is stored without waiting for the places of its form, which those who release spam lock before they count it', async () => {
  const fields = Buffer.from(
    storedItems([
      { key: 'day', label: 'Day', type: 'select', required: false, options: [{ value: 'a', label: 'A', limit: 1 }] },
    ] as FormItem[]),
  );
  const form = started.aForm({ fields });
  await started.submit(form, { day: 'a' });
  await started.db.transaction(async (trx) => {
    await trx('exact_form').where({ form_id: form }).forUpdate();
    await expect(started.submit(form, {}, { hp: 'x' })).resolves.toMatchObject({ status: 'new' });
  });
});
