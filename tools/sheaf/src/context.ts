import confirm from '@inquirer/confirm';
import password from '@inquirer/password';
import type { App } from '@sheaf/kernel';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runAppCommand, type Answer } from './app-command';
import { Failure } from './failure';
import { accountFor, findRunningSystem, settingsFor, type Account, type RunningSystem } from './running-system';

/** Everything that the commands need from outside. */
export interface ToolContext {
  /** The version of Sheaf that the tool belongs to. */
  version: string;
  /** The folder of the system, which may not exist or not be in use. */
  dataDir: string;
  /** Runs an app's command and returns its answer. */
  runCommand(app: App, args: readonly string[], stdin?: string): Promise<Answer>;
  /** Migrates a service's database, as its owner. */
  migrate(app: App): Promise<void>;
  running(): Promise<RunningSystem>;
  /** The address of the system, and a key for its API: those of the environment, else of the first start. */
  account(): Promise<Account>;
  /** Prompts for a password without echo, or reads it from standard input. */
  readPassword(): Promise<string>;
  /** Asks the operator for confirmation. @throws Failure if there is no terminal. */
  confirm(question: string): Promise<boolean>;
  fetchText(url: string): Promise<{ status: number; body: string }>;
  /** Aborted by Ctrl-C, from the first call on: a command without an end of its own ends well then. */
  interruption(): AbortSignal;
  /** Whether a person reads standard output, who may like colours. */
  hasColours: boolean;
  print(text: string): void;
  printError(text: string): void;
}

const healthTimeoutMs = 5_000;

/** Defined by the build. */
declare const SHEAF_VERSION: string;

export function createContext({ root, dataDir, env }: { root: string; dataDir: string; env: NodeJS.ProcessEnv }): ToolContext {
  const command = async (
    app: App,
    args: readonly string[],
    { stdin, asOwner = false }: { stdin?: string | undefined; asOwner?: boolean },
  ) => {
    const settings = await settingsFor(app, { env, dataDir, asOwner });
    return runAppCommand({ file: join(root, 'dist/apps', app, 'main.cjs'), args, stdin, env: { ...env, ...settings } });
  };
  return {
    version: SHEAF_VERSION,
    dataDir,
    runCommand: async (app, args, stdin) => JSON.parse(await command(app, args, { stdin })) as Answer,
    async migrate(app) {
      await command(app, ['migrate'], { asOwner: true });
    },
    running: () => findRunningSystem(dataDir),
    account: () => accountFor(env, dataDir),
    async readPassword() {
      if (!process.stdin.isTTY) return text(process.stdin);
      // The prompt goes to standard error, so that standard output has only the answer.
      const askPassword = (message: string) => password({ message, mask: true }, { output: process.stderr });
      const entered = await askPassword('Password:');
      if ((await askPassword('Repeat the password:')) !== entered) throw new Failure('bad_request', 'The passwords differ.');
      return entered;
    },
    async confirm(question) {
      if (!process.stdin.isTTY)
        throw new Failure('bad_request', `--yes: is required without a terminal for the confirmation. ${question}`, 2);
      return confirm({ message: question, default: false }, { output: process.stderr });
    },
    async fetchText(url) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(healthTimeoutMs), headers: { connection: 'close' } });
      return { status: answer.status, body: await answer.text() };
    },
    interruption() {
      const interruption = new AbortController();
      process.once('SIGINT', () => interruption.abort());
      return interruption.signal;
    },
    hasColours: process.stdout.isTTY && (env.NO_COLOR ?? '') === '',
    print: (line) => void process.stdout.write(`${line}\n`),
    printError: (line) => void process.stderr.write(`${line}\n`),
  };
}
