import { ownVersions } from '@sheaf/runtime';
import { z } from 'zod';
import { databaseCommand } from './database-command';
import type { Migration } from './migrate';
import { rowsOf } from './statement';

/** `version`: of the app and its PostgreSQL, and which migrations were applied and which were not. */
export const versionCommand = (app: string, migrations: readonly Migration[]) =>
  databaseCommand(z.object({}), async (db) => {
    const [server] = await rowsOf<{ server_version: string }>(db, 'show server_version');
    // A database that was never migrated has no such table.
    const [table] = await rowsOf<{ there: boolean }>(db, `select to_regclass('knex_migrations') is not null as there`);
    const applied = table?.there ? await db('knex_migrations').orderBy('id').pluck<string[]>('name') : [];
    const pending = migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
    return { ...ownVersions(app), postgres: server?.server_version, migrations: { applied, pending } };
  });
