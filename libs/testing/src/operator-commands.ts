import type { Database, Migration } from '@sheaf/postgres';
import { UsageError, type JsonCommand } from '@sheaf/runtime';
import { freshDatabase } from './database';

type Answer = Awaited<ReturnType<JsonCommand['answer']>>;

/** An app's commands for operators, on a database of the test, without a process for each. */
export const commandsOn =
  (commands: Readonly<Record<string, JsonCommand>>, url: () => string) =>
  async (name: string, ...args: string[]): Promise<Answer> => {
    const command = commands[name];
    if (!command) throw new Error(`there is no command ${name}`);
    process.env.DATABASE_URL = url();
    try {
      return await command.answer(args);
    } finally {
      delete process.env.DATABASE_URL;
    }
  };

/** The same, on a fresh database of the test file. @param fill what the database has at first */
export function commandsOnFreshDatabase(
  commands: Readonly<Record<string, JsonCommand>>,
  migrations: readonly Migration[],
  fill: (db: Database) => Promise<void> = () => Promise.resolve(),
): ReturnType<typeof commandsOn> {
  let fresh: { db: Database; url: string };
  beforeAll(async () => {
    fresh = await freshDatabase(migrations);
    await fill(fresh.db);
  });
  afterAll(() => fresh.db.destroy());
  return commandsOn(commands, () => fresh.url);
}

/** Equals the refusal of arguments that are not valid. For `expect(…).rejects.toEqual(…)`. */
export const wrongUsage = (message: string): unknown =>
  expect.objectContaining({ constructor: UsageError, message: expect.stringContaining(message) as unknown });
