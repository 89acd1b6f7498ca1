import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const tool = join(__dirname, '../../../dist/tools/sheaf/main.cjs');

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the operator's tool on a running system, with `stdin` to read. */
export async function sheaf(dataDir: string, args: readonly string[], { stdin = '', env = {} }: { stdin?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Said> {
  const child = spawn(process.execPath, [tool, ...args], { env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env }, timeout: 50_000 });
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close') as Promise<[number | null]>]);
  return { code, stdout, stderr };
}

/** What it answers to a program. Rejects with what it said if it refuses. */
export async function asked<T>(dataDir: string, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await sheaf(dataDir, [...args, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}
