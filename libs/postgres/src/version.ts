import { ownVersions } from '@sheaf/runtime';
import { z } from 'zod';
import { databaseCommand } from './database-command';
import type { Migration } from './migrate';
import { rowsOf } from './statement';

/** The command `version`: the versions of the app and its PostgreSQL, and the applied and pending migrations. */
export const versionCommand = (app: string, migrations: readonly Migration[]) =>
  databaseCommand(z.object({}), async (db) => {
    const [server] = await rowsOf<{ server_version: string }>(db, 'show server_version');
    // A database that was never migrated does not have this table.
    const [table] = await rowsOf<{ there: boolean }>(db, `select to_regclass('knex_migrations') is not null as there`);
    const applied = table?.there ? await db('knex_migrations').orderBy('id').pluck<string[]>('name') : [];
    const pending = migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
    return { ...ownVersions(app), postgres: server?.server_version, migrations: { applied, pending } };
  });
