import { newId } from '@sheaf/kernel';
import { migrate } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
import { freshDatabase } from '@sheaf/testing';
import { limitsAt } from '../src/erasing/grace';
import { decidedOf } from '../src/erasing/instance-retention.queries';
import { decidedOfForm } from '../src/erasing/retention.queries';
import { migrations } from '../src/migrations';

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
