import { newId } from '@sheaf/kernel';
import { connectTo, migrate, type Database } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
import { migrations } from '../src/migrations';

// As in a deployment, one role owns the database and runs the migrations, and the service uses the other.
const name = `forms_schema_${process.pid}`;
const as = (user: string, database: string) => {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.username = user;
  url.pathname = `/${database}`;
  return connectTo(url.href, 'test', 2);
};
let admin: Database;
let owner: Database;
let service: Database;
const formId = newId();

beforeAll(async () => {
  admin = connectTo(process.env.TEST_DATABASE_URL ?? '', 'test', 1);
  await admin.raw('create role ?? login', [`${name}_owner`]);
  await admin.raw('create role ?? login', [name]);
  await admin.raw('create database ?? owner ??', [name, `${name}_owner`]);
  owner = as(`${name}_owner`, name);
  await migrate(owner, migrations, silentLog());
  await owner.raw('grant select, insert, update, delete on all tables in schema public to ??', [name]);
  service = as(name, name);

  await service('form').insert({
    id: formId,
    instance_id: newId(),
    workspace_id: newId(),
    creator_kind: 'user',
    creator_id: newId(),
    title: 'X',
    status: 'active',
    current_version: 1,
    publish_mode: 'draft',
    created_at: new Date(),
    updated_at: new Date(),
  });
  await service('version').insert({
    form_id: formId,
    number: 1,
    fields: '[]',
    published_by_kind: 'user',
    published_by_id: newId(),
    published_at: new Date(),
  });
});

afterAll(async () => {
  await Promise.all([owner.destroy(), service.destroy()]);
  await admin.raw('drop database ??', [name]);
  await admin.raw('drop role ??', [name]);
  await admin.raw('drop role ??', [`${name}_owner`]);
  await admin.destroy();
});

describe('a version', () => {
  it.each<[string, (db: Database) => PromiseLike<unknown>]>([
    ['update', (db) => db('version').update({ fields: '[1]' })],
    [
      'upsert',
      (db) =>
        db('version')
          .insert({
            form_id: formId,
            number: 1,
            fields: '[1]',
            published_by_kind: 'user',
            published_by_id: newId(),
            published_at: new Date(),
          })
          .onConflict(['form_id', 'number'])
          .merge(),
    ],
    ['delete', (db) => db('version').delete()],
  ])('is immutable: neither the service nor the owner of the database can %s one', async (_, change) => {
    await expect(change(service)).rejects.toThrow('a published version is immutable');
    await expect(change(owner)).rejects.toThrow('a published version is immutable');
    await expect(service('version').first('fields')).resolves.toEqual({ fields: '[]' });
  });

  it('cannot be truncated, and the service cannot disable its trigger', async () => {
    await expect(owner.raw('truncate version')).rejects.toThrow('a published version is immutable');
    await expect(service.raw('truncate version')).rejects.toThrow('permission denied');
    await expect(service.raw('alter table version disable trigger all')).rejects.toThrow('must be owner');
    await expect(service.raw("set session_replication_role = 'replica'")).rejects.toThrow('permission denied');
  });

  it('has a number that is unique in the form', async () => {
    await expect(
      service('version').insert({
        form_id: formId,
        number: 1,
        fields: '[]',
        published_by_kind: 'user',
        published_by_id: newId(),
        published_at: new Date(),
      }),
    ).rejects.toThrow('version_pkey');
  });
});

it('the schema refuses a form that closes before it opens, and a trashed form without a status to restore', async () => {
  await expect(service('form').update({ opens_at: '2026-01-02', closes_at: '2026-01-01' })).rejects.toThrow('check constraint');
  await expect(service('form').update({ status: 'trashed' })).rejects.toThrow('check constraint');
});
