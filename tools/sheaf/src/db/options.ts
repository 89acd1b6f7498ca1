import { type ServiceName, services } from '@sheaf/kernel';
import { Argument, Command, CommanderError } from 'commander';
import { databaseVariable } from '../running-system';

export interface DbOptions {
  service: ServiceName;
  /** The SQL to run instead of opening a prompt. */
  statement: string | undefined;
  write: boolean;
}

/**
 * Parses the arguments of `npm run db`.
 * @returns the options, or an exit code if help or an error has already been printed
 */
export function readDbOptions(
  args: readonly string[],
  out: { print: (text: string) => void; printError: (text: string) => void },
): DbOptions | { exitCode: number } {
  const command = new Command('npm run db --')
    .usage('<service> [options]')
    .description('Opens a SQL prompt (psql) on the database of a service, or runs a statement. Read-only without --write.')
    .addArgument(new Argument('<service>', 'the owner of the database').choices(services))
    .option('-c, --command <statement>', 'run this statement and print its rows as a table; works without psql')
    .option('--write', 'allow statements to change rows')
    .configureOutput({ writeOut: (text) => out.print(text.trimEnd()), writeErr: (text) => out.printError(text.trimEnd()) })
    .allowExcessArguments(false)
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      [
        '',
        'Works on the system that npm start or npm run dev runs on DATA_DIR, as the role of the service, which cannot alter tables.',
        `For your own database, set ${databaseVariable('workspaces')} and so on.`,
        '',
        'Examples:',
        '  npm run db -- forms',
        '  npm run db -- submissions -c "select count(*) from submission"',
        `  npm run db -- hooks --write -c "update subscription set active = false"`,
      ].join('\n'),
    );
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2 };
    throw error;
  }
  const { command: statement, write = false } = command.opts<{ command?: string; write?: boolean }>();
  return { service: command.processedArgs[0] as ServiceName, statement, write };
}
