import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { Failure } from './failure';

export type Answer = Record<string, unknown>;

const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Enough for a large redelivery. */
const timeoutMs = 600_000;

export interface AppCommand {
  /** The app's bundle. */
  file: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Standard input. Secrets are passed here, because every user on the machine can read arguments. */
  stdin?: string | undefined;
}

/** Runs an app's command and waits for its end. @throws Failure with the command's message if it fails */
export async function runAppCommand({ file, args, env, stdin }: AppCommand): Promise<string> {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: timeoutMs });
  // The command may exit without reading its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin ?? '');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw failureOf(stderr.trim() === '' ? stdout : stderr, code);
  return stdout;
}

/** The last line of the output is the reason. */
function failureOf(output: string, code: number | null): Failure {
  const last = output.trim().split('\n').at(-1) ?? '';
  try {
    const { error } = Refusal.parse(JSON.parse(last));
    return new Failure(error.code, error.message, code === 2 ? 2 : 1);
  } catch {
    return new Failure('internal_error', last === '' ? `The command ended with ${String(code)} and printed nothing.` : last);
  }
}
