import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, type Postgres, startPostgres } from '@sheaf/embedded';
import { Client } from 'pg';
import { prefixOf, provision, scramVerifier, sessionSettings, urlFor } from './provision';

it('uses the database name in an address as the prefix', () => {
  expect(prefixOf('postgres://a:b@db:5432/acme%20forms?sslmode=require')).toBe('acme forms');
  expect(prefixOf('postgres://a:b@db')).toBe('sheaf');
  expect(() => prefixOf(`postgres://db/${'x'.repeat(41)}`)).toThrow('longer than 40 bytes');
});

it('builds the address of the same server for another role', () => {
  expect(urlFor('postgres://admin:x@db:5433/acme?sslmode=require', 'acme_forms', 'p@ss/word', 'acme_forms')).toBe(
    'postgres://acme_forms:p%40ss%2Fword@db:5433/acme_forms?sslmode=require',
  );
});

it('computes the verifier of RFC 7677', () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  expect(scramVerifier('pencil', salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});

describe('on a real PostgreSQL', () => {
  let folder: string;
  let server: Postgres;
  let superuser: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sheaf-provision-'));
    const [port = 0] = await freePorts(1);
    // Durable, because only a durable server asks for passwords.
    server = await startPostgres({ dataDir: join(folder, 'postgres'), port, durable: true, password: 'admin', onLine: () => undefined });
    superuser = server.url;
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const execute = async (url: string, ...statements: string[]) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const provisionServices = (adminUrl: string, prefix: string, secret = 's') =>
    provision({
      adminUrl,
      prefix,
      services: ['forms', 'hooks'],
      rolePasswords: { forms: secret, forms_owner: secret, hooks: secret, hooks_owner: secret },
    });

  it.each([
    ['a superuser', () => superuser],
    ['an administrator who is not a superuser', () => urlFor(superuser, 'boss', 'boss', 'not there')],
  ])('lets %s set up services that cannot alter tables or read each other’s data', async (who, adminUrl) => {
    if (who !== 'a superuser') await execute(superuser, `create role boss login createrole createdb password 'boss'`);
    const prefix = who === 'a superuser' ? 'sheaf' : 'odd "name';

    const { forms, hooks } = await provisionServices(adminUrl(), prefix);
    await execute(
      forms.ownerUrl,
      'create table form (id bigint generated always as identity, old_id serial, title text)',
      'create extension pg_trgm',
    );
    await execute(forms.runUrl, `insert into form (title) values ('a')`, `update form set title = 'b'`, 'delete from form');

    // The role carries the settings of its service, for connections that cannot pass them.
    await execute(
      forms.runUrl,
      ...Object.entries(sessionSettings).map(
        ([name, value]) => `select 1 / count(*)::int from pg_settings where name = '${name}' and setting = '${value}'`,
      ),
    );
    await expect(execute(forms.runUrl, 'create table mine (id int)')).rejects.toThrow('permission denied for schema public');
    await expect(execute(forms.runUrl, 'alter table form add column x int')).rejects.toThrow('must be owner');
    await expect(execute(forms.runUrl, 'truncate form')).rejects.toThrow('permission denied');
    await expect(execute(urlFor(forms.runUrl, `${prefix}_forms`, 's', `${prefix}_hooks`), 'select 1')).rejects.toThrow(
      'permission denied for database',
    );
    await expect(execute(urlFor(hooks.ownerUrl, `${prefix}_hooks_owner`, 's', `${prefix}_forms`), 'select 1')).rejects.toThrow(
      'permission denied for database',
    );

    // Provision again with new passwords: no data is lost, and the new passwords work.
    const again = await provisionServices(adminUrl(), prefix, 't');
    await execute(again.forms.runUrl, 'select * from form');
    await expect(execute(forms.runUrl, 'select 1')).rejects.toThrow('password authentication failed');
  });
});
