import { chmod, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { Failure } from '../failure';
import { takeBaseBackup } from './base-backup';
import { sumsText } from './checksums';
import { writeDataArchive } from './data-archive';
import { diskFailure } from './disk-failure';
import type { Encryption } from './encryption';
import { type Archive, description, type Description, platform, storedName, sums } from './layout';
import { stoppable, type Progress } from './progress';
import { storeFile, type Stored, type StoredFile, syncFolder } from './store';

export interface CreateOptions {
  /** The folder of the new backup. It must not exist. */
  folder: string;
  dataDir: string;
  /** A user of PostgreSQL that may take a base backup. */
  postgresUrl: string;
  /** The folder of uploaded files; undefined if they are in a bucket. */
  filesDir: string | undefined;
  version: string;
  encryption: Encryption | undefined;
  progress: Progress;
  signal: AbortSignal;
}

export interface Created extends Description {
  folder: string;
  bytes: number;
}

const partial = (folder: string): string => `${folder}.partial`;

/**
 * Backs up a running system: first all databases at one moment, then the files that they know. It is written beside its folder, which appears
 * when all of it is on disk; whatever ends this early, no folder of that name is half a backup.
 */
export async function createBackup(options: CreateOptions): Promise<Created> {
  const { folder } = options;
  await refuseExisting(folder);
  const workFolder = partial(folder);
  await mkdir(dirname(folder), { recursive: true });
  try {
    await mkdir(workFolder, { mode: 0o700 });
    // The umask may have left other rights.
    await chmod(workFolder, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw diskFailure(error, `The backup cannot be written to ${folder}`);
    throw new Failure(
      'conflict',
      `${workFolder} exists: another backup is being made there, or one did not finish. If none runs, remove it.`,
      1,
      { cause: error },
    );
  }
  try {
    const created = await fill(workFolder, options);
    await rename(workFolder, folder);
    await syncFolder(dirname(folder));
    return { folder, ...created };
  } catch (error) {
    await rm(workFolder, { recursive: true, force: true });
    options.signal.throwIfAborted();
    throw diskFailure(error, `The backup cannot be written to ${folder}`);
  }
}

async function refuseExisting(folder: string): Promise<void> {
  try {
    await lstat(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw diskFailure(error, `The backup cannot be written to ${folder}`);
  }
  throw new Failure('conflict', `${folder} exists. A backup needs a folder of its own, such as ${folder}-2.`);
}

async function fill(workFolder: string, options: CreateOptions): Promise<Omit<Created, 'folder'>> {
  const { dataDir, postgresUrl, filesDir, version, encryption, progress, signal } = options;
  const files = new BackupFiles(workFolder, encryption);
  try {
    progress.step('databases');
    const sinks = () => ({
      archive: files.open('base.tar'),
      manifest: files.open('backup_manifest'),
      onProgress: (bytes: number, estimated: number) => progress.at(bytes, estimated),
    });
    const taken = await takeBaseBackup(postgresUrl, sinks, signal);
    await files.stored();

    progress.step(filesDir === undefined ? 'secrets' : 'secrets and uploaded files');
    const copying = stoppable(progress, signal);
    let copied = 0;
    const uploads = { folder: filesDir, notAfter: taken.completedAt };
    const [count] = await Promise.all([
      writeDataArchive(dataDir, uploads, files.open('data.tar'), (bytes) => copying.at((copied += bytes))),
      files.stored(),
    ]);
    signal.throwIfAborted();

    const described: Description = {
      started_at: taken.startedAt.toISOString(),
      completed_at: taken.completedAt.toISOString(),
      sheaf: version,
      postgres: taken.serverVersion,
      platform,
      encrypted: encryption !== undefined,
      files: filesDir === undefined ? null : count,
    };
    files.describe().end(`${JSON.stringify(described, null, 2)}\n`);
    const bytes = await files.finish();
    return { ...described, bytes };
  } catch (error) {
    // A disk that takes no more ends the other side, too, with an error that says less.
    throw (await files.close()) ?? error;
  }
}

/** The files of a backup while it is made. */
class BackupFiles {
  readonly #files = new Map<string, StoredFile>();

  constructor(
    private readonly folder: string,
    private readonly encryption: Encryption | undefined,
  ) {}

  open(archive: Archive): Writable {
    return this.#add(storedName(archive, this.encryption !== undefined), this.encryption);
  }

  describe(): Writable {
    return this.#add(description, undefined);
  }

  /** Resolves when all files that were opened are on disk. */
  async stored(): Promise<[string, Stored][]> {
    return Promise.all([...this.#files].map(async ([name, { stored }]): Promise<[string, Stored]> => [name, await stored]));
  }

  /** Writes the sums, and makes all of it durable. @returns the number of bytes */
  async finish(): Promise<number> {
    const all = await this.stored();
    const text = sumsText(new Map(all.map(([name, { sum }]) => [name, sum])));
    await writeFile(join(this.folder, sums), text, { mode: 0o600, flag: 'wx', flush: true });
    await syncFolder(this.folder);
    return all.reduce((total, [, { bytes }]) => total + bytes, 0);
  }

  /** Ends writing early: after that, the folder can be removed. @returns the error of the disk, if that is why */
  async close(): Promise<unknown> {
    for (const { input } of this.#files.values()) input.destroy();
    const results = await Promise.allSettled([...this.#files.values()].map(({ stored }) => stored));
    return results
      .flatMap((result) => (result.status === 'rejected' ? [result.reason as NodeJS.ErrnoException] : []))
      .find(({ syscall }) => syscall !== undefined);
  }

  #add(name: string, encryption: Encryption | undefined): Writable {
    const file = storeFile(this.folder, name, encryption);
    this.#files.set(name, file);
    return file.input;
  }
}
