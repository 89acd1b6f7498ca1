import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const tools = join(__dirname, '../../../dist/tools/sheaf');

export interface ToolResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  stdin?: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs the operator's tool on a running system. */
export const sheaf = (dataDir: string, args: readonly string[], options?: RunOptions): Promise<ToolResult> =>
  run('main.cjs', dataDir, args, options);

/** Runs `npm run db` on a running system. */
export const db = (dataDir: string, args: readonly string[], options?: RunOptions): Promise<ToolResult> =>
  run('db.cjs', dataDir, args, options);

/** Starts the operator's tool, which goes on until it is ended. */
export const startSheaf = (dataDir: string, args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams =>
  start('main.cjs', dataDir, args, env);

const start = (tool: string, dataDir: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, [join(tools, tool), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
    timeout: 240_000,
  });

async function run(tool: string, dataDir: string, args: readonly string[], { stdin = '', env = {} }: RunOptions = {}): Promise<ToolResult> {
  const child = start(tool, dataDir, args, env);
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Returns the JSON output of the tool. Rejects with the tool's error message if it fails. */
export async function sheafJson<T>(dataDir: string, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await sheaf(dataDir, [...args, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}
