import { createHash, randomBytes } from 'node:crypto';
import { access, chmod, constants, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { run, works } from './run';
import { asCommand } from './server-process';

/** The official release that Sheaf is tested with, with the checksums from its release page. */
const RELEASE = {
  version: '2.11.17',
  sha256: {
    x64: 'ad608dd0ea8bbfa58c40e3b8f58ed67478eec26166ec49c502db8d17589b51b5',
    arm64: 'd21df24f262f34f8bf6d1f0bca557c08429e433fd9f60f6983105539ae517feb',
  },
} as const;

export type FindNatsOptions = {
  /** Called with a message before each slow step. */
  onProgress: (step: string) => void;
  signal?: AbortSignal;
};

/** How long a download may take where an older nats-server would do. */
const patienceMs = 10_000;

/**
 * Finds a nats-server that runs on this machine: in $NATS_SERVER, or one on PATH or in our cache that is not older than the release that Sheaf
 * is tested with. Otherwise it fetches that release into the cache; distributions have releases that are years old. If that is impossible,
 * it takes an older one, or the Debian package. It does not need root.
 * @throws Error that explains how to install nats-server.
 */
export async function findNatsServer({ onProgress, signal }: FindNatsOptions, from: readonly Source[] = sources()): Promise<string> {
  const chosen = process.env.NATS_SERVER;
  if (chosen) {
    if (await runs(chosen)) return chosen;
    throw new Error(`NATS_SERVER is ${chosen}, which is not a nats-server that runs on this machine.`);
  }

  const cached = join(cacheDir(process.env), `nats-server-${process.platform}-${process.arch}`);
  let older: { path: string; version: string } | undefined;
  for (const path of [...onPath(process.env.PATH ?? '', 'nats-server'), cached]) {
    const version = await versionOf(path);
    if (version === undefined) continue;
    if (!isOlder(version, RELEASE.version)) return path;
    older ??= { path, version };
  }

  const reasons: string[] = [];
  for (const { what, isPinned, fetchInto } of from) {
    if (older && !isPinned) continue;
    signal?.throwIfAborted();
    onProgress(`fetching ${what}`);
    const workDir = await mkdtemp(join(tmpdir(), 'sheaf-nats-'));
    const until = older ? anyOf(signal, AbortSignal.timeout(patienceMs)) : signal;
    try {
      await install(await fetchInto(workDir, until), cached);
      if (await runs(cached)) return cached;
      reasons.push(`${what}: the downloaded program does not run on this machine`);
    } catch (error) {
      signal?.throwIfAborted();
      reasons.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await rm(workDir, { recursive: true, force: true });
    }
  }
  if (older) {
    onProgress(`using the older nats-server ${older.version} at ${older.path} (tried ${reasons.join('; ')})`);
    return older.path;
  }
  throw new Error(
    [
      'No nats-server was found. Install one (macOS: brew install nats-server; elsewhere: https://docs.nats.io/running-a-nats-service/introduction/installation),',
      'or point NATS_SERVER to its binary, or NATS_URL to a running server with JetStream.',
      ...reasons.map((reason) => `  tried ${reason}`),
    ].join('\n'),
  );
}

/** The folder for downloads, shared by all runs and checkouts. */
export function cacheDir(env: NodeJS.ProcessEnv): string {
  // An empty variable counts as not set.
  const { SHEAF_CACHE_DIR: configured = '', XDG_CACHE_HOME: xdg = '', HOME: home = '' } = env;
  if (configured !== '') return configured;
  return join(xdg !== '' ? xdg : join(home !== '' ? home : homedir(), '.cache'), 'sheaf');
}

/** All possible paths of a program, in the order of PATH. Relative entries are skipped, because they depend on the working directory. */
export const onPath = (path: string, program: string): string[] =>
  path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, program));

async function runs(binary: string): Promise<boolean> {
  try {
    await access(binary, constants.X_OK);
  } catch {
    return false;
  }
  return works([binary, '--version']);
}

/** The version of a nats-server; undefined if none runs there. */
async function versionOf(binary: string): Promise<string | undefined> {
  if (!(await runs(binary))) return undefined;
  return /v(\d+\.\d+\.\d+)/.exec(await run([binary, '--version'], { timeoutMs: 10_000 }))?.[1] ?? '0.0.0';
}

/** Whether a nats-server is the release that Sheaf is tested with. */
export const isPinnedNatsServer = async (binary: string): Promise<boolean> => (await versionOf(binary)) === RELEASE.version;

/** Whether a version such as 2.9.10 comes before another. */
export function isOlder(version: string, other: string): boolean {
  const [parts, others] = [version, other].map((text) => text.split('.').map(Number));
  for (const [at, part] of (parts ?? []).entries()) if (part !== others?.[at]) return part < (others?.[at] ?? 0);
  return false;
}

const anyOf = (signal: AbortSignal | undefined, late: AbortSignal): AbortSignal => (signal ? AbortSignal.any([signal, late]) : late);

/** `isPinned`: the release that Sheaf is tested with, and no other. */
export type Source = { what: string; isPinned: boolean; fetchInto: (workDir: string, signal?: AbortSignal) => Promise<string> };

function sources(): Source[] {
  if (process.platform !== 'linux') return [];
  return [
    ...(process.arch === 'x64' || process.arch === 'arm64'
      ? [{ what: `the release ${RELEASE.version} of nats-server`, isPinned: true, fetchInto: officialRelease }]
      : []),
    { what: 'the Debian package nats-server', isPinned: false, fetchInto: debianPackage },
  ];
}

/** Downloads the distribution's signed package with our own lists and cache, because apt's belong to root. */
async function debianPackage(workDir: string, signal?: AbortSignal): Promise<string> {
  for (const tool of ['apt-get', 'dpkg-deb']) if (!(await works([tool, '--version']))) throw new Error(`there is no ${tool}`);
  const lists = join(workDir, 'lists');
  const cache = join(workDir, 'cache');
  const unpacked = join(workDir, 'unpacked');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(cache, 'archives/partial'), { recursive: true });
  const settings = {
    'Dir::State::Lists': lists,
    'Dir::Cache': cache,
    // When run as root, apt downloads as a user that cannot access our folder.
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '20',
    'Acquire::https::Timeout': '20',
  };
  const apt = ['apt-get', '--quiet=2', ...Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`])];
  await run(asCommand([...apt, 'update']), { timeoutMs: 120_000, signal });
  await run(asCommand([...apt, 'download', 'nats-server']), { timeoutMs: 120_000, cwd: workDir, signal });
  const archive = (await readdir(workDir)).find((name) => name.endsWith('.deb'));
  if (archive === undefined) throw new Error('apt-get downloaded nothing');
  await run(['dpkg-deb', '-x', join(workDir, archive), unpacked], { timeoutMs: 60_000, signal });
  for (const folder of ['usr/sbin', 'usr/bin']) {
    const binary = join(unpacked, folder, 'nats-server');
    if (await runs(binary)) return binary;
  }
  throw new Error('the package contains no nats-server that runs on this machine');
}

async function officialRelease(workDir: string, signal?: AbortSignal): Promise<string> {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const name = `nats-server-v${RELEASE.version}-linux-${arch === 'x64' ? 'amd64' : 'arm64'}`;
  const late = AbortSignal.timeout(120_000);
  const response = await fetch(`https://github.com/nats-io/nats-server/releases/download/v${RELEASE.version}/${name}.tar.gz`, {
    signal: signal ? AbortSignal.any([signal, late]) : late,
  });
  if (!response.ok) throw new Error(`the download failed with status ${response.status}`);
  const archive = Buffer.from(await response.arrayBuffer());
  checkSha256(archive, RELEASE.sha256[arch]);

  const file = join(workDir, 'nats-server.tar.gz');
  await writeFile(file, archive);
  await run(['tar', '-xzf', file, '-C', workDir], { timeoutMs: 60_000, signal });
  return join(workDir, name, 'nats-server');
}

/** @throws Error if the checksum is wrong; the download must not be unpacked then. */
export function checkSha256(bytes: Uint8Array, expected: string): void {
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== expected) throw new Error(`the download has the wrong checksum: ${actual} instead of ${expected}`);
}

/** Copies the file to a temporary name and then renames it, because another start may look for it or run it at this moment. */
async function install(binary: string, target: string): Promise<void> {
  await mkdir(join(target, '..'), { recursive: true });
  const fresh = `${target}.${randomBytes(4).toString('hex')}`;
  try {
    await copyFile(binary, fresh);
    await chmod(fresh, 0o755);
    await rename(fresh, target);
  } finally {
    await rm(fresh, { force: true });
  }
}
