import { newId } from '@sheaf/kernel';
import { migrate, rowsOf, type Database } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
import { freshDatabase } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { version, versionsUpTo } from '../src/publishing/versions.queries';

const before = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === '0016_version_id'),
);

const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((db) => db.destroy())));

/** A form in a database, and how a process from before the ids publishes versions of it. */
async function aForm(steps = migrations) {
  const { db } = await freshDatabase(steps);
  opened.push(db);
  const id = newId();
  const now = new Date('2026-06-01T12:00:00.123Z');
  const common = { instance_id: newId(), workspace_id: newId(), creator_kind: 'user', creator_id: newId() };
  const state = { title: 'Survey', status: 'active', current_version: 2, publish_mode: 'draft', created_at: now, updated_at: now };
  await db('form').insert({ id, ...common, ...state });
  const publish = (number: number, published_at = now) =>
    db('version').insert({ form_id: id, number, fields: '[]', published_by_kind: 'user', published_by_id: newId(), published_at });
  const idOf = async (number: number) => (await version(db, id, number))?.id;
  return { db, id, publish, idOf, migrate: () => migrate(db, migrations, silentLog()) };
}

it('a version from before the ids has the same one whenever its database is migrated, and no other version has it', async () => {
  const form = await aForm(before);
  await form.publish(1);
  await form.publish(2);
  await form.migrate();
  const ids = [await form.idOf(1), await form.idOf(2)];
  expect(new Set(ids).size).toBe(2);

  // Restored to before the migration, and migrated once more.
  await form.db.raw('drop function id_of_version; alter table version drop column id');
  await form.db('knex_migrations').where({ name: '0016_version_id' }).delete();
  await form.migrate();
  expect([await form.idOf(1), await form.idOf(2)]).toEqual(ids);
});

it('a version that an earlier release publishes meanwhile gets an id as well', async () => {
  const form = await aForm();
  await form.publish(1);
  const [stored] = await form.db('version').pluck<string[]>('id');
  expect(stored).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(await form.idOf(1)).toBe(stored);
});

it('reading ids reads no fields of versions, which can be large', async () => {
  const form = await aForm();
  let text = '';
  form.db.on('query', ({ sql }: { sql: string }) => (text = sql));
  await versionsUpTo(form.db, form.id, 2, 25);
  const plan = await rowsOf<{ 'QUERY PLAN': string }>(form.db, `explain (verbose, costs off) ${text.replace(/\$\d/g, 'null')}`);
  const output = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(output).toContain('md5');
  expect(output).not.toContain('id_of_version');
});
