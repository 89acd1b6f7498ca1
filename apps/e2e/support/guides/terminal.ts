import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hangMs } from '@sheaf/testing';

/** A reader's terminal: one bash, which keeps variables and functions from block to block. */
export class Terminal {
  private readonly shell: ChildProcess;
  private text = '';
  /** The position at which the output of the last script begins. */
  private from = 0;

  constructor(
    private readonly folder: string,
    env: NodeJS.ProcessEnv,
  ) {
    // A group of its own, so that closing the terminal also ends what runs in it.
    this.shell = spawn('bash', ['-s'], { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.shell.stdout?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    this.shell.stderr?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    // A script that fails ends the shell.
    this.shell.stdin?.on('error', () => undefined);
    this.shell.stdin?.write('set -euo pipefail\n');
  }

  /** The output since the last script began. */
  get output(): string {
    return this.text.slice(this.from);
  }

  /** Runs a script to its end. @throws Error with the output if a command fails */
  async run(script: string): Promise<void> {
    const mark = `end of ${randomUUID()}`;
    await this.begin(script, mark);
    await this.until(() => this.output.includes(mark));
    this.text = this.text.replace(`${mark}\n`, '');
  }

  /** Starts a script that runs until the terminal is closed, and waits for its first output. */
  async start(script: string): Promise<void> {
    await this.begin(script);
    await this.until(() => this.output !== '');
  }

  /** Waits until the output meets a condition. */
  async until(isMet: () => boolean): Promise<void> {
    const deadline = Date.now() + hangMs;
    while (!isMet()) {
      if (this.shell.exitCode !== null) throw new Error(`a command failed with ${this.shell.exitCode}:\n${this.output}`);
      if (Date.now() > deadline) throw new Error(`after ${hangMs} ms the output is only:\n${this.output}`);
      await sleep(20);
    }
  }

  async close(): Promise<void> {
    const { pid } = this.shell;
    // Until nothing is left in the group, so that its ports are free again. Without a process that reaps orphans, they stay in it for good.
    const deadline = Date.now() + 2_000;
    while (pid !== undefined && killed(-pid) && Date.now() < deadline) await sleep(5);
  }

  private async begin(script: string, mark?: string): Promise<void> {
    const file = join(this.folder, `.block-${randomUUID()}.sh`);
    await writeFile(file, script);
    this.from = this.text.length;
    // From a file, because commands in a script may read standard input.
    this.shell.stdin?.write(`. ${file} </dev/null${mark === undefined ? '' : `; echo '${mark}'`}\n`);
  }
}

/** @returns false if there was nothing to kill */
function killed(group: number): boolean {
  try {
    return process.kill(group, 'SIGKILL');
  } catch {
    return false;
  }
}
