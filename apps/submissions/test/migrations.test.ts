import { newId } from '@sheaf/kernel';
import { migrate } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
import { freshDatabase } from '@sheaf/testing';
import { limitsAt } from '../src/erasing/grace';
import { decidedOf } from '../src/erasing/instance-retention.queries';
import { decidedOfForm } from '../src/erasing/retention.queries';
import { migrations } from '../src/migrations';
import { list } from '../src/list/list.queries';
import { listTrash } from '../src/submission/submissions.queries';

it('counts the submissions that were in the trash before it was counted', async () => {
  const earlier = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === '0003_lifecycle'),
  );
  const { db } = await freshDatabase(earlier);
  const form_id = newId();
  const submission = () => ({
    id: newId(),
    instance_id: newId(),
    form_id,
    data: '{}',
    schema_version: 1,
    status: 'new',
    created_at: new Date(),
  });
  const [kept, deleted] = [submission(), { ...submission(), deleted_at: new Date() }];
  await db('submission').insert([kept, deleted]);
  await db('listed_count').insert({ form_id, status: 'new', listed: 1 });

  await migrate(db, migrations, silentLog());

  expect(await listTrash(db, form_id, { limit: 10, offset: 0 })).toMatchObject({ total: 1, rows: [{ id: deleted.id }] });
  expect(await list(db, form_id, { limit: 10, offset: 0, status: undefined })).toMatchObject({ total: 1, rows: [{ id: kept.id }] });
  await db.destroy();
});

it('counts the bytes of files from before the quotas, and of those that an older process stores', async () => {
  const earlier = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === '0007_file_bytes'),
  );
  const { db } = await freshDatabase(earlier);
  const [instance_id, form_id, other_id] = [newId(), newId(), newId()];
  const file = (given: object) => ({
    id: newId(),
    instance_id,
    form_id,
    field_key: 'cv',
    state: 'stored',
    name: 'a',
    content_type: 'text/plain',
    size: 10,
    created_at: new Date(),
    ...given,
  });
  const arriving = file({ state: 'uploading', content_type: null, size: null });
  await db('file').insert([file({}), file({ size: 5, state: 'removing' }), file({ form_id: other_id, size: 100 }), arriving]);

  await migrate(db, migrations, silentLog());

  const counted = async () =>
    Object.fromEntries((await db<{ id: string; bytes: number }>('file_bytes')).map(({ id, bytes }) => [id, bytes]));
  expect(await counted()).toEqual({ [form_id]: 15, [other_id]: 100, [instance_id]: 115 });
  await db('file').where({ id: arriving.id }).update({ state: 'stored', content_type: 'text/plain', size: 7 });
  await db('file').insert(file({ size: 1 }));
  await db('file').where({ form_id: other_id }).delete();
  expect(await counted()).toEqual({ [form_id]: 23, [other_id]: 0, [instance_id]: 23 });
  await db.destroy();
});

it('keeps the retention in force that was decided before shorter days had to wait', async () => {
  const earlier = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === '0029_retention_grace'),
  );
  const { db } = await freshDatabase(earlier);
  const [instance_id, form_id, other_id] = [newId(), newId(), newId()];
  const row = { instance_id, workspace_id: newId(), legal_hold: false };
  await db('form_keeping').insert([
    { ...row, form_id, submissions_days: 30 },
    { ...row, form_id: other_id },
  ]);
  await db('instance_keeping').insert({ instance_id, trash_days: 7 });

  await migrate(db, migrations, silentLog());

  const decisions = { form: (await decidedOfForm(db, form_id)).decided, instance: (await decidedOf(db, instance_id)).decided };
  expect(limitsAt(new Date(), 7 * 86_400_000, decisions)).toEqual({
    submissions_days: { days: 30 },
    trash_days: { days: 7 },
    files_days: { days: null },
  });
  expect(await decidedOfForm(db, other_id)).toMatchObject({ submissions_days: null, decided: [] });
  await db.destroy();
});
