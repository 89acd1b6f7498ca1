import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from './log-file';
import { loadSecrets } from './secrets';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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

// Linux has a file that is always full.
(process.platform === 'linux' ? it : it.skip)('drops lines of a log for which the disk has no room, and goes on', () => {
  const log = new LogFile('/dev/full');
  expect(() => log.write('line')).not.toThrow();
  log.close();
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
