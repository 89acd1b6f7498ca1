import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '@sheaf/embedded';

const run = promisify(execFile);

const packages = [
  'postgresql-18',
  'postgresql-client-18',
  'patroni',
  'python3-psycopg2',
  'python3-etcd',
  'etcd-server',
  'haproxy',
  'nats-server',
  'bash',
  'coreutils',
];
/** The user of all servers, as PostgreSQL refuses root. */
export const serverId = 4_242;
/** The folder of a machine's data, inside the unpacked system. */
export const dataFolder = '/var/op';

/**
 * The folder of an unpacked Debian with the engines. Only its unstable branch has PostgreSQL 18 and Patroni 4; nothing of it is installed. It
 * is downloaded once (100 MB, 400 MB unpacked) and kept.
 * @throws Error that says what this machine lacks
 */
export async function unpackedEngines(): Promise<string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('The failover suite makes network namespaces, so it needs Linux and root.');
  for (const program of ['ip', 'unshare', 'setpriv', 'chroot'])
    await run('which', [program]).catch(() => {
      throw new Error(`The failover suite needs the program “${program}” (Debian: iproute2, util-linux, coreutils).`);
    });
  const folder = join(cacheDir(process.env), `failover-engines-${process.arch}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return folder;
}

async function unpackInto(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(`${folder}.new-`);
  const apt = join(work, 'apt');
  const root = join(work, 'root');
  try {
    for (const each of ['lists/partial', 'cache/archives/partial']) await mkdir(join(apt, each), { recursive: true });
    await mkdir(root);
    await writeFile(join(apt, 'status'), '');
    await writeFile(
      join(apt, 'sources.list'),
      `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${await mirror()} sid main\n`,
    );
    const options = {
      'Dir::Etc::sourcelist': join(apt, 'sources.list'),
      'Dir::Etc::sourceparts': '/dev/null',
      'Dir::State::Lists': join(apt, 'lists'),
      'Dir::State::status': join(apt, 'status'),
      'Dir::Cache': join(apt, 'cache'),
      'APT::Sandbox::User': '',
      'APT::Install-Recommends': 'false',
      'Acquire::Languages': 'none',
    };
    const get = (...args: string[]) =>
      run('apt-get', [...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]), '-qq', '-y', ...args], {
        maxBuffer: 16 * 1024 * 1024,
      });
    await get('update');
    await get('--download-only', 'install', ...packages);
    const archives = join(apt, 'cache/archives');
    for (const file of await readdir(archives)) if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', join(archives, file), root]);
    // The files that the packages' own scripts would have made.
    if (!existsSync(join(root, 'usr/bin/sh'))) await symlink('bash', join(root, 'usr/bin/sh'));
    await mkdir(join(root, dataFolder), { recursive: true });
    await appendFile(join(root, 'etc/passwd'), `root:x:0:0::/root:/bin/sh\npostgres:x:${serverId}:${serverId}::${dataFolder}:/bin/sh\n`);
    await appendFile(join(root, 'etc/group'), `root:x:0:\npostgres:x:${serverId}:\n`);
    await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
    await rename(root, folder);
  } catch (error) {
    throw new Error('The engines of the failover suite could not be downloaded with apt-get.', { cause: error });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The mirror of Debian that this machine uses. */
async function mirror(): Promise<string> {
  const files = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
  for (const file of files) {
    const found = /^(?:URIs:|deb(?: \[[^\]]*\])?) *(https?:\/\/\S+)/m.exec(await readFile(file, 'utf8').catch(() => ''));
    if (found?.[1] !== undefined) return found[1];
  }
  throw new Error(`No mirror of Debian is configured in ${files.join(' or ')}: the failover suite needs a Debian machine.`);
}
