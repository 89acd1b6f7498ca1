import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The name of a backup in a series: the moment at which it began, without characters that some disks refuse. */
const nameOf = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
const isName = (name: string): boolean => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/.test(name);
const timeOf = (name: string): number => Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)Z/, 'T$1:$2:$3Z'));
const dayMs = 86_400_000;

export interface Series {
  /** The folder of all its backups. It has nothing else, or what else is there is left alone. */
  folder: string;
  /** How many whole backups are kept. */
  keep: number;
  create: (folder: string) => Promise<unknown>;
  /** @throws if the backup is not whole */
  verify: (folder: string) => Promise<unknown>;
  now: () => Date;
}

/** The names of the whole backups, the newest first. */
async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isName).sort().reverse();
}

/**
 * Makes the next backup, verifies it, and only then removes the oldest ones: whatever fails before, all earlier ones stay.
 * @returns the folder of the new one, and the names of those that were removed
 */
export async function nextBackup({ folder, keep, create, verify, now }: Series): Promise<{ folder: string; removed: string[] }> {
  const startedAt = now();
  const fresh = join(folder, nameOf(startedAt));
  await create(fresh);
  try {
    await verify(fresh);
  } catch (error) {
    // It would count among those that are kept, and push out one that is whole.
    await rename(fresh, `${fresh}.damaged`);
    throw error;
  }
  const outdated = (await backupsIn(folder)).slice(keep);
  // A killed run leaves its partial backup behind; one that was begun today may still be in the making.
  const abandoned = (await readdir(folder)).filter((name) => {
    const [backup = '', partial] = name.split('.');
    return isName(backup) && partial === 'partial' && startedAt.getTime() - timeOf(backup) > dayMs;
  });
  const removed = [...outdated, ...abandoned];
  for (const name of removed) await rm(join(folder, name), { recursive: true });
  return { folder: fresh, removed };
}

/** How long the next backup is to wait: it follows the newest one after this time, also of an earlier run of this program. */
export async function waitBeforeNext(folder: string, everyMs: number, now: Date): Promise<number> {
  const [newest] = await backupsIn(folder);
  return newest === undefined ? 0 : Math.max(0, timeOf(newest) + everyMs - now.getTime());
}

/** Sleeps in pieces, because a timer takes no more than 24 days. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0; left -= dayMs) {
    await sleep(Math.min(left, dayMs), undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  }
}
