import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTimeOf, takeLock } from './lock';
import { LogFile } from './log-file';
import { loadSecrets } from './secrets';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
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

describe('the secrets', () => {
  it('are generated once, readable by the owner only, and extended for a new role', async () => {
    const path = join(folder, 'secrets.json');
    const first = await loadSecrets(path, ['forms']);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(first.caller_keys.gateway).toMatchObject({ kid: 'gateway', kty: 'EC', crv: 'P-256' });

    const later = await loadSecrets(path, ['forms', 'files']);
    expect(later).toMatchObject(first);
    expect(later.role_passwords.files).toMatch(/^[\w-]{43}$/);
    expect(await loadSecrets(path, ['files'])).toEqual(later);
  });

  it('are not replaced when the file is damaged', async () => {
    const path = join(folder, 'secrets.json');
    await writeFile(path, '{"postgres_password": "hush"');
    await expect(loadSecrets(path, [])).rejects.toThrow('secrets.json is damaged');
    await expect(loadSecrets(path, [])).rejects.not.toThrow('hush');
  });
});

it('keeps one old log file when a log reaches its limit', async () => {
  const path = join(folder, 'forms.log');
  const log = new LogFile(path, 10);
  for (const line of ['first', 'second', 'third', 'fourth']) log.write(line);
  log.close();
  log.write('too late');

  expect(await readFile(`${path}.1`, 'utf8')).toBe('first\nsecond\n');
  expect(await readFile(path, 'utf8')).toBe('third\nfourth\n');
});
