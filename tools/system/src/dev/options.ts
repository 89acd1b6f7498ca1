import { type App, apps, debugPort } from '@sheaf/kernel';
import { Command, CommanderError, Option } from 'commander';

export type DevOptions = {
  /** Prints every line as the processes do, in JSON. */
  json: boolean;
  /** The apps that accept a debugger. */
  inspected: readonly App[];
};

/**
 * Parses the arguments of `npm run dev`.
 * @returns the options, or an exit code if help or an error has already been printed
 */
export function readDevOptions(
  args: readonly string[],
  out: { print: (text: string) => void; printError: (text: string) => void },
): DevOptions | { exitCode: number } {
  const command = new Command('npm run dev --')
    .usage('[options]')
    .description('Runs Sheaf as npm start does, watches the sources, and rebuilds and restarts the apps that a change affects.')
    .addOption(new Option('--inspect [app]', 'let a debugger attach to all apps, or to one').choices(apps))
    .option('--json', 'print log entries as JSON lines; everything else goes to standard error')
    .configureOutput({ writeOut: (text) => out.print(text.trimEnd()), writeErr: (text) => out.printError(text.trimEnd()) })
    .allowExcessArguments(false)
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      [
        '',
        `Debugger ports: ${apps.map((app) => `${app} ${debugPort(app)}`).join(', ')}.`,
        '',
        'Uses the data folder of npm start (.data), so only one of the two can run on it at a time. All variables of npm start apply,',
        'see npm start -- --help. NO_COLOR=1 turns colours off.',
        '',
        'Examples:',
        '  npm run dev',
        '  npm run dev -- --inspect=forms',
        '  DATA_DIR=.data2 PORT=8081 npm run dev',
        '  npm run -s dev -- --json > dev.log',
      ].join('\n'),
    );
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2 };
    throw error;
  }
  const { json = false, inspect } = command.opts<{ json?: boolean; inspect?: true | App }>();
  return { json, inspected: inspect === undefined ? [] : inspect === true ? apps : [inspect] };
}
