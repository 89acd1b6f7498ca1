import { newId } from '@sheaf/kernel';
import { migrate } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
import { freshDatabase } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { list } from '../src/list.queries';
import { listTrash } from '../src/submissions.queries';

it('counts what was in the trash before there was a count of it', async () => {
  const earlier = migrations.slice(0, migrations.findIndex(({ name }) => name === '0003_lifecycle'));
  const { db } = await freshDatabase(earlier);
  const form_id = newId();
  const submission = () => ({ id: newId(), instance_id: newId(), form_id, data: '{}', schema_version: 1, status: 'new', created_at: new Date() });
  const [kept, deleted] = [submission(), { ...submission(), deleted_at: new Date() }];
  await db('submission').insert([kept, deleted]);
  await db('listed_count').insert({ form_id, status: 'new', listed: 1 });

  await migrate(db, migrations, silentLog());

  expect(await listTrash(db, form_id, { limit: 10, offset: 0 })).toMatchObject({ total: 1, rows: [{ id: deleted.id }] });
  expect(await list(db, form_id, { limit: 10, offset: 0, status: undefined })).toMatchObject({ total: 1, rows: [{ id: kept.id }] });
  await db.destroy();
});
