import { type ServiceName, services } from '@sheaf/kernel';
import { Argument, Command, CommanderError } from 'commander';
import { variableOf } from '../running-system';

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
  out: { say: (text: string) => void; complain: (text: string) => void },
): DbOptions | { exitCode: number } {
  const command = new Command('npm run db --')
    .usage('<service> [options]')
    .description('Opens a SQL prompt (psql) on the database of a service, or runs a statement. Nothing can be changed without --write.')
    .addArgument(new Argument('<service>', 'whose database').choices(services))
    .option('-c, --command <statement>', 'run this and print the rows as a table; needs no psql')
    .option('--write', 'let statements change rows')
    .configureOutput({ writeOut: (text) => out.say(text.trimEnd()), writeErr: (text) => out.complain(text.trimEnd()) })
    .allowExcessArguments(false)
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      [
        '',
        'It works on the system that npm start or npm run dev runs on DATA_DIR, as the role of the service: it can read and change rows, but no tables.',
        `For a database of your own, set ${variableOf('workspaces')} and so on.`,
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
