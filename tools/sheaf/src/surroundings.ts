import confirm from '@inquirer/confirm';
import password from '@inquirer/password';
import type { App } from '@sheaf/kernel';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runAppCommand, type Answer } from './app-command';
import { Failure } from './failure';
import { findRunningSystem, settingsFor, type RunningSystem } from './running-system';

/** Everything that the commands need from outside. */
export interface Surroundings {
  /** Runs an app's command and returns its answer. */
  ask(app: App, args: readonly string[], stdin?: string): Promise<Answer>;
  /** Migrates a service's database, as its owner. */
  migrate(app: App): Promise<void>;
  running(): Promise<RunningSystem>;
  /** Prompts for a password without echo, or reads it from standard input. */
  readPassword(): Promise<string>;
  /** Asks the operator for confirmation. @throws Failure if there is no terminal. */
  confirm(question: string): Promise<boolean>;
  fetchText(url: string): Promise<{ status: number; body: string }>;
  say(text: string): void;
  complain(text: string): void;
}

const healthWithinMs = 5_000;

export function surroundings({ root, dataDir, env }: { root: string; dataDir: string; env: NodeJS.ProcessEnv }): Surroundings {
  const command = async (
    app: App,
    args: readonly string[],
    { stdin, asOwner = false }: { stdin?: string | undefined; asOwner?: boolean },
  ) => {
    const settings = await settingsFor(app, { env, dataDir, asOwner });
    return runAppCommand({ file: join(root, 'dist/apps', app, 'main.cjs'), args, stdin, env: { ...env, ...settings } });
  };
  return {
    ask: async (app, args, stdin) => JSON.parse(await command(app, args, { stdin })) as Answer,
    async migrate(app) {
      await command(app, ['migrate'], { asOwner: true });
    },
    running: () => findRunningSystem(dataDir),
    async readPassword() {
      if (!process.stdin.isTTY) return text(process.stdin);
      // The prompt goes to standard error, so that standard output has only the answer.
      const ask = (message: string) => password({ message, mask: true }, { output: process.stderr });
      const given = await ask('Password:');
      if ((await ask('Repeat the password:')) !== given) throw new Failure('bad_request', 'The passwords differ.');
      return given;
    },
    async confirm(question) {
      if (!process.stdin.isTTY)
        throw new Failure('bad_request', `--yes: is required without a terminal for the confirmation. ${question}`, 2);
      return confirm({ message: question, default: false }, { output: process.stderr });
    },
    async fetchText(url) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(healthWithinMs), headers: { connection: 'close' } });
      return { status: answer.status, body: await answer.text() };
    },
    say: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  };
}
