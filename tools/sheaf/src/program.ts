import { Command, CommanderError } from 'commander';
import { accountCommands } from './accounts';
import { backupCommands } from './backup/commands';
import { deliveryCommands } from './deliveries';
import { erasingCommands } from './erasing';
import { Failure } from './failure';
import { insightsCommands } from './insights';
import { reconcileCommand } from './reconcile/commands';
import { databaseVariable } from './running-system';
import { stateCommands } from './state';
import { webhookCommands } from './webhooks';
import type { ToolContext } from './context';

/**
 * Runs the tool.
 * @param args the arguments after `npm run sheaf --`
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage, 3 done, and something is missing
 */
export async function runTool(args: readonly string[], context: ToolContext): Promise<0 | 1 | 2 | 3> {
  try {
    await toolProgram(context).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof Failure)) throw error;
    const { code, message } = error;
    context.printError(args.includes('--json') ? JSON.stringify({ error: { code, message } }) : message);
    return error.exitCode;
  }
}

/** All commands of the tool, with their options. */
export function toolProgram(context: ToolContext): Command {
  const program = new Command('sheaf')
    .usage('<command>')
    .version(context.version, '--version', 'prints the version of Sheaf')
    .description(
      'Operates a running Sheaf system: instances, people, keys, deliveries, webhooks, erasing, insights, the state of its processes, and backups.',
    )
    .configureOutput({ writeOut: (text) => context.print(text.trimEnd()), writeErr: (text) => context.printError(text.trimEnd()) })
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      [
        '',
        'Works on the system that npm start runs on DATA_DIR. For your own deployment, set the databases of its services,',
        `${databaseVariable('workspaces')}, ${databaseVariable('delivery')} and so on, and NATS_URL for the version of NATS.`,
        'In scripts, use npm run -s and --json. Exit codes: 0 success, 1 refused or failed, 2 wrong usage.',
        '',
        'Example:',
        '  npm run sheaf -- users create --email ada@example.org --workspace my-workspace --role editor',
      ].join('\n'),
    );
  accountCommands(program, context);
  deliveryCommands(program, context);
  webhookCommands(program, context);
  erasingCommands(program, context);
  insightsCommands(program, context);
  stateCommands(program, context);
  backupCommands(program, context);
  reconcileCommand(program, context);
  return program;
}
