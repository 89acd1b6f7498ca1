import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder in which somebody works with the command line of @sheaf/cli, with logins of its own. */
export class Desk {
  private constructor(
    readonly folder: string,
    private readonly program: readonly string[],
  ) {}

  /** @param program the program and its first arguments; by default, the built one on this Node */
  static async begin(program: readonly string[] = [process.execPath, join(__dirname, '../../../dist/libs/cli/main.cjs')]): Promise<Desk> {
    return new Desk(await mkdtemp(join(tmpdir(), 'sheaf-desk-')), program);
  }

  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
    const [command = '', ...first] = this.program;
    return spawn(command, [...first, ...args], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: join(this.folder, '.config'), ...env },
    });
  }

  async run(args: readonly string[], { stdin = '', env }: { stdin?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Outcome> {
    const child = this.start(args, env);
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, stdout, stderr };
  }

  /** @throws Error with what the command said if it fails */
  async done(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  read = (file: string): Promise<string> => readFile(join(this.folder, file), 'utf8');

  async change(file: string, from: string, to: string): Promise<void> {
    const before = await this.read(file);
    if (!before.includes(from)) throw new Error(`${file} has no "${from}"`);
    await writeFile(join(this.folder, file), before.replace(from, to));
  }

  close = (): Promise<void> => rm(this.folder, { recursive: true, force: true });
}
