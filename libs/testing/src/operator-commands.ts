import { UsageError, type JsonCommand } from '@sheaf/runtime';

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

/** Equals the refusal of arguments that are not valid. For `expect(…).rejects.toEqual(…)`. */
export const wrongUsage = (message: string): unknown =>
  expect.objectContaining({ constructor: UsageError, message: expect.stringContaining(message) as unknown });
