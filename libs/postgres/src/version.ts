import { answering, ownVersions, type Command } from '@sheaf/runtime';
import { z } from 'zod';
import { connectTo, databaseSettings, rowsOf } from './database';
import { problemOf } from './failure';
import type { Migration } from './migrate';

/** `version`: of the app and its PostgreSQL, and which migrations were applied and which were not. */
export const versionCommand = (app: string, migrations: readonly Migration[]): Command =>
  answering({
    config: z.object({ DATABASE_URL: databaseSettings.DATABASE_URL }),
    options: z.object({}),
    problemOf,
    run: async ({ config }) => {
      const db = connectTo(config.DATABASE_URL, 'version', 2);
      try {
        const [server] = await rowsOf<{ server_version: string }>(db, 'show server_version');
        // A database that was never migrated has no such table.
        const [table] = await rowsOf<{ there: boolean }>(db, `select to_regclass('knex_migrations') is not null as there`);
        const applied = table?.there ? await db('knex_migrations').orderBy('id').pluck<string[]>('name') : [];
        const pending = migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
        return { ...ownVersions(app), postgres: server?.server_version, migrations: { applied, pending } };
      } finally {
        await db.destroy();
      }
    },
  });
