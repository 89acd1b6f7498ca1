import { answering, type Command } from '@sheaf/runtime';
import { z } from 'zod';
import { connectTo, databaseSettings } from './database';
import { problemOf } from './failure';
import type { Database } from './statement';

const { DATABASE_POOL: _, ...reach } = databaseSettings;

/** A command that answers with what it finds or changes in the database of its service. */
export const databaseCommand = <A extends z.ZodObject>(options: A, run: (db: Database, options: z.output<A>) => Promise<Record<string, unknown>>): Command =>
  answering({
    config: z.object(reach),
    options,
    problemOf,
    run: async ({ config, options: given }) => {
      const db = connectTo(config.DATABASE_URL, 'command', 2, { startupSettings: config.DATABASE_STARTUP_SETTINGS, namedStatements: config.DATABASE_NAMED_STATEMENTS });
      try {
        return await run(db, given);
      } finally {
        await db.destroy();
      }
    },
  });
