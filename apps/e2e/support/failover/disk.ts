import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@sheaf/testing';
import { isRunning } from './network';

const run = promisify(execFile);

const prefix = 'sheaf-failover-';
/** The folder of this run. The remains of a killed run are recognized by the process's id, and removed by the next one. */
export const newFolderName = (): string => join(tmpdir(), `${prefix}${process.pid}-`);

/** The disk of a machine: a file system of limited size, in memory. It outlives the machine's processes. */
export class Disk {
  private constructor(
    readonly folder: string,
    private readonly megabytes: number,
  ) {}

  static async mount(folder: string, megabytes: number): Promise<Disk> {
    await mkdir(folder, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'sheaf-failover', folder]);
    return new Disk(folder, megabytes);
  }

  /** Leaves no room: the disk becomes as small as what is stored on it. A file that took the room would cost as much memory. */
  async fill(): Promise<void> {
    await eventually(async () => {
      const { blocks, bfree, bsize } = await statfs(this.folder);
      // Refused if more has been stored meanwhile.
      await this.resize(String((blocks - bfree) * bsize));
    });
  }

  makeRoom = (): Promise<void> => this.resize(`${this.megabytes}m`);

  async unmount(): Promise<void> {
    await run('umount', ['--lazy', this.folder]);
  }

  private async resize(size: string): Promise<void> {
    await run('mount', ['-o', `remount,size=${size}`, this.folder]);
  }
}

/** Removes the disks and folders of runs that were killed. */
export async function removeLeftOverDisks(): Promise<void> {
  const isLeftOver = (name: string) => {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? [];
    return pid !== undefined && !isRunning(Number(pid));
  };
  const left = (await readdir(tmpdir())).filter(isLeftOver).map((name) => join(tmpdir(), name));
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const folder of left) {
    for (const mount of mounts) if (mount.startsWith(`${folder}/`)) await run('umount', ['--lazy', mount]);
    await rm(folder, { recursive: true, force: true });
  }
}
