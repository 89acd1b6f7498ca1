import { chmod, chown, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { dataPaths, Refusal, takeLock, writeJson, type Restored } from '@sheaf/data-dir';
import { clusterRules } from '@sheaf/embedded';
import { Failure } from '../failure';
import type { Encryption } from './encryption';
import { platform, type Description } from './layout';
import type { Progress } from './progress';
import { diskFailure } from './disk-failure';
import { hashEntry, type Entry } from './read-archive';
import { syncFolder, writeAll } from './store';
import { checkFiles, readContents, type CheckedBackup, type Receiver } from './verify';

export interface RestoreOptions {
  folder: string;
  /** Must be empty, or not exist. */
  dataDir: string;
  encryption: Encryption | undefined;
  progress: Progress;
  now: () => Date;
}

/** Things that a fresh disk or the lock of a start leaves in a folder. */
const nothing = new Set(['lock', 'lost+found']);

/**
 * Brings a backup back as a new system, which does not run yet. All of it is written below `restoring` and moved into place at the end; while
 * that folder is there, the system does not start. So no system starts with a part of its data, whatever ends this early.
 */
export async function restoreBackup({
  folder,
  dataDir,
  encryption,
  progress,
  now,
}: RestoreOptions): Promise<CheckedBackup & { files: number }> {
  const paths = dataPaths(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const release = await lock(paths.lock);
  try {
    await refuseOldData(dataDir);
    const checked = await checkFiles(folder, progress);
    if (checked.described.encrypted && !encryption)
      throw new Failure('bad_request', `${folder} is encrypted: --passphrase-file is required.`, 2);
    if (!checked.described.encrypted && encryption)
      throw new Failure('bad_request', `${folder} is not encrypted, as --passphrase-file says: somebody may have replaced it.`, 2);
    const { major, owner } = await clusterRules(dataDir);
    refuseOther(checked.described, major);

    try {
      await mkdir(paths.restoring, { mode: 0o700 });
      const writer = new Writer(paths.restoring, owner);
      const { files } = await readContents(checked, { encryption, progress, receiver: writer });
      await refuseOtherCluster(join(paths.restoring, 'postgres'), major);
      progress.step('to disk');
      await writer.sync();
      const restored: Restored = {
        backup_started_at: checked.described.started_at,
        backup_completed_at: checked.described.completed_at,
        restored_at: now().toISOString(),
      };
      await writeJson(join(paths.restoring, basename(paths.restored)), restored);
      for (const name of await readdir(paths.restoring)) await rename(join(paths.restoring, name), join(dataDir, name));
      await syncFolder(dataDir);
      await rm(paths.restoring, { recursive: true });
      await syncFolder(dataDir);
      return { ...checked, files };
    } catch (error) {
      // Everything but the marks of this process came from the backup: the folder was empty.
      for (const name of await readdir(dataDir)) if (!nothing.has(name)) await rm(join(dataDir, name), { recursive: true, force: true });
      throw diskFailure(error, `The backup cannot be restored into ${dataDir}`);
    }
  } finally {
    await release();
  }
}

async function lock(folder: string): Promise<() => Promise<void>> {
  try {
    return await takeLock(folder);
  } catch (error) {
    if (error instanceof Refusal)
      throw new Failure('conflict', `${error.message}\nA backup is restored into an empty DATA_DIR.`, 1, { cause: error });
    throw error;
  }
}

async function refuseOldData(dataDir: string): Promise<void> {
  const found = (await readdir(dataDir)).filter((name) => !nothing.has(name));
  if (found.length === 0) return;
  const why = found.includes(basename(dataPaths(dataDir).restoring))
    ? 'a restore into it did not finish. Remove the folder, and restore again.'
    : `it is not empty (${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}). Move it away, or restore into another one: DATA_DIR=.data2`;
  throw new Failure('conflict', `Nothing was restored into ${dataDir}: ${why}`);
}

function refuseOther({ platform: theirs, postgres }: Description, major: number): void {
  if (theirs !== platform)
    throw new Failure(
      'conflict',
      `The backup was made on ${theirs}, and this is ${platform}: the files of PostgreSQL fit only the platform that wrote them.`,
    );
  if (Number.parseInt(postgres, 10) !== major)
    throw new Failure(
      'conflict',
      `The backup is of PostgreSQL ${postgres}, and this version of Sheaf has PostgreSQL ${major}. Restore it with the version that made it.`,
    );
}

/** The description is in the clear, and so anybody's. */
async function refuseOtherCluster(cluster: string, major: number): Promise<void> {
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (found !== String(major))
    throw new Failure('damaged', `The backup has files of PostgreSQL ${JSON.stringify(found)}, and its description says ${major}.`);
}

/** Writes files below a folder, readable by their owner only. Paths come from `readArchive`, which lets none out of the folder. */
class Writer implements Receiver {
  readonly #folders = new Set<string>();

  /** @param owner of the cluster, if it is not the current user */
  constructor(
    private readonly root: string,
    private readonly owner: number | null,
  ) {}

  async receive(place: 'postgres' | 'data', entry: Entry): Promise<string> {
    const owner = place === 'postgres' ? this.owner : null;
    const path = place === 'postgres' ? join(this.root, 'postgres', entry.path) : join(this.root, entry.path);
    if (entry.kind === 'directory') {
      await this.#makeFolder(path, owner);
      return '';
    }
    await this.#makeFolder(dirname(path), owner);
    const file = await open(path, 'wx', 0o600);
    try {
      const sum = await hashEntry(entry, (chunk) => writeAll(file, chunk));
      if (owner !== null) await file.chown(owner, owner);
      await file.sync();
      return sum;
    } finally {
      await file.close();
    }
  }

  /** Files are on disk already; their names are, once their folders are. */
  async sync(): Promise<void> {
    for (const folder of this.#folders) await syncFolder(folder);
    await syncFolder(this.root);
  }

  async #makeFolder(path: string, owner: number | null): Promise<void> {
    if (path === this.root || this.#folders.has(path)) return;
    await this.#makeFolder(dirname(path), owner);
    await mkdir(path, { mode: 0o700 });
    // The umask may have left other rights: PostgreSQL starts on no folder that others may read.
    await chmod(path, 0o700);
    if (owner !== null) await chown(path, owner, owner);
    this.#folders.add(path);
  }
}
