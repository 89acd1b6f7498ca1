import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePorts, startPostgres, type Postgres } from '@sheaf/embedded';
import { Client } from 'pg';
import { sumOf, sumsText } from './checksums';
import { createBackup, type CreateOptions } from './create';
import { ageEncryption } from './encryption';
import { silentProgress as progress } from './progress';
import { restoreBackup } from './restore';
import { checkFiles, readContents } from './verify';

let root: string;
let server: Postgres;
let backup: string;
const password = 'open-sesame';
// The usual work factor takes a second for each file.
const encryption = ageEncryption('a passphrase of a test', 10);
const file = 'files/0197f0c2-0000-7000-8000-000000000001/0197f0c2-0000-7000-8000-000000000002/0197f0c2-0000-7000-8000-000000000003';

const start = async (dataDir: string): Promise<Postgres> => {
  const [port = 0] = await freePorts(1);
  return startPostgres({ dataDir: join(dataDir, 'postgres'), port, onLine: () => undefined, durable: true, password });
};

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const options = (folder: string, more: Partial<CreateOptions> = {}): CreateOptions => ({
  folder,
  dataDir: join(root, 'data'),
  postgresUrl: server.url,
  filesDir: join(root, 'data/files'),
  version: '1.2.3',
  encryption: undefined,
  progress,
  signal: new AbortController().signal,
  ...more,
});

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sheaf-backup-'));
  const data = join(root, 'data');
  await mkdir(dirname(join(data, file)), { recursive: true });
  await writeFile(join(data, 'secrets.json'), '{"session_secret":"hush"}');
  await writeFile(join(data, 'credentials.json'), '{}');
  await writeFile(join(data, file), 'an uploaded file');
  await writeFile(join(data, `${file}.part`), 'an upload that is not complete');
  server = await start(data);
  await ask(server.url, 'create table kept as select 7 as value; create table first (at int); create table second (at int)');
  backup = join(root, 'backup');
  const over = new AbortController();
  const writing = (async () => {
    for (let at = 1; !over.signal.aborted; at++) {
      await ask(
        server.url,
        `begin; insert into first values (${at}); insert into second select ${at} from generate_series(1, 1000); commit`,
      );
    }
  })();
  await createBackup(options(backup)).finally(() => over.abort());
  await writing;
});
afterAll(async () => {
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

/** The backup under another name, to be damaged. Its files are the same until one is replaced. */
async function copied(name: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  for (const file of await readdir(backup)) await link(join(backup, file), join(folder, file));
  return folder;
}

async function replaced(path: string, change: (content: Buffer) => Buffer): Promise<void> {
  const content = change(await readFile(path));
  await rm(path);
  await writeFile(path, content);
}

const verify = async (folder: string, encrypted = false) => {
  const checked = await checkFiles(folder, progress);
  return readContents(checked, { encryption: encrypted ? encryption : undefined, progress });
};
const restore = (folder: string, dataDir: string, encrypted = false) =>
  restoreBackup({ folder, dataDir, encryption: encrypted ? encryption : undefined, progress, now: () => new Date() });

describe('a backup', () => {
  it('is readable by its owner only, and says what it is', async () => {
    expect((await stat(backup)).mode & 0o777).toBe(0o700);
    const names = await readdir(backup);
    expect(names.toSorted()).toEqual(['SHA256SUMS', 'backup.json', 'backup_manifest', 'base.tar', 'data.tar']);
    for (const name of names) expect((await stat(join(backup, name))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8'))).toMatchObject({ sheaf: '1.2.3', encrypted: false, files: 1 });
    await expect(verify(backup)).resolves.toEqual({ files: 1 });
  });

  it('comes back with all databases, secrets and complete files, as a system that starts', async () => {
    await ask(server.url, 'insert into kept values (8)');
    const dataDir = join(root, 'restored');
    await restore(backup, dataDir);
    expect((await readdir(dataDir)).toSorted()).toEqual(['credentials.json', 'files', 'lock', 'postgres', 'restored.json', 'secrets.json']);
    await expect(readFile(join(dataDir, file), 'utf8')).resolves.toBe('an uploaded file');
    await expect(readdir(dirname(join(dataDir, file)))).resolves.toHaveLength(1);
    expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
    const back = await start(dataDir);
    try {
      // The row that came after the backup is not there, and of the transactions that were committed while it was made, each is there as a whole.
      await expect(ask(back.url, 'select value from kept')).resolves.toEqual([{ value: 7 }]);
      await expect(ask(back.url, 'select count(*) = (select 1000 * count(*) from first) as whole from second')).resolves.toEqual([
        { whole: true },
      ]);
    } finally {
      await back.stop();
    }
  });

  it('leaves no replication slot behind, which would keep the log for ever', async () => {
    await expect(ask(server.url, 'select slot_name from pg_replication_slots')).resolves.toEqual([]);
  });

  it('does not have files that came after its databases, nor those in a bucket', async () => {
    const late = join(root, 'data', file.replace(/3$/, '4'));
    await writeFile(late, 'uploaded later');
    await utimes(late, new Date(), new Date(Date.now() + 3_600_000));
    const created = await createBackup(options(join(root, 'late')));
    expect(created.files).toBe(1);
    await rm(late);
    const withBucket = await createBackup(options(join(root, 'bucket'), { filesDir: undefined }));
    expect(withBucket.files).toBeNull();
    await expect(verify(join(root, 'bucket'))).resolves.toEqual({ files: 0 });
  });

  it('with a passphrase shows nothing without it, and comes back with it', async () => {
    const folder = join(root, 'encrypted');
    await createBackup(options(folder, { encryption }));
    expect((await readdir(folder)).toSorted()).toEqual([
      'SHA256SUMS',
      'backup.json',
      'backup_manifest.age',
      'base.tar.age',
      'data.tar.age',
    ]);
    expect((await readFile(join(folder, 'data.tar.age'))).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    await expect(verify(folder, true)).resolves.toEqual({ files: 1 });
    await expect(restore(folder, join(root, 'no-passphrase'))).rejects.toThrow('--passphrase-file is required');
    const checked = await checkFiles(folder, progress);
    await expect(readContents(checked, { encryption: ageEncryption('another passphrase'), progress })).rejects.toThrow(
      'backup_manifest.age: it cannot be decrypted',
    );
    const dataDir = join(root, 'decrypted');
    await restore(folder, dataDir, true);
    await expect(readFile(join(dataDir, 'secrets.json'), 'utf8')).resolves.toBe('{"session_secret":"hush"}');
  });

  it('that somebody has replaced by one that is not encrypted is refused by who has a passphrase', async () => {
    await expect(restore(backup, join(root, 'replaced'), true)).rejects.toThrow('is not encrypted, as --passphrase-file says');
  });
});

describe('creating a backup', () => {
  it('is refused where something is already, or where another one did not finish', async () => {
    await expect(createBackup(options(backup))).rejects.toThrow(`${backup} exists`);
    await mkdir(join(root, 'died.partial'));
    await expect(createBackup(options(join(root, 'died')))).rejects.toThrow('another backup is being made there, or one did not finish');
    await expect(verify(join(root, 'died.partial'))).rejects.toThrow('SHA256SUMS is missing: it did not finish');
    await expect(readdir(join(root, 'died.partial'))).resolves.toEqual([]);
  });

  it('that is stopped, or whose server dies, leaves nothing', async () => {
    const stopping = new AbortController();
    const folder = join(root, 'stopped');
    const stopped = createBackup(
      options(folder, { signal: stopping.signal, progress: { ...progress, at: () => stopping.abort(new Error('stopped')) } }),
    );
    await expect(stopped).rejects.toThrow('stopped');
    await expect(createBackup(options(folder, { postgresUrl: server.url.replace(/:\d+\//, ':1/') }))).rejects.toThrow('ECONNREFUSED');
    expect((await readdir(root)).filter((name) => name.startsWith('stopped'))).toEqual([]);
  });

  it('on a disk that takes no more is refused in words, and leaves nothing', async () => {
    const at = join(root, 'no-folder');
    await writeFile(at, '');
    await expect(createBackup(options(join(at, 'backup')))).rejects.toThrow('a part of the path is no folder');
  });
});

describe('verifying and restoring refuse, and say why:', () => {
  const damages: [string, (folder: string) => Promise<void>, string][] = [
    ['a byte that differs in the databases', (folder) => flip(join(folder, 'base.tar'), 100_000), 'base.tar does not match SHA256SUMS'],
    ['a byte that differs in the data', (folder) => flip(join(folder, 'data.tar'), 600), 'data.tar does not match SHA256SUMS'],
    ['a byte that differs in the description', (folder) => flip(join(folder, 'backup.json'), 20), 'backup.json does not match SHA256SUMS'],
    ['a byte that differs in the list', (folder) => flip(join(folder, 'backup_manifest'), 20), 'backup_manifest does not match SHA256SUMS'],
    ['a missing file', (folder) => rm(join(folder, 'data.tar')), 'data.tar is missing'],
    [
      'a file that is cut',
      (folder) => replaced(join(folder, 'base.tar'), (content) => content.subarray(0, 50_000)),
      'base.tar does not match SHA256SUMS',
    ],
    ['a file too many', (folder) => writeFile(join(folder, 'notes.txt'), ''), '"notes.txt" does not belong to the backup'],
    ['no sums', (folder) => rm(join(folder, 'SHA256SUMS')), 'SHA256SUMS is missing'],
  ];
  it.each(damages)('%s', async (name, damage, message) => {
    const folder = await copied(`damaged by ${name}`);
    await damage(folder);
    await expect(verify(folder)).rejects.toThrow(message);
    const dataDir = join(root, `from ${name}`);
    await expect(restore(folder, dataDir)).rejects.toThrow(message);
    await expect(readdir(dataDir)).resolves.toEqual(['lock']);
  });

  it('every byte of the sums', async () => {
    const folder = await copied('sums');
    const path = join(folder, 'SHA256SUMS');
    const { length } = await readFile(path);
    for (let at = 0; at < length; at += 7) {
      await flip(path, at);
      await expect(checkFiles(folder, progress)).rejects.toThrow('is not a complete backup');
      await flip(path, at);
    }
    await expect(checkFiles(folder, progress)).resolves.toMatchObject({ folder });
  });

  it('a backup of another platform or of another PostgreSQL', async () => {
    const folder = await copied('other');
    await described(folder, { platform: 'plan9-mips' });
    await expect(restore(folder, join(root, 'other-data'))).rejects.toThrow('was made on plan9-mips');
    await described(folder, { platform: `${process.platform}-${process.arch}`, postgres: '12.1' });
    await expect(restore(folder, join(root, 'other-data'))).rejects.toThrow('is of PostgreSQL 12.1');
  });

  it('a DATA_DIR that is not empty, that runs, or whose restore did not finish', async () => {
    await expect(restore(backup, join(root, 'data'))).rejects.toThrow('it is not empty');
    const dataDir = join(root, 'unfinished');
    await mkdir(join(dataDir, 'restoring'), { recursive: true });
    await expect(restore(backup, dataDir)).rejects.toThrow('a restore into it did not finish');
    await expect(readdir(dataDir)).resolves.toEqual(['lock', 'restoring']);
  });
});

const flip = (path: string, at: number): Promise<void> =>
  replaced(path, (content) => {
    content.writeUInt8(content.readUInt8(at) ^ 0x20, at);
    return content;
  });

/** Changes the description, as somebody can who also writes the sums. */
async function described(folder: string, change: object): Promise<void> {
  await replaced(join(folder, 'backup.json'), (before) =>
    Buffer.from(JSON.stringify({ ...(JSON.parse(before.toString()) as object), ...change })),
  );
  await resum(folder);
}

async function resum(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS');
  const sums = await Promise.all(
    names.map(async (name): Promise<[string, string]> => [name, await sumOf(join(folder, name), () => undefined)]),
  );
  await replaced(join(folder, 'SHA256SUMS'), () => Buffer.from(sumsText(new Map(sums))));
}
