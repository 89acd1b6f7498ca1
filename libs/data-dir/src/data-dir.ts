import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Refusal } from './refusal';

/** The layout of DATA_DIR. */
export const dataPaths = (dataDir: string) => ({
  lock: join(dataDir, 'lock'),
  secrets: join(dataDir, 'secrets.json'),
  state: join(dataDir, 'state.json'),
  sampleForm: join(dataDir, 'sample-form.json'),
  credentials: join(dataDir, 'credentials.json'),
  run: join(dataDir, 'run'),
  /** Only between the command that creates the link and the launcher, which shows it. */
  signInLink: join(dataDir, 'run/sign-in-link.json'),
  system: join(dataDir, 'run/system.json'),
  pid: (name: string) => join(dataDir, `run/${name}.pid`),
  log: join(dataDir, 'log'),
  postgres: join(dataDir, 'postgres'),
  nats: join(dataDir, 'nats'),
  files: join(dataDir, 'files'),
  /** The mark of an unfinished restore. */
  restoring: join(dataDir, 'restoring'),
  /** Left by a restore for the next start, which records it. */
  restored: join(dataDir, 'restored.json'),
  /** For npm run dev. */
  bundles: join(dataDir, 'bundles'),
});

export type DataPaths = ReturnType<typeof dataPaths>;

/** The backup from which a system was restored, until its first start has recorded it. */
export const Restored = z.object({
  /** Everything accepted before this time is there. */
  backup_started_at: z.iso.datetime(),
  /** Nothing accepted after this time is there. */
  backup_completed_at: z.iso.datetime(),
  restored_at: z.iso.datetime(),
});
export type Restored = z.output<typeof Restored>;

/** Writes a file atomically, readable by its owner only: after a crash it has either the old or the new content. */
export async function writePrivately(path: string, text: string): Promise<void> {
  const fresh = `${path}.new-${process.pid}`;
  try {
    const file = await open(fresh, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

export const writeJson = (path: string, value: unknown): Promise<void> => writePrivately(path, `${JSON.stringify(value, null, 2)}\n`);

/**
 * Reads a JSON file; undefined if it does not exist.
 * @throws Refusal, without quoting the file, if its content is invalid
 */
export async function readJson<T extends z.ZodType>(path: string, shape: T): Promise<z.output<T> | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new Refusal(`${path} is damaged. Restore it from a backup, or start with another DATA_DIR.`);
  }
}
