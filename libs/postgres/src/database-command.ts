import { jsonCommand, type JsonCommand } from '@sheaf/runtime';
import { z } from 'zod';
import { connectTo, databaseSettings } from './database';
import { problemOf } from './failure';
import type { Database } from './statement';

/** The settings of a command with a database. */
export const CommandSettings = z.object(databaseSettings).omit({ DATABASE_POOL: true, DATABASE_REPLICATED: true });

/** Opens the database of a command, also behind a pooler. Destroy it when done. */
export const openForCommand = (config: z.output<typeof CommandSettings>, name = 'command'): Database =>
  connectTo(config.DATABASE_URL, name, 2, {
    startupSettings: config.DATABASE_STARTUP_SETTINGS,
    namedStatements: config.DATABASE_NAMED_STATEMENTS,
  });

/** Makes a command that reads or changes the database of its service and prints the result. */
export const databaseCommand = <A extends z.ZodObject>(
  options: A,
  run: (db: Database, options: z.output<A>) => Promise<Record<string, unknown>>,
): JsonCommand =>
  jsonCommand({
    config: CommandSettings,
    options,
    problemOf,
    run: async ({ config, options: input }) => {
      const db = openForCommand(config);
      try {
        return await run(db, input);
      } finally {
        await db.destroy();
      }
    },
  });
