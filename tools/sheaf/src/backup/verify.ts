import { createReadStream } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Failure } from '../failure';
import { parseSums, sumOf } from './checksums';
import { filesFolder, keptNames } from './data-archive';
import type { Encryption } from './encryption';
import { type Archive, Description, description, storedName, storedNames, sums } from './layout';
import { logFiles, type Manifest, parseManifest } from './manifest';
import type { Progress } from './progress';
import { type Entry, hashEntry, readArchive } from './read-archive';

/** A backup whose files are as they were written. */
export interface CheckedBackup {
  folder: string;
  described: Description;
  bytes: number;
}

/**
 * Compares every file of a backup with the sums that were written with it.
 * @throws Failure that names each file that differs, is missing, or does not belong to it
 */
export async function checkFiles(folder: string, progress: Progress): Promise<CheckedBackup> {
  const expected = await readSums(folder);
  const present = new Set(await readdir(folder));
  present.delete(sums);
  const problems: string[] = [];
  for (const name of present) if (!expected.has(name)) problems.push(`${shown(name)} does not belong to the backup`);

  let bytes = 0;
  for (const [name, sum] of expected) {
    if (!present.has(name)) problems.push(`${name} is missing`);
    else if (!(await lstat(join(folder, name))).isFile()) problems.push(`${name} is no file`);
    else {
      progress.step(name);
      let read = 0;
      if ((await sumOf(join(folder, name), (count) => progress.at((read += count)))) !== sum)
        problems.push(`${name} does not match ${sums}: it was changed or cut`);
      bytes += read;
    }
  }
  if (problems.length > 0) throw damaged(folder, problems);
  const described = await readDescription(folder);
  const wanted = new Set(storedNames(described.encrypted));
  const wrong = [...expected.keys()].filter((name) => !wanted.has(name)).map((name) => `${name} does not belong to the backup`);
  const missing = [...wanted].filter((name) => !expected.has(name)).map((name) => `${name} is missing in ${sums}`);
  if (wrong.length + missing.length > 0) throw damaged(folder, [...wrong, ...missing]);
  return { folder, described, bytes };
}

async function readSums(folder: string): Promise<Map<string, string>> {
  let content: string;
  try {
    content = await readSmall(join(folder, sums));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    const isThere = await lstat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw new Failure('not_found', `${folder} is no folder.`, 1, { cause: error });
    throw damaged(folder, [`${sums} is missing: it did not finish, or this is no backup`]);
  }
  const parsed = parseSums(content);
  if (!parsed) throw damaged(folder, [`${sums} is damaged`]);
  return parsed;
}

async function readDescription(folder: string): Promise<Description> {
  try {
    return Description.parse(JSON.parse(await readSmall(join(folder, description))));
  } catch (error) {
    throw damaged(folder, [`${description} was not written by this version, or is damaged`], error);
  }
}

const smallBytes = 64 * 1024;

/** Files that hold a few lines; a larger one is not what it should be, and would fill the memory. */
async function readSmall(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return size > smallBytes ? '' : await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

const damaged = (folder: string, problems: readonly string[], cause?: unknown) =>
  new Failure('damaged', [`${folder} is not a complete backup:`, ...problems.map((problem) => `  ${problem}`)].join('\n'), 1, { cause });

/** The destination of a backup's content. */
export interface Receiver {
  /** Reads an entry to its end. @returns the SHA-256 of a file */
  receive(place: 'postgres' | 'data', entry: Entry): Promise<string>;
}

/** Only reads. */
const reader: Receiver = { receive: (_, entry) => hashEntry(entry) };

/**
 * Reads all of a backup, as a restore does: the cluster's files against PostgreSQL's list of them, and the log without which they are of no
 * use.
 * @throws Failure that says which file is wrong
 */
export async function readContents(
  { folder, described }: CheckedBackup,
  { encryption, progress, receiver = reader }: { encryption: Encryption | undefined; progress: Progress; receiver?: Receiver },
): Promise<{ files: number }> {
  const contentOf = (archive: Archive): AsyncIterable<Uint8Array> => {
    const bytes = createReadStream(join(folder, storedName(archive, described.encrypted)), { highWaterMark: 1024 * 1024 });
    return described.encrypted && encryption ? encryption.decrypt(bytes) : bytes;
  };
  const reading = async <T>(archive: Archive, work: () => Promise<T>): Promise<T> => {
    progress.step(`contents of ${archive}`);
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure || isOfSystem(error)) throw error;
      const name = storedName(archive, described.encrypted);
      throw damaged(folder, [`${name}: ${(error as Error).message}`], error);
    }
  };
  let read = 0;
  const count = (entry: Entry) => progress.at((read += entry.size));

  const manifest = await reading('backup_manifest', async () => parseManifest(await text(contentOf('backup_manifest'))));
  await reading('base.tar', () => readCluster(contentOf('base.tar'), manifest, count, receiver));
  return reading('data.tar', () => readData(contentOf('data.tar'), count, receiver));
}

/** An error of the disk to which something is restored, which says nothing about the backup. */
const isOfSystem = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).syscall === 'string';

async function readCluster(
  content: AsyncIterable<Uint8Array>,
  manifest: Manifest,
  count: (entry: Entry) => void,
  receiver: Receiver,
): Promise<void> {
  const missing = new Set(manifest.files.keys());
  const log = new Map<string, number>();
  await readArchive(content, async (entry) => {
    const { path, kind, size } = entry;
    count(entry);
    const listed = manifest.files.get(path);
    const isLog = path.startsWith('pg_wal/');
    if (kind === 'file' && !listed && !isLog) throw new Error(`${path} is not in the list of the cluster's files`);
    if (listed && listed.size !== size) throw new Error(`${path} has another size than in the list of the cluster's files`);
    const sum = await receiver.receive('postgres', entry);
    if (kind === 'directory') return;
    if (listed && sum !== listed.sum) throw new Error(`${path} has another content than in the list of the cluster's files`);
    missing.delete(path);
    if (isLog) log.set(path.slice('pg_wal/'.length), size);
  });
  const [absent] = missing;
  if (absent !== undefined) throw new Error(`${absent} is missing`);
  // All files of the log have one size, but for those that name a timeline.
  const [, segmentBytes = 0] = [...log].find(([name]) => /^[0-9A-F]{24}$/.test(name)) ?? [];
  if (segmentBytes === 0) throw new Error('pg_wal is empty');
  for (const name of logFiles(manifest, segmentBytes)) if (!log.has(name)) throw new Error(`pg_wal/${name} is missing`);
}

async function readData(content: AsyncIterable<Uint8Array>, count: (entry: Entry) => void, receiver: Receiver): Promise<{ files: number }> {
  const missing = new Set(keptNames.slice(0, 1));
  let files = 0;
  await readArchive(content, async (entry) => {
    count(entry);
    const isUpload = entry.path.startsWith(`${filesFolder}/`);
    if (!isUpload && !keptNames.includes(entry.path)) throw new Error(`${entry.path} does not belong there`);
    if (isUpload && entry.kind === 'file') files++;
    missing.delete(entry.path);
    await receiver.receive('data', entry);
  });
  const [absent] = missing;
  if (absent !== undefined) throw new Error(`${absent} is missing`);
  return { files };
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 200));
