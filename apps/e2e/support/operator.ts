import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const tools = join(__dirname, '../../../dist/tools/sheaf');

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Given {
  stdin?: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs the operator's tool on a running system, with `stdin` as input. */
export const sheaf = (dataDir: string, args: readonly string[], given?: Given): Promise<Said> => run('main.cjs', dataDir, args, given);

/** `npm run db` on a running system. */
export const db = (dataDir: string, args: readonly string[], given?: Given): Promise<Said> => run('db.cjs', dataDir, args, given);

async function run(tool: string, dataDir: string, args: readonly string[], { stdin = '', env = {} }: Given = {}): Promise<Said> {
  const child = spawn(process.execPath, [join(tools, tool), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
    timeout: 50_000,
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** The JSON answer of the tool. Rejects with the tool's message if it fails. */
export async function asked<T>(dataDir: string, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await sheaf(dataDir, [...args, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}
