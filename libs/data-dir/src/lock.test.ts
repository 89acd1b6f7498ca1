import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTimeOf, takeLock } from './lock';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the lock', () => {
  it('admits one holder, and the next once it is free', async () => {
    const path = join(folder, 'lock');
    const release = await takeLock(path);
    await expect(takeLock(path)).rejects.toThrow(`is already running on this DATA_DIR (process ${process.pid})`);

    await release();
    await (
      await takeLock(path)
    )();
    expect(await readdir(path)).toEqual([]);
  });

  it('is taken over from a process that has ended, even if its pid has been reused', async () => {
    const path = join(folder, 'lock');
    await mkdir(path);
    for (const stale of ['999999999-1', `${process.ppid}-1`, 'what']) await writeFile(join(path, stale), '');

    const release = await takeLock(path);
    expect(await readdir(path)).toHaveLength(1);
    await release();
  });

  it('stays with a process that is alive', async () => {
    const path = join(folder, 'lock');
    await mkdir(path);
    const theirs = `${process.ppid}-${(await startTimeOf(process.ppid)) ?? ''}`.replaceAll(/\W+/g, '-');
    await writeFile(join(path, theirs), '');

    await expect(takeLock(path)).rejects.toThrow(`(process ${process.ppid})`);
    expect(await readdir(path)).toEqual([theirs]);
  });

  it('reads the start time of a process', async () => {
    expect(await startTimeOf(process.pid)).toBe(await startTimeOf(process.pid));
    expect(await startTimeOf(process.pid)).not.toBeNull();
    expect(await startTimeOf(999_999_999)).toBeNull();
  });
});
