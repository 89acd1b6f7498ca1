import { newId } from '@sheaf/kernel';
import { freshDatabase } from '@sheaf/testing';
import { migrations } from '../src/migrations';

it('the bytes of files are counted for their form and its instance, whoever stores or removes them', async () => {
  const { db } = await freshDatabase(migrations);
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
  const counted = async () =>
    Object.fromEntries((await db<{ id: string; bytes: number }>('file_bytes')).map(({ id, bytes }) => [id, bytes]));
  const arriving = file({ state: 'uploading', content_type: null, size: null });
  await db('file').insert([file({}), file({ size: 5, state: 'removing' }), file({ form_id: other_id, size: 100 }), arriving]);
  expect(await counted()).toEqual({ [form_id]: 15, [other_id]: 100, [instance_id]: 115 });

  await db('file').where({ id: arriving.id }).update({ state: 'stored', content_type: 'text/plain', size: 7 });
  await db('file').insert(file({ size: 1 }));
  await db('file').where({ form_id: other_id }).delete();
  expect(await counted()).toEqual({ [form_id]: 23, [other_id]: 0, [instance_id]: 23 });
  await db.destroy();
});
