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
