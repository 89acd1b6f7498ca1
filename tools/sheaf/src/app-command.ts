import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { Failure } from './failure';

export type Answer = Record<string, unknown>;

const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** As long as a large redelivery takes, and then some. */
const withinMs = 600_000;

export interface AppCommand {
  /** The bundle of the app. */
  file: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** What it reads: a secret never is an argument, as those can be read by everybody on the machine. */
  stdin?: string | undefined;
}

/** Runs a command of an app to its end. @throws Failure with what it said if it refuses. */
export async function runAppCommand({ file, args, env, stdin }: AppCommand): Promise<string> {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: withinMs });
  // It may end without having read.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin ?? '');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw refusalOf(stderr.trim() === '' ? stdout : stderr, code);
  return stdout;
}

/** The last line is what it ended with. */
function refusalOf(said: string, code: number | null): Failure {
  const last = said.trim().split('\n').at(-1) ?? '';
  try {
    const { error } = Refusal.parse(JSON.parse(last));
    return new Failure(error.code, error.message, code === 2 ? 2 : 1);
  } catch {
    return new Failure('internal_error', last === '' ? `The command ended with ${String(code)} and said nothing.` : last);
  }
}
